#pragma once

/// What the generator knows of the annotated classes, as plain values. The frontend fills it from Clang's
/// AST; checks, rewrite and emit read it and the files' text, and never see a Clang type.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/annotation.h"
#include "tool/model/method.h"
#include "tool/model/type.h"

namespace autoshard::tool {

/// How a sharded property is kept, once its annotation has been understood.
struct Sharding {
  enum class Kind {
    kStatic,
    kDynamic,   ///< each update is a record of its own, until compaction
    kAdaptive,  ///< the number of shards follows the load
    kGroup,     ///< each element of a container is a record of its own, in one of several groups
  };
  /// What a fold does with two integers.
  enum class Fold { kOther, kSum, kMinimum, kMaximum };

  std::string neutral;  ///< expression, valid in the class, like those below
  /// The value of `neutral` in an integer or bitset, modulo 2^64, if it is known.
  std::optional<std::int64_t> neutral_value;
  bool neutral_is_list = false;   ///< it is a list in braces
  bool neutral_is_empty = false;  ///< it is made without arguments: `{}`, `Names()`
  Kind kind = Kind::kStatic;
  std::uint32_t least = 0;    ///< number of shards, where it is adaptive
  std::uint32_t shards = 0;   ///< the number of shards, the most of adaptive ones, or of groups; 0 if dynamic
  std::string minimum;        ///< of the whole value; empty where it has no such bound
  std::string maximum;        ///< of the whole value; empty where it has no such bound
  std::uint32_t last = 0;     ///< seconds that a window covers; 0: the value is that of all time
  std::uint32_t bucket = 0;   ///< seconds; `last` is a multiple of it
  std::string fold;           ///< what to call with two values: `Question::foldVotes`; empty for a group
  std::string infix;          ///< `+`, where `fold` is `std::plus<>{}`, and so on
  bool is_lambda = false;     ///< `fold` is a lambda in parentheses
  bool needs_invoke = false;  ///< `fold` cannot stand in front of an argument list
  bool takes_rvalues = false;        ///< the fold has a parameter that is an rvalue reference
  bool uses_std = false;             ///< `neutral` or `fold` names something of namespace std
  std::set<std::string> fold_names;  ///< the identifiers in `fold`
  bool any_order = false;            ///< of a sequence: which elements it has matters, not their order
  /// What the fold is; nothing where that is not known.
  std::optional<Operation> operation;
  Constants constants;                   ///< of an expression `fold`
  std::vector<Escape> effects;           ///< of the expressions `fold` and `neutral`
  std::vector<UnseenCall> unseen_calls;  ///< of the expressions `fold` and `neutral`
  std::vector<Escape> fold_throws;       ///< of an expression `fold`
  std::optional<Escape> mixed_keys;      ///< of the fold, see Method::mixed_keys
  /// The operation that a store may do in place of the fold. The traits depend on it, so all translation
  /// units must agree: it is kOther if some of them do not see the body of the fold.
  Fold known_fold = Fold::kOther;

  bool is_bounded() const { return !minimum.empty() || !maximum.empty(); }
  bool is_window() const { return last != 0; }
};

/// Whether the value of an argument `shards` is `adaptive`, with limits or without.
bool is_adaptive(const Argument& shards);

/// The value that the class or a constructor gives a member at first.
struct InitialValue {
  std::int64_t number = 0;
  Span span;
};

/// A non-static data member.
struct Property {
  std::string name;         ///< `votes_`
  std::string stored_name;  ///< `votes`: its name in the record
  Span span;                ///< of the name
  Span declaration;         ///< from the first token to the `;`, with other members declared there
  Access access = Access::kPublic;
  Type type;
  std::string type_text;  ///< as written in the class
  bool has_initialiser = false;
  std::vector<InitialValue> initial_values;  ///< what it begins with, as far as these are integers known here
  bool begins_with_any = false;              ///< a constructor gives it a value that is not constant
  bool default_constructible = true;         ///< its type, by the entity
  bool is_const = false;
  bool is_reference = false;
  std::vector<Annotation> annotations;
  PropertyMarks marks;
  std::string owner;  ///< the mapped base class that it is a member of, as Type::global; empty for the entity
  std::vector<Name> former_names;  ///< in the record, as `also_load` has them
  std::optional<Sharding> sharding;

  const Annotation* annotation(std::string_view annotation_name) const;
  bool is_id() const { return marks.id.has_value(); }
  bool is_transient() const { return marks.transient.has_value(); }
  bool is_sharded() const { return marks.shardable || is_group(); }
  bool is_group() const { return marks.group.has_value(); }
  bool is_indexed() const { return marks.index.has_value(); }
  bool is_unique() const { return is_indexed() && marks.index->is_unique; }
  bool has_elements_index() const { return is_indexed() && marks.index->is_of_elements; }
};

/// An index that a `sharded_index` on the class declares.
struct ShardedIndex {
  std::string name;  ///< `ByCompany`; empty where what is given is no name
  Span span;         ///< of the name, or of the annotation where there is none
  std::vector<Name> key;
  std::vector<Name> order;
  std::uint32_t shards = 0;
  bool is_named = false;    ///< its argument `name` is given
  bool from_macro = false;  ///< as Annotation::from_macro
};

/// Where a class stands that is marked as an entity.
enum class Place {
  kNamespace,
  kUnnamedNamespace,
  kIncluded,  ///< in a file that is included inside of a namespace
  kClass,
  kFunction,
  kTemplate
};

/// A class or function that the entity calls its friend by a name without a namespace. In the inline
/// namespace of the companion, that would be another one.
struct Friend {
  Span name;
  std::string qualified_name;  ///< to be written there: `::q::Admin`, `(::q::peek)`
  std::string declaration;     ///< so that it is known before: `class Admin;`
  bool is_function = false;    ///< may need the entity to be declared
};

/// What stands around an entity in its file. Its traits are specialised outside of all namespaces, and before
/// anything that uses them.
struct Surroundings {
  std::vector<std::string> namespaces;  ///< what opens them, outermost first: `inline namespace a::b`
  /// Offset behind the closing brace of the outermost one, and behind a comment that ends its line.
  std::uint32_t namespaces_end = 0;
  std::optional<std::uint32_t>
      next_use;  ///< offset of the first declaration behind the entity that could use it
};

/// A sharded member that may be changed outside the entity's own methods.
struct ForeignWrite {
  std::string by;  ///< `friend function 'hack'`
  MemberUse use;
};

/// Something about a class that forbids a use of it.
struct Obstacle {
  std::string what;  ///< "its member `mutex_` cannot be moved"
  Span span;
};

/// What may forbid that a class is an entity. Only rules, and the advice that foresees them, read it.
struct Suspicions {
  bool is_union = false;
  bool is_abstract = false;
  std::vector<Name> bases_with_members;     ///< base classes that are not mapped
  std::vector<Name> bases_without_default;  ///< base classes that cannot be constructed without arguments
  std::vector<ForeignWrite> foreign_writes;
  std::vector<Name> copy_operations;  ///< written by the user: constructors and assignments, from another one
  std::vector<Obstacle> immovable;    ///< why one cannot be returned; of entities
  std::vector<Span> decompositions;   ///< structured bindings of one, in any function
  std::optional<Span> declarator;     ///< of a variable that is declared with the class
  /// What is named `sharded` beside the entity and is no generated namespace.
  std::optional<Span> sharded_in_namespace;
};

/// What a class is marked as.
enum class Role {
  kEntity,
  kMapped,    ///< a base class of entities, which its members belong to
  kEmbedded,  ///< the type of properties, whose members need not be public
};

/// An annotated class; what only entities have is empty in the others.
struct Entity {
  Role role = Role::kEntity;
  std::string name;            ///< `Question`
  std::string qualified_name;  ///< `moderator::Question`
  std::string kind;            ///< its name in the store
  Place place = Place::kNamespace;
  Span span;  ///< of the name
  Span key;   ///< the word `class` or `struct`
  /// From the first token, or its documentation comment, to the `;`, or to a comment that ends the line.
  Span definition;
  Surroundings surroundings;   ///< of entities
  std::uint32_t body_end = 0;  ///< offset of the closing brace
  bool is_annotated = false;   ///< false of candidates
  std::vector<Annotation> annotations;
  std::vector<ShardedIndex> sharded_indexes;
  std::vector<Property> properties;       ///< in declaration order
  std::vector<Property> inherited;        ///< those of mapped base classes, at any depth
  std::vector<std::string> mapped_bases;  ///< the direct ones, as they are written
  std::vector<Method> methods;
  std::vector<Name> other_names;  ///< nested types, static members, enumerators: for collisions
  std::vector<Friend> friends;
  Suspicions suspicions;
  bool from_macro = false;     ///< the class itself, not only its attributes
  bool is_aggregate = false;   ///< initialised by braces: gets no constructor
  bool is_deprecated = false;  ///< or one of its members
  bool default_constructible =
      true;  ///< of an embedded class: everywhere; of a mapped one: by its derived classes; true of entities
  bool has_implicit_default_constructor = false;

  const Annotation* annotation(std::string_view annotation_name) const;
  const Property* property(std::string_view member_name) const;
  const Property* any_property(std::string_view member_name) const;  ///< or an inherited one
  std::vector<const Property*> all_properties() const;               ///< first the inherited ones
  bool is_sharded() const;
  /// Whether its `Shard` is copied bit by bit, and so can occur in a constant expression.
  bool has_trivial_shard() const;
};

/// The static methods marked as a fold of `property`: those that name it, or else those that name no member
/// and take values of its type. There is one if the annotations are right.
std::vector<const Method*> folds_of(const Entity& entity, const Property& property);

/// The sharded members that `write`, a shard_write, gives new values by itself, not through what it calls.
std::vector<const Property*> replaced_by(const Entity& entity, const Method& write);

/// Whether a shard_write may replace the value of `property`. The members of a `Shard` depend on it, so all
/// translation units must agree: it does not depend on the bodies that a unit sees.
bool is_replaceable(const Entity& entity, const Property& property);

/// The class that two parameters and the result of `method` share, or null where they differ.
const Type* folded_type(const Method& method);

/// Every struct that occurs in the properties of `entity`, once, inner ones first.
std::vector<const Type*> structs_of(const Entity& entity);

/// An annotation that belongs to no entity, or stands where it means nothing.
struct StrayAnnotation {
  Annotation annotation;
  std::string on;             ///< what it stands on: "a function", "a member of a class that is no entity"
  std::optional<Name> owner;  ///< that class, where it is one
  bool known = true;          ///< false: there is no attribute of this name
};

/// What the rewritten text of a file is for.
enum class Form {
  kGenerated,        ///< a file of its own
  kIncludedInPlace,  ///< the compiler reads it instead of the file, where that is included
  kMainInPlace,      ///< the compiler reads it instead of the file, which is what it was asked to compile
};

/// A header or source given to the generator.
struct SourceFile {
  std::string path;        ///< as it was given
  std::string text;        ///< its bytes
  bool is_input = false;   ///< is to be rewritten (others only carry diagnostics)
  bool is_source = false;  ///< is compiled by itself, not included
  Form form = Form::kGenerated;
  std::vector<Edit> attribute_edits;       ///< take every `autoshard::` attribute out, macros too
  std::vector<Edit> include_edits;         ///< lead from annotated headers to their generated forms
  std::vector<Span> forward_declarations;  ///< of entities: `class Question;`
  std::vector<Span> pragma_once;
  std::vector<Span> directives;  ///< each `#include` and `#pragma` that was read
  std::set<std::string> macros;  ///< that it defines
  /// What `#if` left out, without the directives, inside an entity or a method of one, or where it defines
  /// one.
  std::vector<Span> skipped;

  bool is_in_place() const { return form != Form::kGenerated; }
};

struct Model {
  std::vector<SourceFile> files;
  std::vector<Entity> entities;
  std::vector<Entity> parts;       ///< the mapped and embedded classes
  std::vector<Entity> candidates;  ///< other classes with private members, where they are asked for
  std::vector<StrayAnnotation> strays;
};

/// Every type that occurs in sharded members and in what shard methods take, as types_in() gives them.
std::vector<const Type*> types_of_updates(const Entity& entity);
std::vector<const Type*> types_of_updates(const Model& model);

/// The name in the record of a member: without the prefix or suffix that marks it as a member.
std::string stored_name(std::string_view member);

/// Whether `use`, one of the method's, is a part of one of its updates.
bool belongs_to_update(const Method& method, const MemberUse& use);

/// What tells `method` from every other one, in every run.
std::string method_key(const Method& method);

/// `model` with only those entities that its source defines, or defines a method of; null where no source was
/// read.
std::unique_ptr<const Model> part_of_source(const Model& model);

/// By their keys, the methods outside of their classes that the entities of `model` have, and the functions
/// that these, or others of their methods, call.
std::set<std::string> defined_outside(const Model& model);

/// The name of the generated form of a header or source: `folder/question.autoshard.h`.
std::string generated_name(std::string_view header);

/// The header of which `name` names the generated form; empty where it names none.
std::string original_name(std::string_view name);

}  // namespace autoshard::tool
