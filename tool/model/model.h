#pragma once

/// What the generator knows of the annotated classes, as plain values. The frontend fills it from Clang's
/// AST; checks, rewrite and emit read it and the files' text, and never see a Clang type.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/type.h"

namespace autoshard::tool {

/// Half-open range of bytes in `Model::files[file].text`.
struct Span {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// Replaces the bytes of `span` by `text`.
struct Edit {
  Span span;
  std::string text;
};

/// The attributes that there are, without their scope `autoshard`.
inline constexpr std::string_view kAttributes[] = {"entity",      "id",         "shardable", "shard_method",
                                                   "shard_write", "shard_fold", "transient", "also_load",
                                                   "mapped",      "embedded"};

/// `name = value` inside an annotation; `name` is empty for a bare value, as in `entity("Kind")`.
struct Argument {
  std::string name;
  std::string value;  ///< the expression as written, macros expanded, comments gone
  Span span;
  Span name_span;  ///< empty where there is no name
  Span value_span;
  std::optional<std::int64_t> number;  ///< its value, where that is an integer that is known here
  std::vector<Argument> arguments;     ///< of a value such as `adaptive(1, 64)`: what the parentheses hold
};

/// One `autoshard::` attribute.
struct Annotation {
  std::string name;  ///< without the scope: `shardable`
  std::vector<Argument> arguments;
  Span span;
  Span name_span;
  bool from_macro = false;  ///< its spans are those of the macro invocation, so no fix-it can reach into it

  const Argument* argument(std::string_view argument_name) const;
};

enum class Access { kPublic, kProtected, kPrivate };

/// How a sharded property is kept, once its annotation has been understood.
struct Sharding {
  enum class Kind {
    kStatic,
    kDynamic,   ///< each update is a record of its own, until compaction
    kAdaptive,  ///< the number of shards follows the load
  };

  std::string neutral;  ///< expression, valid in the class, like those below
  Kind kind = Kind::kStatic;
  std::uint32_t least = 0;     ///< number of shards, where it is adaptive
  std::uint32_t shards = 0;    ///< how many there are, or may be; nothing where it is dynamic
  std::string minimum;         ///< of the whole value; empty where it has no such bound
  std::string maximum;         ///< likewise
  std::string fold;            ///< what to call with two values: `Question::foldVotes` or `std::plus<>{}`
  bool needs_invoke = false;   ///< `fold` cannot stand in front of an argument list
  bool takes_rvalues = false;  ///< the fold has a parameter that is an rvalue reference
  bool any_order = false;      ///< of a sequence: which elements it has matters, not their order

  bool is_bounded() const { return !minimum.empty() || !maximum.empty(); }
};

/// Whether the value of an argument `shards` is `adaptive`, with limits or without.
bool is_adaptive(const Argument& shards);

/// A name of something that is neither property nor method, and where it stands.
struct Name {
  std::string name;
  Span span;
};

/// A non-static data member.
struct Property {
  std::string name;         ///< `votes_`
  std::string stored_name;  ///< `votes`: its name in the record
  Span span;                ///< of the name
  Span declaration;         ///< from the first token to the `;`, with whatever else is declared there
  Access access = Access::kPublic;
  Type type;
  std::string type_text;  ///< as written in the class
  bool has_initialiser = false;
  bool default_constructible = true;  ///< its type, by the entity
  bool is_const = false;
  bool is_reference = false;
  std::vector<Annotation> annotations;
  std::string owner;  ///< the mapped base class that it is a member of; empty for the entity itself
  std::vector<Name> former_names;  ///< in the record, as `also_load` has them
  std::optional<Sharding> sharding;

  const Annotation* annotation(std::string_view annotation_name) const;
  bool is_id() const { return annotation("id") != nullptr; }
  bool is_transient() const { return annotation("transient") != nullptr; }
  bool is_sharded() const { return annotation("shardable") != nullptr; }
};

/// How a parameter is passed, which decides how the wrapper hands it to the two runs of a shard method.
enum class Passing { kValue, kConstReference, kReference, kRvalueReference };

struct Parameter {
  std::string name;     ///< invented where the user gave none
  std::string text;     ///< declaration without default argument: `const std::string& name`
  std::string written;  ///< the same as the user wrote it: without a name where there is none
  std::string default_argument;
  Passing passing = Passing::kValue;
  Type type;  ///< without reference
  bool copyable = true;
  bool shares_an_object = false;  ///< points to something that both runs may change
  bool is_function = false;       ///< or points or refers to one
};

/// What the result of a shard method is made of.
enum class Result {
  kNothing,
  kValue,
  kSelfReference,  ///< `return *this;` as Question&
  kSelfPointer,    ///< `return this;` as Question*
  kSelfValue,      ///< `return *this;` as Question
  kReference,      ///< a reference or pointer to anything else
};

/// A data member of the entity, used in a method's body.
struct MemberUse {
  std::string member;
  bool write = false;
  Span span;
};

/// Something in a method's body that a shard method must not do, said by what it is.
struct Escape {
  std::string what;  ///< "passes `this` on", "calls the plain method `votes`"
  Span span;
  std::string why{};  ///< it must not; empty: because of what a shard lacks
};

/// The ways to change a member that may come to the same in any order.
enum class Operation {
  kAdd,  ///< or subtract
  kMultiply,
  kMaximum,
  kMinimum,
  kBitOr,
  kBitAnd,
  kBitXor,
  kInsert,  ///< into a set
  kAppend,  ///< to a sequence, at either end
};

/// A statement that changes a data member in one of these ways.
struct Update {
  std::string member;
  Operation operation = Operation::kAdd;
  bool by_key = false;  ///< changes one value in the member, as in `hits_[page] += n`
  Span span;
  std::vector<Span>
      uses;  ///< those of the member that belong to it; any other use reads or writes for itself
};

struct Method {
  std::string name;
  std::string type;  ///< of `&Entity::name`, spelled for the global namespace: tells overloads apart
  Span span;         ///< of the name
  Access access = Access::kPublic;
  bool is_static = false;
  bool is_const = false;
  bool is_constructor = false;  ///< or destructor, or assignment: may set sharded members
  bool is_template = false;
  bool is_overridable = false;              ///< virtual, and not final
  bool is_noinline = false;                 ///< marked so for the compiler
  bool says_inline = false;                 ///< with that word
  std::optional<Span> constexpr_specifier;  ///< the word, where it is there
  bool has_body = false;                    ///< defined in the files given, inside the class or outside
  bool is_known = false;                    ///< defined somewhere in what was read, or defaulted, or deleted
  bool defined_elsewhere = false;           ///< in a source that is not among them
  bool from_macro = false;                  ///< its text comes out of a macro, at least in part
  Span declaration;  ///< from the first token after the attributes to the end of the body or the `;`
  Span body;  ///< `{ … }`, or `try { … } catch … { … }`; outside the class where it is defined there
  std::uint32_t statements_begin = 0;  ///< offset behind the first brace of the body
  /// At most one: the method as it is declared where it is defined outside the class.
  std::vector<Method> definition;
  std::string scope;            ///< there, what stands before its name: `moderator::Question`
  bool is_inline = false;       ///< may be defined in several translation units
  std::string return_type;      ///< as written: `void`
  bool deduced_result = false;  ///< the return type is known with the body only
  Type result_type;
  bool builtin_return_type = false;
  Result result = Result::kNothing;
  std::vector<Parameter> parameters;
  std::string qualifiers;  ///< what stands between `)` and the body, less override and final: `& noexcept`
  std::vector<MemberUse> uses;
  bool calls_shard_methods = false;  ///< on its own object
  std::vector<Escape> escapes;
  std::vector<Update> updates;  ///< filled for Model::candidates and entities when these are asked for
  std::vector<Escape> effects;  ///< likewise: what it may do beyond changing its object and its arguments
  std::vector<std::string>
      touches;  ///< sharded members it uses, itself or through shard methods that it calls
  std::vector<std::string> writes;  ///< those of them that it may change
  std::vector<Annotation> annotations;

  const Annotation* annotation(std::string_view annotation_name) const;
  /// Whether it is an update, of either kind.
  bool is_shard_method() const { return annotation("shard_method") != nullptr || is_shard_write(); }
  /// Whether it gives the whole value a new one, whatever that was before.
  bool is_shard_write() const { return annotation("shard_write") != nullptr; }
  bool is_shard_fold() const { return annotation("shard_fold") != nullptr; }
  bool is_defined_in_class() const { return has_body && definition.empty(); }
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
  std::uint32_t namespaces_end = 0;     ///< offset behind the closing brace of the outermost one
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
  Span span;                   ///< of the name
  Span key;                    ///< the word `class` or `struct`
  Span definition;             ///< from the first token, or its documentation comment, to the `;`
  Surroundings surroundings;   ///< of entities
  std::uint32_t body_end = 0;  ///< offset of the closing brace
  std::vector<Annotation> annotations;
  std::vector<Property> properties;       ///< in declaration order
  std::vector<Property> inherited;        ///< those of mapped base classes, at any depth
  std::vector<std::string> mapped_bases;  ///< the direct ones, as they are written
  std::vector<Method> methods;
  std::vector<Name> other_names;  ///< nested types, static members, enumerators: for collisions
  std::vector<Name> bases_with_members;
  std::vector<Friend> friends;
  std::vector<ForeignWrite> foreign_writes;
  std::vector<Name> copy_operations;  ///< written by the user: constructors and assignments, from another one
  std::vector<Obstacle> immovable;    ///< why one cannot be returned; of entities
  std::vector<Name> bases_without_default;  ///< base classes that cannot be constructed without arguments
  std::vector<Span> decompositions;         ///< structured bindings of one, in any function
  std::optional<Span> declarator;           ///< of a variable that is declared with the class
  std::optional<Span>
      sharded_in_namespace;  ///< what is named `sharded` beside the entity and no generated namespace
  bool is_union = false;
  bool is_abstract = false;
  bool from_macro = false;     ///< the class itself, not only its attributes
  bool is_aggregate = false;   ///< initialised by braces: gets no constructor
  bool is_deprecated = false;  ///< or one of its members
  bool default_constructible =
      true;  ///< an embedded class by anybody, a mapped one by its derived classes; not asked of entities
  bool has_implicit_default_constructor = false;

  const Annotation* annotation(std::string_view annotation_name) const;
  const Property* property(std::string_view member_name) const;
  std::vector<const Property*> all_properties() const;  ///< first the inherited ones
  bool is_sharded() const;
  /// Whether its `Shard` is copied bit by bit, and so can occur in a constant expression.
  bool has_trivial_shard() const;
};

/// The static methods marked as a fold that `property` may be folded with: those that name it, or else those
/// that name nobody and take values of its type. One, where the annotations are right.
std::vector<const Method*> folds_of(const Entity& entity, const Property& property);

/// The sharded members that `write`, a shard_write, gives new values by itself, not through what it calls.
std::vector<const Property*> replaced_by(const Entity& entity, const Method& write);

/// Whether a shard_write may replace the value of `property`. Every translation unit comes to the same,
/// whatever bodies it has: that decides what a `Shard` consists of.
bool is_replaceable(const Entity& entity, const Property& property);

/// The class that two parameters and the result of `method` share, or null where they differ.
const Type* folded_type(const Method& method);

/// Every structure among the properties of `entity`, likewise.
std::vector<const Type*> structs_of(const Entity& entity);

/// An annotation that belongs to no entity, or stands where it means nothing.
struct StrayAnnotation {
  Annotation annotation;
  std::string on;     ///< what it stands on: "a function", "a member of a class that is no entity"
  bool known = true;  ///< false: there is no attribute of this name
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

/// What tells `method` from every other one, in every run.
std::string method_key(const Method& method);

/// `model` with only those entities that the file `source` defines, or defines a method of.
Model part_defined_in(Model model, std::string_view source);

/// By their keys, the methods outside of their classes that the entities of `model` have.
std::set<std::string> defined_outside(const Model& model);

/// The name of the generated form of a header or source: `folder/question.autoshard.h`.
std::string generated_name(std::string_view header);

/// The model as JSON, stable from run to run and from machine to machine.
std::string dump(const Model& model);

}  // namespace autoshard::tool
