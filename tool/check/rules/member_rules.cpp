/// Rules for data members and their form in records.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

void id_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_id() || is_key(property.type)) continue;
    findings.add(property.span,
                 "id '{name}' has type '{type}'; an id is an integer, a bool, an enum, a std::string, a "
                 "std::array of bytes, or a struct with one of these as its only member and without "
                 "constructors",
                 "name"_a = property.name, "type"_a = property.type.qualified);
  }
}

void property_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (property.type.kind != TypeKind::kUnsupported || property.is_id()) continue;
    // A load cannot bind a reference. Any other transient member gets its default value.
    if (property.is_transient() && !property.is_reference) continue;
    findings.add(
        property.span, "{member} has type '{type}', which cannot be stored: {why}",
        "member"_a = property.name.empty() ? "this member" : fmt::format("member '{}'", property.name),
        "type"_a = property.type.qualified, "why"_a = property.type.unsupported_reason);
  }
}

void const_property(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_const || property.is_transient()) continue;
    findings.add(property.span,
                 "member '{name}' is const, so it cannot be loaded; drop 'const', make it static, or mark it "
                 "[[autoshard::transient]]",
                 "name"_a = property.name);
  }
}

void stored_name(const Entity& entity, Findings& findings) {
  const std::vector<const Property*> properties = entity.all_properties();
  for (std::size_t at = 0; at < properties.size(); ++at) {
    const Property& property = *properties[at];
    if (property.is_transient() || property.name.empty()) continue;
    for (std::size_t before = 0; before < at; ++before) {
      const Property& other = *properties[before];
      if (other.is_transient() || other.stored_name != property.stored_name) continue;
      Diagnostic& found =
          findings.add(property.span,
                       "'{name}' and '{other}' are both called '{stored}' in the record; rename one of them",
                       "name"_a = property.name, "other"_a = other.name, "stored"_a = property.stored_name);
      Findings::note(found, other.span, "'{name}' is here", "name"_a = other.name);
    }
  }
}

std::string former_name_example(const Property& property) {
  return fmt::format("'also_load(\"old_{}\")'", property.stored_name);
}

/// Reports an `also_load` without names, or on a member that is not loaded by name.
void check_also_load(const Property& property, Findings& findings) {
  const std::string example = former_name_example(property);
  for (const Annotation& annotation : property.annotations) {
    if (annotation.name != "also_load") continue;
    if (property.is_id() || property.is_transient()) {
      findings.add(annotation.span, "'{name}' is {reason}; remove '[[autoshard::also_load]]'",
                   "name"_a = property.name,
                   "reason"_a = property.is_id() ? "an id, whose name no record holds"
                                                 : "transient, so no record holds it");
    } else if (annotation.arguments.empty()) {
      findings.add(annotation.span, "'[[autoshard::also_load]]' needs the former name, as in {example}",
                   "example"_a = example);
    }
    for (const Argument& argument : annotation.arguments) {
      if (!argument.name.empty() || argument.text) continue;
      findings.add(argument.span, "a former name is a string literal, as in {example}",
                   "example"_a = example);
    }
  }
}

/// The property that has the former name number `at` of `property`, as its current name or by an earlier
/// `also_load`; null if there is none.
const Property* owner_of(const Entity& entity, const Property& property, std::size_t at) {
  const std::string& name = property.former_names[at].name;
  const std::vector<const Property*> properties = entity.all_properties();
  for (const Property* other : properties) {
    if (!other->is_id() && !other->is_transient() && other->stored_name == name) return other;
  }
  for (const Property* other : properties) {
    const std::size_t end = other == &property ? at : other->former_names.size();
    for (std::size_t i = 0; i < end; ++i) {
      if (other->former_names[i].name == name) return other;
    }
    if (other == &property) break;
  }
  return nullptr;
}

void check_former_names(const Entity& entity, const Property& property, Findings& findings) {
  for (std::size_t at = 0; at < property.former_names.size(); ++at) {
    const auto& [name, span] = property.former_names[at];
    if (name.empty() || name.starts_with('@')) {
      findings.add(
          span, "'{former}' cannot have been the name of a property; give the former name, as in {example}",
          "former"_a = name, "example"_a = former_name_example(property));
    } else if (const Property* owner = owner_of(entity, property, at)) {
      Diagnostic& found = findings.add(span,
                                       "records hold '{owner}' under the name '{former}', so '{name}' cannot "
                                       "be loaded from it; remove this "
                                       "name or rename '{owner}'",
                                       "owner"_a = owner->name, "former"_a = name, "name"_a = property.name);
      Findings::note(found, owner->span, "'{name}' is here", "name"_a = owner->name);
    }
  }
}

void also_load(const Entity& entity, Findings& findings) {
  for (const Property* property : entity.all_properties()) {
    check_also_load(*property, findings);
    check_former_names(entity, *property, findings);
  }
}

bool is_time(const Type& type) {
  if (type.kind == TypeKind::kOptional) return is_time(type.arguments.front());
  return type.is_system_time && type.arguments.front().arguments.front().kind == TypeKind::kInteger;
}

void expires(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.marks.expires || is_time(property.type)) continue;
    findings.add(property.span,
                 "'{name}' has type '{type}'; the time at which an entity ends is a "
                 "std::chrono::system_clock::time_point, a std::chrono::sys_time of integers, or a "
                 "std::optional of one",
                 "name"_a = property.name, "type"_a = property.type.qualified);
  }
  const Property* first = nullptr;
  for (const Property* property : entity.all_properties()) {
    if (!property->marks.expires) continue;
    if (!first) {
      first = property;
      continue;
    }
    Diagnostic& found = findings.add(*property->marks.expires,
                                     "an entity ends once, and '{first}' says when; remove one of the two",
                                     "first"_a = first->name);
    Findings::note(found, *first->marks.expires, "the other one is here");
  }
}

constexpr Rule kMembers[] = {
    {.tag = "autoshard-id-type",
     .subject = Subject::kClass,
     .summary = "An id has a type whose values can be keys.",
     .reason =
         "The id becomes part of a key, and the store keeps its keys in the order of their bytes. Only "
         "values for which that order can be kept qualify: integers, bools, enumerations, strings, "
         "arrays of bytes, and a struct that wraps one of these. Floating-point numbers do not, because "
         "two equal ids must have equal bytes.",
     .find = id_type},
    {.tag = "autoshard-property-type",
     .subject = Subject::kClass,
     .summary = "Every member that is stored has a type that a record can hold.",
     .reason = "A record is read by other processes, later, perhaps on another machine. An address means "
               "nothing there, and a class with private members cannot be filled in from outside. Hold the "
               "value itself, mark the class [[autoshard::embedded]], declare an autoshard::Codec for it, or "
               "mark the member [[autoshard::transient]].",
     .find = property_type},
    {.tag = "autoshard-const-property",
     .subject = Subject::kClass,
     .summary = "No member that is stored is const.",
     .reason = "A load makes an object and then assigns the value in the record to each member. It cannot "
               "assign to a const member. A constant that is the same for all objects can be static; a "
               "member that only must not change can be private.",
     .find = const_property},
    {.tag = "autoshard-stored-name",
     .subject = Subject::kEntity,
     .summary = "No two members have the same name in the record.",
     .reason =
         "A record names each value after its member, without the mark that makes it a member: 'votes_', "
         "'_votes' and 'm_votes' are all stored as 'votes'. Two members that differ only in this mark would "
         "share one value in the record.",
     .find = stored_name},
    {.tag = "autoshard-also-load",
     .subject = Subject::kEntity,
     .summary = "A former name is a string literal, and belongs to one stored member.",
     .reason =
         "also_load names what a member was called before it was renamed, so that old records can still "
         "be loaded. If another member has that name today, a load could not tell an old value from a "
         "new one. Ids and transient members have no name in the record.",
     .find = also_load},
    {.tag = "autoshard-expires",
     .subject = Subject::kClass,
     .summary = "An entity ends at one point in time of the system clock.",
     .reason =
         "Every process must agree on whether an entity has ended, and so on the clock. A number alone "
         "does not say which clock it counts, or in which unit. Use "
         "std::chrono::system_clock::time_point, or a std::optional of it if an entity may have no end.",
     .find = expires},
};

}  // namespace

const RuleGroup kMemberRules{"Data members", kMembers};

}  // namespace autoshard::tool
