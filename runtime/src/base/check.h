#pragma once

#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

/// Checks of what the runtime itself must never get wrong.
///
/// A check states an invariant or a precondition. It is for errors of this library only: bad input of users
/// and damaged bytes of a store throw the documented errors and never fail a check. What is stored is checked
/// in pairs, by two pieces of code that share nothing: an encoder reads back what it has written, and the
/// store of each mapper is a `CheckedStore`, which parses every write anew and compares it with what its
/// transaction has read.
///
/// Checks are on where `AUTOSHARD_CHECKS` is defined: in Debug builds, under sanitizers, and in the
/// simulation. Elsewhere they are compiled, so that they stay correct, but generate no code. No installed
/// header includes this one: a program and the library may differ in the macro.
namespace autoshard::detail {

#ifdef AUTOSHARD_CHECKS
inline constexpr bool kChecks = true;
#else
inline constexpr bool kChecks = false;
#endif

#ifdef AUTOSHARD_CHECKS_MAY_BE_IGNORED
extern bool ignores_failed_checks;  ///< of the simulation, where its own rules must find a planted bug
#else
inline constexpr bool ignores_failed_checks = false;
#endif

/// A value that the message of a failed check shows. Bytes that are not printable are shown as `\xNN`.
struct ShownValue {
  template <class T>
  requires std::is_arithmetic_v<T> ShownValue(std::string_view its_name, T value)
      : name(its_name), text(std::to_string(value)) {}
  ShownValue(std::string_view its_name, std::string_view value);
  template <class T>
  requires requires(const T& value) { value.bytes(); }
  ShownValue(std::string_view its_name, const T& value)
      : ShownValue(its_name, std::string_view(value.bytes())) {}

  std::string_view name;
  std::string text;
};

/// Writes the expression, its place and the values to stderr, and aborts.
[[noreturn]] void fail_check(const char* expression, const std::source_location& place,
                             std::initializer_list<ShownValue> values) noexcept;

}  // namespace autoshard::detail

/// Aborts if the condition is false. Values to show follow: `AUTOSHARD_CHECK(a < b, {"a", a}, {"b", b})`. The
/// condition must have no side effect. A condition with a comma needs parentheses.
#define AUTOSHARD_CHECK(condition, ...)                                                              \
  do {                                                                                               \
    if (::autoshard::detail::kChecks && !(condition) && !::autoshard::detail::ignores_failed_checks) \
      ::autoshard::detail::fail_check(#condition, std::source_location::current(), {__VA_ARGS__});   \
  } while (false)
