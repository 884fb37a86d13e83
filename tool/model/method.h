#pragma once

/// The methods of annotated classes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/annotation.h"
#include "tool/model/marks.h"
#include "tool/model/type.h"

namespace autoshard::tool {

enum class Access { kPublic, kProtected, kPrivate };

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
  bool is_volatile = false;       ///< or refers to what is
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
  bool of_another = false;  ///< of another object, neither local nor about to end
};

/// Something in a method's body that a shard method must not do, said by what it is.
struct Escape {
  std::string what;  ///< "passes `this` on", "calls the plain method `votes`"
  Span span;
  std::string why{};  ///< it must not; empty: because of what a shard lacks
};

/// Why it is not known what a call does.
enum class Unseen {
  kDeclared,    ///< the function is only declared
  kSkipped,     ///< the function is defined in a header whose bodies are not read
  kOverridden,  ///< the method is virtual, and a derived class may have another
  kPointer,     ///< a variable that the caller fills holds the function
};

/// A call of a function whose body was not read. Its other effects are unknown.
struct UnseenCall {
  std::string function{};  ///< `next_ticket`; of a pointer, what holds it
  std::string key{};       ///< tells it from every other function, in every run; empty of a pointer
  Span span{};             ///< of the call
  Span declared{};         ///< the name of the function, or of what holds it
  Unseen why = Unseen::kDeclared;
};

/// A value that a shard method hands to its caller and that depends on a sharded member.
struct Disclosure {
  std::string member;
  Span read;              ///< of the member
  Span span;              ///< the statement or expression that hands it out
  std::string parameter;  ///< by which; empty where it is returned
};

/// An end of a shard method, without its update, that depends on a sharded member.
struct DependentThrow {
  std::string member;
  Span read;         ///< of the member
  Span span;         ///< of what ends it
  std::string what;  ///< "throws", "calls 'check', which throws,"
};

/// Values that a body compares with, or hands on, as they are written in C++.
struct Constants {
  std::vector<std::string> numbers;  ///< `500`, `-0.5`
  std::vector<std::string> texts;    ///< `"reset"`
};

/// The changes of a member that may give the same value in any order.
enum class Operation {
  kAdd,  ///< or subtract
  kMultiply,
  kMaximum,
  kMinimum,
  kBitOr,
  kBitAnd,
  kBitXor,
  kInsert,  ///< into a set
  kAppend,  ///< to a sequence
  kPrepend,
  kPut,  ///< a value under a key of a map, in place of the old one
};

/// The value that an update brings in.
enum class Operand {
  kOther,      ///< any expression
  kConstant,   ///< an integer that the compiler knows
  kParameter,  ///< a parameter of the method
};

/// A statement that changes a data member in one of these ways.
struct Update {
  std::string member;
  std::string field;  ///< that it changes within a struct: `least`, or `east.least`; empty: the whole member
  Operation operation = Operation::kAdd;
  Operand operand = Operand::kOther;
  std::size_t parameter = 0;  ///< its position, where the operand is one
  bool by_key = false;        ///< changes one value in the member, as in `hits_[page] += n`
  Span span;
  std::vector<Span>
      uses;  ///< those of the member that belong to it; any other use reads or writes for itself
};

/// A method of an annotated class. The parts are in the order in which the stages need them: all of them look
/// at the declaration, emission repeats its words, rewriting moves the body, and rules and laws ask what that
/// does.
struct Method {
  // The declaration.
  std::string name;
  std::string type;  ///< of `&Entity::name`, spelled for the global namespace: tells overloads apart
  Span span;         ///< of the name
  Span declaration;  ///< from the first token after the attributes to the end of the body or the `;`
  std::vector<Annotation> annotations;
  MethodMarks marks;
  Access access = Access::kPublic;
  std::vector<Parameter> parameters;
  Type result_type;
  Result result = Result::kNothing;
  bool deduced_result = false;  ///< the return type is known with the body only
  bool is_static = false;
  bool is_for_rvalues = false;  ///< has the qualifier `&&`
  bool is_const = false;
  bool is_constructor = false;  ///< or destructor, or assignment: may set sharded members
  bool is_template = false;
  bool is_overridable = false;  ///< virtual, and not final
  bool is_inline = false;       ///< may be defined in several translation units
  bool from_macro = false;      ///< its text comes out of a macro, at least in part

  // Words that generated code repeats.
  std::string scope;                          ///< before its name, outside the class: `moderator::Question`
  std::string return_type;                    ///< as written: `void`
  bool trailing_return_type = false;          ///< written so: may speak of the parameters
  bool return_type_names_parameters = false;  ///< or `this`: `decltype(by)`
  bool builtin_return_type = false;
  std::string qualifiers;    ///< what stands between `)` and the body, less override and final: `& noexcept`
  bool is_noinline = false;  ///< marked so for the compiler
  bool says_inline = false;  ///< with that word
  std::optional<Span> constexpr_specifier;  ///< the word, where it is there

  // Where the body is.
  bool has_body = false;           ///< defined in the files given, inside the class or outside
  bool is_known = false;           ///< defined somewhere in what was read, or defaulted, or deleted
  bool defined_elsewhere = false;  ///< in a source that is not among them
  Span body;  ///< `{ … }`, or `try { … } catch … { … }`; outside the class where it is defined there
  std::uint32_t head_end = 0;          ///< offset behind the last token before the body, in the class
  std::uint32_t notes_end = 0;         ///< the same, or behind the last comment there
  std::uint32_t statements_begin = 0;  ///< offset behind the first brace of the body
  /// At most one: the method as it is declared where it is defined outside the class.
  std::vector<Method> definition;

  // What the body does.
  std::vector<MemberUse> uses;
  std::vector<std::string> touches;  ///< sharded members it uses, itself or through shard methods it calls
  std::vector<std::string> writes;   ///< those of them that it may change
  bool calls_shard_methods = false;  ///< on its own object
  std::vector<Escape> escapes;
  std::vector<Update> updates;        ///< of a shard method; of any where Model::candidates are asked for
  std::vector<Update> field_updates;  ///< where Model::candidates are asked for: those that change a field
  /// Whether the body is `updates`, one after the other, and nothing else.
  bool only_updates = false;
  /// Whether the body does nothing but give members values that are computed without any member.
  bool only_assigns = false;
  /// What the result of a fold is, out of its two parameters; nothing where that is not known.
  std::optional<Operation> fold_operation;
  /// What it may do beyond changing its object and its arguments. Known where `updates` are, and of folds.
  std::vector<Escape> effects;
  std::vector<UnseenCall> unseen_calls;  ///< of a shard method or a fold
  std::vector<Disclosure> disclosures;   ///< of a shard method
  std::vector<DependentThrow> throws;    ///< of a shard method
  std::vector<Escape> fold_throws;       ///< of a fold: it throws, or calls something that does
  /// Of a shard method or fold: where it may do to the element of one key of a set or map what depends on
  /// other keys.
  std::optional<Escape> mixed_keys;
  /// By UnseenCall::key, the functions it calls whose definitions were read.
  std::vector<std::string> seen_functions;
  Constants constants;  ///< of a shard method or fold

  const Annotation* annotation(std::string_view annotation_name) const;
  /// Whether it is an update, of either kind.
  bool is_shard_method() const { return marks.shard_method || is_shard_write(); }
  /// Whether it replaces the whole value, independently of the old one.
  bool is_shard_write() const { return marks.shard_write.has_value(); }
  bool is_shard_fold() const { return marks.fold.has_value(); }
  bool is_defined_in_class() const { return has_body && definition.empty(); }
};

}  // namespace autoshard::tool
