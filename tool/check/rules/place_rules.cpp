/// Rules for the place of an annotated class, and for its kind of class.

#include "tool/check/rules/groups.h"

namespace autoshard::tool {
namespace {

void entity_place(const Entity& entity, Findings& findings) {
  switch (entity.place) {
    case Place::kNamespace:
    case Place::kTemplate:
      return;
    case Place::kUnnamedNamespace:
      findings.add(
          entity.span,
          "'{name}' is in an unnamed namespace; give the namespace a name, because a record outlives "
          "the source file that wrote it",
          "name"_a = entity.name);
      return;
    case Place::kIncluded:
      findings.add(entity.span,
                   "'{name}' is in a file that is included inside of a namespace; open the namespace in the "
                   "file itself, because the companion class needs declarations outside of it",
                   "name"_a = entity.name);
      return;
    case Place::kClass:
      findings.add(entity.span, "'{name}' is inside a class; move it to a namespace", "name"_a = entity.name);
      return;
    case Place::kFunction:
      findings.add(entity.span, "'{name}' is inside a function; move it to a namespace",
                   "name"_a = entity.name);
      return;
  }
}

void entity_template(const Entity& entity, Findings& findings) {
  if (entity.place != Place::kTemplate) return;
  findings.add(
      entity.span,
      "'{name}' is a template; annotate an ordinary class, which may hold or derive from instances of "
      "templates without data members",
      "name"_a = entity.name);
}

void entity_union(const Entity& entity, Findings& findings) {
  if (!entity.suspicions.is_union) return;
  findings.add(entity.span, "'{name}' is a union; use a class", "name"_a = entity.name);
}

void entity_macro(const Entity& entity, Findings& findings) {
  if (!entity.from_macro) return;
  findings.add(entity.span,
               "'{name}' comes out of a macro; write the class itself out (attributes and members may still "
               "come out of macros)",
               "name"_a = entity.name);
}

constexpr Rule kPlaces[] = {
    {.tag = "autoshard-entity-place",
     .subject = Subject::kPlace,
     .summary = "An annotated class is in a named namespace, or in none.",
     .reason = "The generator puts a companion class beside yours, and a specialisation of autoshard::Traits "
               "outside of all namespaces. Neither can name a class that is inside a function, another class "
               "or an unnamed namespace. Stored records outlive the source file that wrote them, so their "
               "class needs a name that other source files can use.",
     .find = entity_place},
    {.tag = "autoshard-entity-template",
     .subject = Subject::kPlace,
     .summary = "An annotated class is no template.",
     .reason =
         "The store tells records apart by the kind of their entity, and a kind stands for one class. A "
         "template stands for many classes, all of which would have the same kind. The generator would "
         "also have to know in advance for which arguments the template is used.",
     .find = entity_template},
    {.tag = "autoshard-entity-union",
     .subject = Subject::kPlace,
     .summary = "An annotated class is no union.",
     .reason = "A union does not say which of its members is alive, so a save would not know which one to "
               "store. A std::variant knows; a class may hold one.",
     .find = entity_union},
    {.tag = "autoshard-entity-macro",
     .subject = Subject::kPlace,
     .summary = "The text of an annotated class is written out, not the result of a macro.",
     .reason =
         "The companion class is your class, rewritten: your text with the attributes taken out and the "
         "shard methods moved. If a macro makes the class, there is no text to rewrite. Attributes and "
         "single members may come out of macros.",
     .find = entity_macro},
};

}  // namespace

const RuleGroup kPlaceRules{"Where annotated classes stand", kPlaces};

}  // namespace autoshard::tool
