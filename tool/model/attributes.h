#pragma once

/// The attributes: one row each. Clang's registration and the rules about unknown, misspelt, missing,
/// misplaced, duplicate and contradictory annotations are loops over this table.

#include <span>
#include <string_view>
#include <vector>

#include "tool/model/annotation.h"

namespace autoshard::tool {

/// One argument of an attribute.
struct ArgumentSpec {
  enum class Kind {
    kExpression,  ///< any expression of C++
    kInteger,     ///< a constant expression of integers
    kShards,      ///< an integer, or `adaptive`
    kDuration,    ///< a whole number and its unit: `24h`
    kString,      ///< a string literal
    kName,        ///< an identifier that the attribute introduces
    kMember,      ///< a data member
    kWord,        ///< one of `words`
  };

  std::string_view name;  ///< empty for an argument without a name, as in `entity("Kind")`
  Kind kind = Kind::kExpression;
  bool required = false;
  std::string_view required_with{};  ///< required only where this argument is given, too
  std::string_view hint{};           ///< for a required argument: its meaning and an example
  std::span<const std::string_view> words{};
  bool repeatable = false;  ///< for an argument without a name: any number of them
};

/// What an attribute may stand on.
enum class Home { kClass, kMember, kMethod, kStaticMethod };

/// In which classes an attribute may stand: any of these, combined by `|`.
enum Roles : unsigned { kInEntity = 1, kInMapped = 2, kInEmbedded = 4 };

/// One attribute.
struct AttributeSpec {
  std::string_view name;  ///< without the scope: `shardable`
  Home home;
  std::string_view home_text;  ///< the place where it belongs, for messages
  unsigned roles = kInEntity;
  std::span<const ArgumentSpec> arguments{};
  std::span<const std::string_view> excludes{};  ///< attributes that cannot stand beside it
  bool repeatable = false;
  std::string_view summary;  ///< one sentence

  /// The argument of this name; null if there is none.
  const ArgumentSpec* argument(std::string_view argument_name) const;

  /// The names of the arguments that have one.
  std::vector<std::string_view> argument_names() const;

  /// The argument that has no name; null if there is none.
  const ArgumentSpec* unnamed_argument() const { return argument(""); }
};

/// Every attribute.
std::span<const AttributeSpec> attributes();

/// The attribute of this name; null if there is none.
const AttributeSpec* find_attribute(std::string_view name);

/// The names of all attributes.
std::vector<std::string_view> attribute_names();

/// The argument of `annotation` that `argument` is; null where the attribute has no such argument.
const ArgumentSpec* spec_of(const Annotation& annotation, const Argument& argument);

}  // namespace autoshard::tool
