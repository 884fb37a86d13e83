#include "tool/emit/names.h"

#include <algorithm>

#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

/// Types that <cstdint> and <cstddef> promise only in namespace std.
constexpr std::string_view kOfStandard[] = {"int8_t",   "int16_t",   "int32_t",  "int64_t",
                                            "uint8_t",  "uint16_t",  "uint32_t", "uint64_t",
                                            "intmax_t", "uintmax_t", "size_t",   "ptrdiff_t"};

/// Names that no member of the struct `Fields` may have: its own name, keywords of C++20, and macros of
/// system headers or of the compiler.
constexpr std::string_view kTaken[] = {"Fields",        "Entity",      "field",
                                       "errno",         "linux",       "unix",
                                       "alignas",       "alignof",     "and",
                                       "and_eq",        "asm",         "auto",
                                       "bitand",        "bitor",       "bool",
                                       "break",         "case",        "catch",
                                       "char",          "char16_t",    "char32_t",
                                       "char8_t",       "class",       "co_await",
                                       "co_return",     "co_yield",    "compl",
                                       "concept",       "const",       "const_cast",
                                       "consteval",     "constexpr",   "constinit",
                                       "continue",      "decltype",    "default",
                                       "delete",        "do",          "double",
                                       "dynamic_cast",  "else",        "enum",
                                       "explicit",      "export",      "extern",
                                       "false",         "float",       "for",
                                       "friend",        "goto",        "if",
                                       "inline",        "int",         "long",
                                       "mutable",       "namespace",   "new",
                                       "noexcept",      "not",         "not_eq",
                                       "nullptr",       "operator",    "or",
                                       "or_eq",         "private",     "protected",
                                       "public",        "register",    "reinterpret_cast",
                                       "requires",      "return",      "short",
                                       "signed",        "sizeof",      "static",
                                       "static_assert", "static_cast", "struct",
                                       "switch",        "template",    "this",
                                       "thread_local",  "throw",       "true",
                                       "try",           "typedef",     "typeid",
                                       "typename",      "union",       "unsigned",
                                       "using",         "virtual",     "void",
                                       "volatile",      "wchar_t",     "while",
                                       "xor",           "xor_eq"};

}  // namespace

std::string portable(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    const std::string_view word = word_at(name, at);
    const bool is_qualified = result.ends_with(':') || name.substr(at + word.size()).starts_with("::");
    if (!is_qualified && std::ranges::find(kOfStandard, word) != std::end(kOfStandard)) result += "std::";
    const std::size_t length = std::max<std::size_t>(word.size(), 1);
    result += name.substr(at, length);
    at += length;
  }
  return result;
}

std::string from_anywhere(const Type& type) { return portable(type.global); }

std::string pointer_to(const Property& property) {
  const std::string owner = property.owner.empty() ? "Entity" : portable(property.owner);
  return "&" + owner + "::" + property.name;
}

std::string name_of_field(const Property& property) {
  const std::string& name = property.stored_name;
  return std::ranges::find(kTaken, name) == std::end(kTaken) ? name : name + '_';
}

}  // namespace autoshard::tool
