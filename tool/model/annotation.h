#pragma once

/// Annotations as they are written, and where they stand.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  /// It makes a line shorter with which further lines of the same declaration are aligned.
  bool shifts_lines = false;
};

/// What an argument such as `24h` says.
struct Duration {
  enum class Problem {
    kNone,
    kNoDuration,  ///< something else than a whole number with a unit
    kNoUnit,
    kUnknownUnit,
    kNotPositive,
    kTooLong,  ///< more than a hundred years
  };

  Problem problem = Problem::kNone;
  std::int64_t seconds = 0;  ///< where there is no problem
  std::string unit{};        ///< as it is written
};

/// `name = value` inside an annotation; `name` is empty for a bare value, as in `entity("Kind")`.
struct Argument {
  std::string name;
  std::string value;  ///< the expression as written, macros expanded, comments gone
  Span span;
  Span name_span;  ///< empty where there is no name
  Span value_span;
  std::optional<std::int64_t> number;  ///< its value, where that is an integer, or a duration in seconds
  std::optional<std::string> text;     ///< its value, where that is a string literal
  std::optional<Duration> duration;    ///< of an argument that is meant to be one
  std::string problem;  ///< the compiler's error where a number is meant and the value does not compile
  std::vector<Argument> arguments;  ///< of a value such as `adaptive(1, 64)`: what the parentheses hold
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

/// A name of something that is neither property nor method, and where it stands.
struct Name {
  std::string name;
  Span span;
};

}  // namespace autoshard::tool
