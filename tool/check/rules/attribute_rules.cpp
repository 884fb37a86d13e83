/// Attributes and their arguments, compared with the table of attributes.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/model/attributes.h"

namespace autoshard::tool {
namespace {

/// The attributes that begin with the word, as `shardable` and `shard_method` do with `shard`.
std::vector<std::string_view> attributes_that_begin_with(std::string_view word) {
  std::vector<std::string_view> names = attribute_names();
  std::erase_if(names, [&](std::string_view name) { return !name.starts_with(word); });
  return names;
}

void unknown_attribute(const Model& model, Findings& findings) {
  for (const StrayAnnotation& stray : model.strays) {
    if (stray.known) continue;
    const Annotation& annotation = stray.annotation;
    if (annotation.name.starts_with("::")) {
      const std::string scoped = "autoshard" + annotation.name;
      Diagnostic& found = findings.add(annotation.name_span,
                                       "an attribute of AutoShard needs its scope; write '[[{scoped}]]'",
                                       "scoped"_a = scoped);
      if (!annotation.from_macro) found.fixes.push_back({annotation.name_span, scoped});
      continue;
    }
    if (annotation.name.find("::") != std::string::npos) {
      Diagnostic& found = findings.add(annotation.name_span,
                                       "there is no attribute '{name}'; did you mean the scope 'autoshard'?",
                                       "name"_a = annotation.name);
      if (!annotation.from_macro) found.fixes.push_back({annotation.name_span, "autoshard"});
      continue;
    }
    Diagnostic& found = findings.add(annotation.name_span, "there is no attribute 'autoshard::{name}'",
                                     "name"_a = annotation.name);
    if (const auto names = attributes_that_begin_with(annotation.name); names.size() > 1) {
      found.message += fmt::format("; did you mean {}?", any_of_these(names));
      continue;
    }
    suggest(found, annotation.name, annotation.name_span, !annotation.from_macro, attribute_names());
  }
}

/// A place of annotations, with its description for messages.
struct Site {
  Home home;
  std::string_view text;
};
constexpr Site kOnClass{Home::kClass, "a class"};
constexpr Site kOnMember{Home::kMember, "a data member"};
constexpr Site kOnMethod{Home::kMethod, "a method"};

/// Calls `visit` with the annotations of the class and of each of its members.
template <typename Visit>
void for_each_site(const Entity& entity, const Visit& visit) {
  visit(kOnClass, entity.name, entity.annotations);
  for (const Property& property : entity.properties) visit(kOnMember, property.name, property.annotations);
  for (const Method& method : entity.methods) visit(kOnMethod, method.name, method.annotations);
}

unsigned role_flag(Role role) {
  switch (role) {
    case Role::kEntity:
      return kInEntity;
    case Role::kMapped:
      return kInMapped;
    case Role::kEmbedded:
      return kInEmbedded;
  }
  return 0;
}

bool fits(const AttributeSpec& attribute, Home home) {
  // Accepts a fold that is not static: another rule reports it.
  return attribute.home == home || (attribute.home == Home::kStaticMethod && home == Home::kMethod);
}

void misplaced(const Entity& entity, Findings& findings) {
  for_each_site(entity, [&](const Site& site, const std::string&,
                            const std::vector<Annotation>& annotations) {
    for (const Annotation& annotation : annotations) {
      const AttributeSpec* const attribute = find_attribute(annotation.name);
      if (!attribute) continue;
      const bool is_another_role = entity.role == Role::kEntity && (attribute->roles & kInEntity) == 0;
      if (fits(*attribute, site.home) && !is_another_role) continue;
      findings.add(annotation.span, "'[[autoshard::{name}]]' means nothing on {here}; it belongs on {home}",
                   "name"_a = attribute->name, "here"_a = site.text, "home"_a = attribute->home_text);
    }
  });
}

void misplaced_stray(const Model& model, Findings& findings) {
  const Name* reported = nullptr;
  for (const StrayAnnotation& stray : model.strays) {
    const AttributeSpec* const attribute = stray.known ? find_attribute(stray.annotation.name) : nullptr;
    if (!attribute) continue;
    // All members of one class are misplaced for the same reason. Only the first one is reported.
    const Name* owner = stray.owner ? &*stray.owner : nullptr;
    if (owner && reported && owner->span == reported->span) continue;
    if (owner) reported = owner;
    Diagnostic& found = findings.add(
        stray.annotation.span, "'[[autoshard::{name}]]' means nothing {here}; it belongs on {home}",
        "name"_a = attribute->name, "here"_a = stray.on.empty() ? "here" : fmt::format("on {}", stray.on),
        "home"_a = attribute->home_text);
    if (!owner || attribute->name == "entity" || owner->name.empty()) continue;
    found.message += fmt::format(", so mark '{}' [[autoshard::entity]]", owner->name);
    found.fixes.push_back(
        {{owner->span.file, owner->span.begin, owner->span.begin}, "[[autoshard::entity]] "});
  }
}

void part_members(const Entity& part, Findings& findings) {
  const std::string_view role = part.role == Role::kMapped ? "mapped" : "embedded";
  for_each_site(part, [&](const Site& site, const std::string&, const std::vector<Annotation>& annotations) {
    for (const Annotation& annotation : annotations) {
      const AttributeSpec* const attribute = find_attribute(annotation.name);
      if (!attribute || !fits(*attribute, site.home)) continue;
      if ((attribute->roles & role_flag(part.role)) != 0) continue;
      findings.add(annotation.span,
                   "'[[autoshard::{name}]]' does not work in a class that is {role}; move it to the entity",
                   "name"_a = attribute->name, "role"_a = role);
    }
  });
}

bool names(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

bool excludes(const Annotation& one, const Annotation& other) {
  const AttributeSpec* const attribute = find_attribute(one.name);
  return attribute && names(attribute->excludes, other.name);
}

void contradiction(const Entity& entity, Findings& findings) {
  for_each_site(
      entity, [&](const Site&, const std::string& name, const std::vector<Annotation>& annotations) {
        for (const Annotation& other : annotations) {
          const auto one = std::ranges::find_if(
              annotations, [&](const Annotation& each) { return excludes(each, other); });
          if (one == annotations.end()) continue;
          Diagnostic& found = findings.add(other.span,
                                           "'{name}' cannot be both '[[autoshard::{one}]]' and "
                                           "'[[autoshard::{other}]]'; keep one of them",
                                           "name"_a = name, "one"_a = one->name, "other"_a = other.name);
          Findings::note(found, one->span, "the other one is here");
        }
      });
}

void duplicate_arguments(const Annotation& annotation, Findings& findings) {
  for (auto at = annotation.arguments.begin(); at != annotation.arguments.end(); ++at) {
    const auto first = std::find_if(annotation.arguments.begin(), at, [&](const Argument& other) {
      return other.name == at->name && (!at->name.empty() || other.value == at->value);
    });
    if (first == at) continue;
    Diagnostic& found = findings.add(at->span, "argument '{name}' is given twice; remove one of them",
                                     "name"_a = at->name.empty() ? at->value : at->name);
    Findings::note(found, first->span, "the first is here");
  }
}

void duplicate(const Entity& entity, Findings& findings) {
  for_each_site(entity, [&](const Site&, const std::string&, const std::vector<Annotation>& annotations) {
    for (auto at = annotations.begin(); at != annotations.end(); ++at) {
      duplicate_arguments(*at, findings);
      const AttributeSpec* const attribute = find_attribute(at->name);
      if (!attribute || attribute->repeatable) continue;
      const auto first = std::find_if(annotations.begin(), at,
                                      [&](const Annotation& other) { return other.name == at->name; });
      if (first == at) continue;
      Diagnostic& found = findings.add(at->span, "'[[autoshard::{name}]]' is given twice; remove one of them",
                                       "name"_a = at->name);
      Findings::note(found, first->span, "the first is here");
    }
  });
}

/// `'neutral = …', 'shards = …' or 'fold = …'`
std::string how_to_write(const std::vector<std::string_view>& argument_names) {
  std::vector<std::string> written;
  for (const std::string_view name : argument_names) written.push_back(fmt::format("'{} = …'", name));
  return enumeration(written, "or");
}

/// The attribute beside `attribute` that has an argument of this name; null if there is none.
const AttributeSpec* other_owner(const AttributeSpec& attribute, std::string_view argument) {
  const auto has_it = [&](const AttributeSpec& other) {
    return other.home == attribute.home && other.argument(argument);
  };
  const auto found = std::ranges::find_if(attributes(), has_it);
  return found == attributes().end() ? nullptr : &*found;
}

void check_unnamed(const AttributeSpec& attribute, const Annotation& annotation, const Argument& argument,
                   std::size_t position, Findings& findings) {
  const ArgumentSpec* const expected = attribute.unnamed_argument();
  if (expected && (position == 0 || expected->repeatable)) {
    if (expected->words.empty() || names(expected->words, argument.value)) return;
    Diagnostic& found = findings.add(argument.span, "'[[autoshard::{name}]]' does not know '{word}'",
                                     "name"_a = attribute.name, "word"_a = argument.value);
    suggest(found, argument.value, argument.span, !annotation.from_macro,
            {expected->words.begin(), expected->words.end()});
    return;
  }
  const std::vector<std::string_view> named = attribute.argument_names();
  const std::string rule = !named.empty()
                               ? fmt::format("takes named arguments; write {}", how_to_write(named))
                           : expected ? "takes one argument only"
                                      : "takes no arguments";
  findings.add(argument.span, "'[[autoshard::{name}]]' {rule}", "name"_a = attribute.name, "rule"_a = rule);
}

void check_named(const AttributeSpec& attribute, const Annotation& annotation, const Argument& argument,
                 Findings& findings) {
  if (attribute.argument(argument.name)) return;
  Diagnostic& found = findings.add(argument.name_span, "'[[autoshard::{name}]]' has no argument '{argument}'",
                                   "name"_a = attribute.name, "argument"_a = argument.name);
  const ArgumentSpec* const unnamed = attribute.unnamed_argument();
  const std::vector<std::string_view> named = attribute.argument_names();
  if (unnamed && names(unnamed->words, argument.name)) {
    found.message += fmt::format("; write '{}'", argument.name);
  } else if (const AttributeSpec* const owner = other_owner(attribute, argument.name)) {
    found.message += fmt::format(", which is one of '[[autoshard::{}]]'; remove it", owner->name);
  } else if (!named.empty()) {
    suggest(found, argument.name, argument.name_span, !annotation.from_macro, named);
  }
}

void unknown_argument(const Entity& entity, Findings& findings) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    const AttributeSpec* const attribute = find_attribute(annotation.name);
    if (!attribute) return;
    std::size_t unnamed = 0;
    for (const Argument& argument : annotation.arguments) {
      if (argument.name.empty()) {
        check_unnamed(*attribute, annotation, argument, unnamed++, findings);
      } else {
        check_named(*attribute, annotation, argument, findings);
      }
    }
  });
}

void missing_argument(const Entity& entity, Findings& findings) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    const AttributeSpec* const attribute = find_attribute(annotation.name);
    if (!attribute) return;
    for (const ArgumentSpec& needed : attribute->arguments) {
      if (!needed.required || is_given(annotation, needed.name)) continue;
      if (!needed.required_with.empty() && !is_given(annotation, needed.required_with)) continue;
      const std::string with =
          needed.required_with.empty() ? "" : fmt::format(" with '{}'", needed.required_with);
      findings.add(annotation.span, "'[[autoshard::{name}]]'{with} needs '{argument} = …', {hint}",
                   "name"_a = attribute->name, "with"_a = with, "argument"_a = needed.name,
                   "hint"_a = needed.hint);
    }
  });
}

constexpr Rule kAttributeRows[] = {
    {.tag = "autoshard-unknown-attribute",
     .subject = Subject::kModel,
     .hides_later = true,
     .summary = "Every attribute in the scope autoshard exists.",
     .reason = "Compilers ignore attributes that they do not know. A misspelt annotation would go unnoticed: "
               "the class would compile, and a member would be stored that was meant to be transient, or a "
               "counter would not be sharded.",
     .find_in_model = unknown_attribute},
    {.tag = "autoshard-misplaced",
     .subject = Subject::kClass,
     .summary = "An attribute is on the kind of declaration that it is made for.",
     .reason =
         "An attribute in the wrong place has no effect, but it looks as if it had one. Most often the "
         "class itself was forgotten: without [[autoshard::entity]] on the class, the attributes of its "
         "members mean nothing.",
     .find = misplaced,
     .find_in_model = misplaced_stray},
    {.tag = "autoshard-part-members",
     .subject = Subject::kPart,
     .summary = "A mapped or embedded class has no attributes that only entities can have.",
     .reason =
         "Shards and shard methods belong to one entity with one key. A mapped base class has no key of "
         "its own until an entity derives from it, and an embedded object is a value inside of a "
         "record. Sharded members, shard methods, folds and hooks belong in the entity.",
     .find = part_members},
    {.tag = "autoshard-contradiction",
     .subject = Subject::kClass,
     .summary = "The attributes of one member do not contradict each other.",
     .reason =
         "A member is an id, or sharded, or not stored at all; it cannot be two of these. An id needs no "
         "index, because it is the key. A method updates a value, replaces it, or folds two values. "
         "Where two attributes contradict each other, the generator cannot know which one was meant.",
     .find = contradiction},
    {.tag = "autoshard-duplicate",
     .subject = Subject::kClass,
     .summary = "An attribute or an argument is given once.",
     .reason = "Two occurrences may say two things, and only one of them could count. Attributes that are "
               "made to be repeated, such as sharded_index, may occur several times.",
     .find = duplicate},
    {.tag = "autoshard-unknown-argument",
     .subject = Subject::kClass,
     .summary = "Every argument of an attribute exists.",
     .reason =
         "Compilers ignore the arguments of attributes that they do not know. A misspelt argument would "
         "go unnoticed, and its default would be used instead of the value that was given.",
     .find = unknown_argument},
    {.tag = "autoshard-missing-argument",
     .subject = Subject::kClass,
     .summary = "An attribute has the arguments for which there is no default.",
     .reason =
         "Some values cannot be guessed. The neutral value of a fold depends on the fold: 0 for a sum, 1 "
         "for a product, the least number for a maximum. The number of parts of an index depends on how "
         "often it changes.",
     .find = missing_argument},
};

}  // namespace

const RuleGroup kAttributeRules{"Attributes and their arguments", kAttributeRows};

}  // namespace autoshard::tool
