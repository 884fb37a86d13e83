/// Rules for the annotated class as a whole.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/model/shard_names.h"

namespace autoshard::tool {
namespace {

void no_id(const Entity& entity, Findings& findings) {
  const auto is_id = [](const Property* property) { return property->is_id(); };
  if (std::ranges::any_of(entity.all_properties(), is_id)) return;
  findings.add(entity.span, "entity '{name}' has no id; mark one of its members [[autoshard::id]]",
               "name"_a = entity.name);
}

void kind(const Entity& entity, Findings& findings) {
  const Annotation* annotation = entity.annotation("entity");
  if (!annotation || annotation->arguments.empty()) return;
  const Argument& argument = annotation->arguments.front();
  if (!argument.name.empty()) return;  // autoshard-unknown-argument reports it
  if (!argument.text) {
    findings.add(argument.value_span, "the kind of an entity is a string literal, as in 'entity(\"{name}\")'",
                 "name"_a = entity.name);
  } else if (entity.kind.empty()) {
    findings.add(argument.value_span, "the kind of an entity cannot be empty; leave it out to use '{name}'",
                 "name"_a = entity.name);
  }
}

void same_kind(const Model& model, Findings& findings) {
  for (auto entity = model.entities.begin(); entity != model.entities.end(); ++entity) {
    const auto other = std::find_if(model.entities.begin(), entity,
                                    [&](const Entity& one) { return one.kind == entity->kind; });
    if (other == entity) continue;
    Diagnostic& found = findings.add(
        entity->span,
        "'{name}' and '{other}' are both kind '{kind}'; tell them apart, as in 'entity(\"Other{kind}\")'",
        "name"_a = entity->qualified_name, "other"_a = other->qualified_name, "kind"_a = entity->kind);
    Findings::note(found, other->span, "'{name}' is here", "name"_a = other->qualified_name);
  }
}

void entity_abstract(const Entity& entity, Findings& findings) {
  if (!entity.suspicions.is_abstract) return;
  findings.add(entity.span,
               "entity '{name}' is abstract, so no object can be loaded; implement its pure virtual methods",
               "name"_a = entity.name);
}

void base_members(const Entity& entity, Findings& findings) {
  for (const Name& base : entity.suspicions.bases_with_members) {
    findings.add(
        base.span,
        "base class '{base}' has data members, which are stored only if it is marked "
        "[[autoshard::mapped]] and inherited publicly; mark it, make it a member of '{name}', or move "
        "its members here",
        "base"_a = base.name, "name"_a = entity.name);
  }
}

void declarator(const Entity& entity, Findings& findings) {
  if (!entity.suspicions.declarator) return;
  if (entity.name.empty()) {
    findings.add(*entity.suspicions.declarator,
                 "the entity has no name of its own; write it as in 'class Question {{ … }};'");
  } else {
    findings.add(*entity.suspicions.declarator,
                 "entity '{name}' is defined together with something else; declare that apart from it",
                 "name"_a = entity.name);
  }
}

void no_default(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_transient() || property.has_initialiser || property.default_constructible) continue;
    findings.add(
        property.span,
        "transient member '{member}' has type '{type}', which cannot be constructed without arguments "
        "when a record is loaded; give it an initialiser",
        "member"_a = property.name, "type"_a = property.type.qualified);
  }
  for (const Name& base : entity.suspicions.bases_without_default) {
    findings.add(
        base.span,
        "base class '{base}' cannot be constructed without arguments when a record is loaded; give it "
        "a default constructor",
        "base"_a = base.name);
  }
}

void part_default(const Entity& part, Findings& findings) {
  if (part.default_constructible) return;
  const bool mapped = part.role == Role::kMapped;
  findings.add(
      part.span,
      "{role} class '{name}' has no default constructor, which a load needs; add one, which {access}",
      "role"_a = mapped ? "mapped" : "embedded", "name"_a = part.name,
      "access"_a = mapped ? "may be protected" : "must be public");
}

void not_movable(const Entity& entity, Findings& findings) {
  for (const Obstacle& obstacle : entity.suspicions.immovable) {
    findings.add(obstacle.span, "a load cannot return a '{name}' by value: {what}", "name"_a = entity.name,
                 "what"_a = obstacle.what);
  }
}

void copy_operation(const Entity& entity, Findings& findings) {
  for (const Name& operation : entity.suspicions.copy_operations) {
    findings.add(
        operation.span,
        "entity '{name}' copies or moves itself member by member, which leaves behind the version and "
        "the updates that are not saved yet; default it with '= default', or delete it",
        "name"_a = entity.name);
  }
}

void decomposition(const Entity& entity, Findings& findings) {
  for (const Span& span : entity.suspicions.decompositions) {
    findings.add(span,
                 "this structured binding takes a '{name}' apart, whose companion class has one more member; "
                 "name the members that are wanted",
                 "name"_a = entity.name);
  }
}

void forward_declaration(const Model& model, Findings& findings) {
  for (const SourceFile& file : model.files) {
    if (file.is_input) continue;
    for (const Span& declaration : file.forward_declarations) {
      const std::string text = file.text.substr(declaration.begin, declaration.end - declaration.begin);
      findings.add(
          declaration,
          "'{text}' would declare another class than the one that is generated; give this file to the "
          "generator as well (HEADERS of autoshard_generate)",
          "text"_a = text);
    }
  }
}

constexpr std::string_view kState = "autoshard_";
constexpr std::string_view kShard = "Shard";

void check_name(std::string_view name, const Span& span, Findings& findings) {
  if (name != kState && name != kShard) return;
  findings.add(span, "'{name}' is the name of something that the companion class adds; rename this",
               "name"_a = name);
}

void check_names(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) check_name(property.name, property.span, findings);
  for (const Method& method : entity.methods) check_name(method.name, method.span, findings);
  for (const Name& other : entity.other_names) check_name(other.name, other.span, findings);
  for (const Method& method : entity.methods) {
    for (const Parameter& parameter : method.parameters) {
      if (method.is_shard_method() && parameter.name == kState) check_name(kState, method.span, findings);
    }
  }
  if (entity.name == kShard) check_name(entity.name, entity.span, findings);
}

/// Reports other uses of the names that the companion adds to the Shard. In bodies of the Shard, these names
/// mean the added members.
void check_notes(const Entity& entity, const Property& property, Findings& findings) {
  for (const std::string& name : notes_in_shard(entity, property)) {
    const auto check = [&](const std::string& taken, const Span& span) {
      if (taken != name) return;
      findings.add(
          span, "'{name}' is the name of something that the companion class adds for '{member}'; rename this",
          "name"_a = name, "member"_a = property.name);
    };
    for (const Property& other : entity.properties) check(other.name, other.span);
    for (const Name& other : entity.other_names) check(other.name, other.span);
    for (const Method& method : entity.methods) {
      check(method.name, method.span);
      if (!method.is_shard_write()) continue;
      for (const Parameter& parameter : method.parameters) check(parameter.name, method.span);
    }
  }
}

/// Reports a shard method with the name of a fold. In the Shard, the method would hide the fold.
void check_fold(const Entity& entity, const Property& property, Findings& findings) {
  const Argument* fold = shardable_argument(property, &Shardable::fold);
  if (!fold) return;
  const auto hides = [&](const Method& method) {
    return method.is_shard_method() && method.name == fold->value;
  };
  if (std::ranges::none_of(entity.methods, hides)) return;
  findings.add(
      fold->value_span,
      "'{fold}' is also the name of a shard method, which hides the fold in the shard; rename one of "
      "the two",
      "fold"_a = fold->value);
}

/// The nested Shard has the sharded members, the shard methods and, for each member, its fold.
void check_shard(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group()) continue;
    check_notes(entity, property, findings);
    check_fold(entity, property, findings);
    const std::string fold = fold_name(property);
    const auto check = [&](const std::string& taken, const Span& span, std::string_view thing) {
      if (taken != fold) return;
      findings.add(span, "'{fold}' is the name of the generated fold of '{member}'; rename this{thing}",
                   "fold"_a = fold, "member"_a = property.name, "thing"_a = thing);
    };
    for (const Method& method : entity.methods) {
      if (method.is_shard_method()) check(method.name, method.span, " shard method");
    }
    for (const Name& other : entity.other_names) check(other.name, other.span, "");
    for (const Property& other : entity.properties) {
      if (other.is_sharded()) check(other.name, other.span, " member");
    }
  }
}

void collision(const Entity& entity, Findings& findings) {
  check_names(entity, findings);
  check_shard(entity, findings);
  if (entity.suspicions.sharded_in_namespace) {
    findings.add(*entity.suspicions.sharded_in_namespace,
                 "'sharded' is the name of the namespace that the companion of '{name}' gets; rename this",
                 "name"_a = entity.name);
  }
}

constexpr Rule kClasses[] = {
    {.tag = "autoshard-declarator",
     .subject = Subject::kEntity,
     .summary = "An entity has a name, and its definition declares nothing else.",
     .reason =
         "The generator puts declarations between the closing brace of your class and the next one. If a "
         "variable is declared in the same statement, as in 'class Lamp {…} *lamp;', there is no place "
         "for them. Declare the variable in a statement of its own.",
     .find = declarator},
    {.tag = "autoshard-entity-abstract",
     .subject = Subject::kEntity,
     .summary = "An entity is not abstract.",
     .reason = "A load makes an object of the class and fills in its members. No object of an abstract class "
               "can exist. Mark the base class [[autoshard::mapped]] and the classes that derive from it as "
               "entities.",
     .find = entity_abstract},
    {.tag = "autoshard-base-members",
     .subject = Subject::kClass,
     .summary = "A base class that has data members is mapped and public.",
     .reason = "The record of an entity holds the members of the class and of its mapped base classes. The "
               "members of any other base class would be missing from the record: they would be lost without "
               "a word when an entity is saved and loaded.",
     .find = base_members},
    {.tag = "autoshard-no-id",
     .subject = Subject::kEntity,
     .summary = "An entity has an id.",
     .reason = "The id is the key under which the store keeps the entity: load, update and erase name an "
               "entity by it. Mark one member [[autoshard::id]], or several members, which then form a "
               "composite key in the order of their declarations.",
     .find = no_id},
    {.tag = "autoshard-kind",
     .subject = Subject::kEntity,
     .summary = "The kind of an entity is a string literal that is not empty.",
     .reason =
         "The kind is the name of the class in the store and part of every key. The generator writes it "
         "into generated code as it stands, so it must be the literal itself, not the name of a "
         "constant. Without an argument, the kind is the name of the class.",
     .find = kind},
    {.tag = "autoshard-same-kind",
     .subject = Subject::kModel,
     .summary = "No two entities have the same kind.",
     .reason =
         "The store tells the records of one class from those of another by their kind. Two classes of "
         "one kind, for example of the same name in two namespaces, would read and overwrite the records "
         "of each other.",
     .find_in_model = same_kind},
    {.tag = "autoshard-part-default",
     .subject = Subject::kPart,
     .summary = "A mapped or embedded class has a default constructor.",
     .reason =
         "A load first makes an object and then fills in its members from the record, so the object must "
         "exist before any value is known. The constructor of a mapped class may be protected, because "
         "only derived classes call it; that of an embedded class must be public.",
     .find = part_default},
    {.tag = "autoshard-no-default",
     .subject = Subject::kEntity,
     .summary = "Transient members and base classes of an entity can be made without arguments.",
     .reason =
         "No record holds the value of a transient member or of an unmapped base class. When an entity is "
         "loaded, they start with their initialiser or their default constructor. If there is neither, "
         "a load cannot make the entity.",
     .find = no_default},
    {.tag = "autoshard-not-movable",
     .subject = Subject::kEntity,
     .summary = "An entity can be moved, or at least copied, and destroyed.",
     .reason =
         "A load returns the entity by value: 'Question question = mapper.load<Question>(id);'. A member "
         "that can be neither moved nor copied, such as a std::mutex, makes that impossible. Hold such "
         "a member in a std::unique_ptr.",
     .find = not_movable},
    {.tag = "autoshard-copy-operation",
     .subject = Subject::kEntity,
     .summary = "Copy and move operations of an entity are defaulted or deleted.",
     .reason =
         "The companion class has one member more than your class: it holds the version that was loaded "
         "and the updates that are not saved yet. A copy constructor that lists the members does not "
         "know this one. A copy without it would look like a new entity, and its pending updates would "
         "be lost.",
     .find = copy_operation},
    {.tag = "autoshard-decomposition",
     .subject = Subject::kEntity,
     .summary = "No structured binding takes an entity apart.",
     .reason =
         "A structured binding needs exactly one name for each member. The companion class has one member "
         "more than your class, so the same line would not compile with the generated header.",
     .find = decomposition},
    {.tag = "autoshard-forward-declaration",
     .subject = Subject::kModel,
     .summary = "A file that declares an entity without defining it is given to the generator, too.",
     .reason =
         "The companion class is in an inline namespace, 'sharded'. A plain 'class Ferry;' in a file that "
         "the generator does not rewrite declares another class, outside of that namespace. The "
         "compiler would then find two classes of one name.",
     .find_in_model = forward_declaration},
    {.tag = "autoshard-collision",
     .subject = Subject::kEntity,
     .summary = "No name in the class is one that the companion class needs.",
     .reason =
         "The companion class adds a nested struct 'Shard', a member 'autoshard_', and a generated fold for "
         "each sharded member. It is in a namespace called 'sharded'. A name of yours that is the same "
         "would be hidden, or would not compile.",
     .find = collision},
};

}  // namespace

const RuleGroup kClassRules{"The class", kClasses};

}  // namespace autoshard::tool
