/// Rules for indexes of members, and for sharded indexes of classes.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/check/types.h"
#include "tool/model/staleness.h"
#include "tool/model/window.h"

namespace autoshard::tool {
namespace {

constexpr std::string_view kKeyTypes =
    "use an integer, a bool, an enum, std::string, a time counted in integers, an array of bytes, or a "
    "struct of one of these";

void check_key(const Property& property, const Span& span, Findings& findings) {
  if (property.type.kind == TypeKind::kUnsupported || property.is_group() || is_index_key(property.type))
    return;
  const Type* element = element_of(property.type);
  const bool can_index_elements = element && is_index_key(*element) && !property.is_sharded();
  Diagnostic& found = findings.add(
      span, "'{name}' has type '{type}', which an index cannot sort by; {instead}", "name"_a = property.name,
      "type"_a = property.type.qualified,
      "instead"_a =
          can_index_elements ? "write 'index(elements)' to find entities by what it contains" : kKeyTypes);
  if (span != property.span)
    Findings::note(found, property.span, "'{name}' is here", "name"_a = property.name);
}

void check_elements(const Property& property, Findings& findings) {
  const Type* element = element_of(property.type);
  if (property.type.kind == TypeKind::kUnsupported || (element && is_index_key(*element))) return;
  if (!element) {
    findings.add(property.span, "'{name}' has type '{type}', which is no collection; remove 'elements'",
                 "name"_a = property.name, "type"_a = property.type.qualified);
    return;
  }
  findings.add(property.span,
               "the elements of '{name}' have type '{type}', which an index cannot sort by; {types}",
               "name"_a = property.name, "type"_a = element->qualified, "types"_a = kKeyTypes);
}

void index_type(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (property.has_elements_index()) {
      if (!property.is_sharded()) check_elements(property, findings);
    } else if (property.is_indexed()) {
      check_key(property, property.span, findings);
    }
  }
  for (const ShardedIndex& index : entity.sharded_indexes) {
    for (const std::vector<Name>* members : {&index.key, &index.order}) {
      for (const Name& name : *members) {
        if (const Property* property = entity.any_property(name.name))
          check_key(*property, name.span, findings);
      }
    }
  }
}

std::vector<std::string_view> possible_keys(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const Property* property : entity.all_properties()) {
    if (!property->is_sharded() && !property->is_transient()) names.emplace_back(property->name);
  }
  return names;
}

void check_member(const Entity& entity, const Name& member, bool fixable, Findings& findings) {
  const Property* property = entity.any_property(member.name);
  if (!property) {
    Diagnostic& found = findings.add(member.span, "'{entity}' has no data member '{name}'",
                                     "entity"_a = entity.name, "name"_a = member.name);
    suggest(found, member.name, member.span, fixable, possible_keys(entity));
  } else if (property->is_sharded() || property->is_transient()) {
    Diagnostic& found = findings.add(
        member.span, "'{name}' is {reason}; use another member", "name"_a = member.name,
        "reason"_a =
            property->is_sharded()
                ? "sharded, so the main record, from which the index is kept, does not hold its value"
                : "transient, so no record has its value");
    Findings::note(found, property->span, "'{name}' is here", "name"_a = member.name);
  }
}

void index_member(const Entity& entity, Findings& findings) {
  for (const ShardedIndex& index : entity.sharded_indexes) {
    std::vector<Name> members = index.key;
    members.insert(members.end(), index.order.begin(), index.order.end());
    for (auto member = members.begin(); member != members.end(); ++member) {
      check_member(entity, *member, !index.from_macro, findings);
      const auto first = std::find_if(members.begin(), member,
                                      [&](const Name& other) { return other.name == member->name; });
      if (first == member) continue;
      Diagnostic& found =
          findings.add(member->span, "'{name}' is given twice; remove it from 'key' or from 'order'",
                       "name"_a = member->name);
      Findings::note(found, first->span, "the first is here");
    }
  }
}

/// The declaration that already has the name of `index`, in the class or among its stored indexes; null if
/// there is none.
const Span* taken_by(const Entity& entity, const ShardedIndex& index) {
  const auto find = [&](const auto& named) -> const Span* {
    const auto found = std::ranges::find_if(named, [&](const auto& one) { return one.name == index.name; });
    return found == named.end() ? nullptr : &found->span;
  };
  if (entity.name == index.name) return &entity.span;
  if (const Span* member = find(entity.properties)) return member;
  if (const Span* method = find(entity.methods)) return method;
  if (const Span* other = find(entity.other_names)) return other;
  for (const Property* property : entity.all_properties()) {
    if (property->is_indexed() && property->stored_name == index.name) return &property->span;
  }
  for (const ShardedIndex& other : entity.sharded_indexes) {
    if (&other == &index) break;
    if (other.name == index.name) return &other.span;
  }
  return nullptr;
}

void index_name(const Entity& entity, Findings& findings) {
  for (const ShardedIndex& index : entity.sharded_indexes) {
    if (index.name.empty()) {
      if (index.is_named)
        findings.add(index.span,
                     "the name of an index becomes that of a type; write it as 'name = ByCompany'");
    } else if (index.name == "Shard") {
      findings.add(index.span, "'Shard' is the name of something that the companion class adds; rename this");
    } else if (const Span* other = taken_by(entity, index)) {
      Diagnostic& found = findings.add(
          index.span, "'{name}' is the name of something else in '{entity}'; give the index another one",
          "name"_a = index.name, "entity"_a = entity.name);
      Findings::note(found, *other, "'{name}' is here", "name"_a = index.name);
    }
  }
}

void index_elements(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group() || !property.has_elements_index() ||
        has_window(property))
      continue;
    findings.add(property.marks.index->span,
                 "'{name}' is sharded, and an index of elements is for collections that are not; remove "
                 "'elements', or the sharding",
                 "name"_a = property.name);
  }
}

void index_unique(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || !property.is_unique() || has_window(property)) continue;
    findings.add(
        property.marks.index->span,
        "'{name}' is sharded, and no update knows its whole value, so nothing can keep it from being "
        "another entity's, too; remove 'unique'",
        "name"_a = property.name);
  }
}

void index_staleness(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_indexed() || !property.marks.index->staleness) continue;
    const std::optional<Argument>& staleness = property.marks.index->staleness;
    if (!property.is_sharded()) {
      findings.add(staleness->span,
                   "the index of '{name}', which is not sharded, is never stale; remove 'staleness'",
                   "name"_a = property.name);
    } else if (!staleness->number || *staleness->number < 1 || *staleness->number > kMostStaleness) {
      Diagnostic& found =
          findings.add(staleness->value_span,
                       "the staleness of an index is a constant number of seconds, from 1 to {most}",
                       "most"_a = kMostStaleness);
      if (!staleness->problem.empty()) found.message += fmt::format(": {}", staleness->problem);
    }
  }
}

constexpr Rule kIndexes[] = {
    {.tag = "autoshard-index-type",
     .subject = Subject::kClass,
     .summary = "The values or elements that an index sorts by have an order that the store can keep.",
     .reason =
         "An index is a range of keys, and the store keeps its keys in the order of their bytes. Numbers, "
         "strings, enumerations and times have a form in bytes that keeps their order. A std::optional, "
         "a floating-point number or a struct of several members has none.",
     .find = index_type},
    {.tag = "autoshard-index-member",
     .summary =
         "A sharded index names data members of the entity that are stored and not sharded, once each.",
     .reason = "The entries of a sharded index are written together with the main record of the entity, from "
               "the values in it. The main record holds neither transient members nor the folded value of a "
               "sharded one.",
     .find = index_member},
    {.tag = "autoshard-index-name",
     .summary = "The name of a sharded index is an identifier that nothing else in the class has.",
     .reason = "The companion class gets a type of this name, with which queries name the index: "
               "'query<Job::ByCompany>(…)'. The store keeps the index under the same name.",
     .find = index_name},
    {.tag = "autoshard-index-elements",
     .summary = "An index of elements is on a collection that is not sharded.",
     .reason =
         "An index of elements compares the elements before and after each save of the main record. The "
         "elements of a sharded collection are in its shards, and no update sees all of them.",
     .find = index_elements},
    {.tag = "autoshard-index-unique",
     .summary = "A unique index is on a member that is not sharded.",
     .reason = "To refuse a value that another entity has, an update would have to know the new value of the "
               "member. An update of a sharded member knows only the value of one shard.",
     .find = index_unique},
    {.tag = "autoshard-index-staleness",
     .subject = Subject::kClass,
     .summary = "'staleness' is a number of seconds from 1 to 86400, on a sharded member.",
     .reason =
         "The index of a sharded member is brought up to date some seconds after an update, because that "
         "takes a read of all shards. 'staleness' is the longest time that this may take. The index of "
         "any other member changes together with it, so it is never stale.",
     .find = index_staleness},
};

}  // namespace

const RuleGroup kIndexRules{"Indexes", kIndexes};

}  // namespace autoshard::tool
