#include "tool/check/folding.h"

#include <algorithm>

#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// A value that is folded: a member or a field of one.
struct Value {
  const Type& type;
  const std::string& type_name;
};

using Found = std::variant<Folding, std::string>;

constexpr const char* kRounding = "the last digits, which rounding makes depend on the order";

bool is_unsigned(const Type& type) { return type.kind == TypeKind::kInteger && !type.is_signed; }
bool is_number(const Type& type) {
  return type.kind == TypeKind::kInteger || type.kind == TypeKind::kFloating;
}
bool is_set(const Type& type) { return type.kind == TypeKind::kSet || type.kind == TypeKind::kUnorderedSet; }

std::string not_known(const Value& value) {
  return "nothing is known of how values of type " + quoted(value.type.qualified) + " take it";
}

Found sum(const Value& value) {
  const Type& type = value.type;
  if (type.kind == TypeKind::kString) return "texts are appended in an order";
  if (!is_number(type) && type.kind != TypeKind::kDuration) return not_known(value);
  return Folding{.noun = "a sum",
                 .reason = "a sum is the same in any order",
                 .neutral = type.kind == TypeKind::kDuration ? "{}" : "0",
                 .fold = "std::plus<>{}",
                 .gives_up = type.kind == TypeKind::kFloating ? kRounding : ""};
}

/// Rejects signed integers: a product may overflow in one shard while another shard holds a factor of zero.
/// Rejects small unsigned integers, too: they are multiplied as `int`.
Found product(const Value& value) {
  const Type& type = value.type;
  const bool wraps = is_unsigned(type) && !type.promotes_to_int;
  if (type.kind == TypeKind::kInteger && !wraps)
    return "a product of integers may overflow in one shard though the whole does not";
  if (!is_number(type)) return not_known(value);
  return Folding{.noun = "a product",
                 .reason = "a product is the same in any order",
                 .neutral = "1",
                 .fold = "std::multiplies<>{}",
                 .gives_up = type.kind == TypeKind::kFloating ? kRounding : ""};
}

/// The value that loses every comparison; empty if the type has none.
std::string bottom(const Value& value, bool of_maximum) {
  const std::string& name = value.type_name;
  const std::string limits = "std::numeric_limits<" + name + ">::";
  switch (value.type.kind) {
    case TypeKind::kBool:
      return of_maximum ? "false" : "true";
    case TypeKind::kInteger:
      if (of_maximum && is_unsigned(value.type)) return "0";
      return limits + (of_maximum ? "min()" : "max()");
    case TypeKind::kFloating:
      return (of_maximum ? "-" : "") + limits + "infinity()";
    case TypeKind::kDuration:
    case TypeKind::kTimePoint:
      return name + (of_maximum ? "::min()" : "::max()");
    case TypeKind::kString:
      return of_maximum ? "{}" : "";
    case TypeKind::kEnum: {
      const std::vector<std::string>& all = value.type.enumerators;
      // Assumes that the enumerators are declared in their order. The check of the laws finds a wrong
      // assumption.
      return all.empty() ? "" : (of_maximum ? all.front() : all.back());
    }
    default:
      return "";
  }
}

Found extreme(const Value& value, bool is_maximum) {
  const std::string neutral = bottom(value, is_maximum);
  if (neutral.empty()) {
    const std::string which = is_maximum ? "least" : "greatest";
    return value.type.kind == TypeKind::kString ? "there is no " + which + " string to be neutral"
                                                : not_known(value);
  }
  const std::string parameters =
      value.type.trivially_copyable ? "(auto x, auto y)" : "(const auto& x, const auto& y)";
  return Folding{
      .noun = is_maximum ? "a maximum" : "a minimum",
      .reason = std::string("the ") + (is_maximum ? "greatest" : "least") + " value is the same in any order",
      .neutral = neutral,
      .fold = "[]" + parameters + " { return " + (is_maximum ? "x < y" : "y < x") + " ? y : x; }",
      .gives_up = ""};
}

Found bits(const Value& value, Operation operation) {
  const bool is_bool = value.type.kind == TypeKind::kBool;
  const bool is_bitset = value.type.kind == TypeKind::kBitset;
  if (value.type.kind != TypeKind::kInteger && !is_bool && !is_bitset) return not_known(value);
  const std::string ones = is_bool     ? "true"
                           : is_bitset ? "~" + value.type_name + "{}"
                                       : "static_cast<" + value.type_name + ">(-1)";
  const std::string zeros = is_bool ? "false" : "0";
  Folding folding{.noun = "a set of flags",
                  .reason = "each bit comes to the same in any order",
                  .neutral = zeros,
                  .fold = operation == Operation::kBitOr ? "std::bit_or<>{}" : "std::bit_xor<>{}",
                  .gives_up = ""};
  if (operation == Operation::kBitAnd) {
    folding.noun = "a mask";
    folding.neutral = ones;
    folding.fold = "std::bit_and<>{}";
  }
  return folding;
}

Found growing_set(const Value& value) {
  if (is_map(value.type)) return "what a map has for a key stays, so the first one wins";
  if (!is_set(value.type)) return not_known(value);
  return Folding{.noun = "a set that only grows",
                 .reason = "a union is the same in any order",
                 .neutral = "{}",
                 .fold = "[](auto x, const auto& y) { x.insert(y.begin(), y.end()); return x; }",
                 .gives_up = ""};
}

Found appended(const Value& value) {
  if (!is_sequence(value.type)) return not_known(value);
  return Folding{.noun = "a list that only grows",
                 .reason = "the same elements are there in the end, though in another order",
                 .neutral = "{}",
                 .fold = "[](auto x, const auto& y) { x.insert(x.end(), y.begin(), y.end()); return x; }",
                 .any_order = true,
                 .gives_up = "the order of its elements"};
}

/// The statement that adds `from` to `into`, or sets or flips its bits.
std::string combining(const Type& type, std::string_view sign, const std::string& into,
                      const std::string& from) {
  if (type.kind == TypeKind::kBool)
    return into + " = " + into + (sign == "|" ? " || " : sign == "&" ? " && " : " != ") + from + ";";
  if (!type.promotes_to_int) return into + " " + std::string(sign) + "= " + from + ";";
  return into + " = static_cast<" + type.qualified + ">(" + into + " " + std::string(sign) + " " + from +
         ");";
}

/// Whether values of a map can be folded key by key. The map makes the value of a new key with the default
/// constructor, so this value must be neutral.
bool may_be_folded_by_key(const Type& value, Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return is_number(value) || value.kind == TypeKind::kDuration;
    case Operation::kBitOr:
    case Operation::kBitXor:
      return value.kind == TypeKind::kInteger;
    case Operation::kInsert:
      return is_set(value);
    default:
      return false;
  }
}

Found by_key(const Type& type, Operation operation) {
  if (is_sequence(type)) return "its shards would have no elements to update";
  const bool has_values = is_map(type) || type.kind == TypeKind::kArray;
  if (!has_values || !may_be_folded_by_key(type.arguments.back(), operation))
    return not_known({type, type.qualified});
  const std::string parts = operation == Operation::kAdd      ? "sums"
                            : operation == Operation::kInsert ? "sets that only grow"
                                                              : "sets of flags";
  const bool is_real = type.arguments.back().kind == TypeKind::kFloating;
  return Folding{.noun = (is_map(type) ? "a map of " : "an array of ") + parts,
                 .reason = "each of its values comes to the same in any order",
                 .neutral = "{}",
                 .fold = "[](auto x, const auto& y) { " + folding_statement(type, operation, true, "x", "y") +
                         " return x; }",
                 .gives_up = is_real ? kRounding : ""};
}

}  // namespace

std::variant<Folding, std::string> folding_of(const Type& type, const std::string& type_name,
                                              Operation operation, bool is_by_key) {
  if (type.kind == TypeKind::kUnsupported)
    return "its type " + quoted(type.qualified) + " cannot be stored: " + type.unsupported_reason;
  if (is_by_key) return by_key(type, operation);
  const Value value{type, type_name};
  switch (operation) {
    case Operation::kAdd:
      return sum(value);
    case Operation::kMultiply:
      return product(value);
    case Operation::kMaximum:
    case Operation::kMinimum:
      return extreme(value, operation == Operation::kMaximum);
    case Operation::kBitOr:
    case Operation::kBitAnd:
    case Operation::kBitXor:
      return bits(value, operation);
    case Operation::kInsert:
      return growing_set(value);
    case Operation::kAppend:
    case Operation::kPrepend:
      return appended(value);
    case Operation::kPut:
      return "of what is put under one key, the last one wins";
  }
  return not_known(value);
}

std::string folding_statement(const Type& type, Operation operation, bool is_by_key, const std::string& into,
                              const std::string& from) {
  if (is_by_key) {
    const Type& value = type.arguments.back();
    if (is_map(type))
      return "for (const auto& [key, value] : " + from + ") " +
             folding_statement(value, operation, false, into + "[key]", "value");
    return "for (auto i = " + into + ".size(); i-- > 0;) " +
           folding_statement(value, operation, false, into + "[i]", from + "[i]");
  }
  switch (operation) {
    case Operation::kAdd:
      return combining(type, "+", into, from);
    case Operation::kMultiply:
      return combining(type, "*", into, from);
    case Operation::kMaximum:
      return "if (" + into + " < " + from + ") " + into + " = " + from + ";";
    case Operation::kMinimum:
      return "if (" + from + " < " + into + ") " + into + " = " + from + ";";
    case Operation::kBitOr:
      return combining(type, "|", into, from);
    case Operation::kBitAnd:
      return combining(type, "&", into, from);
    case Operation::kBitXor:
      return combining(type, "^", into, from);
    case Operation::kInsert:
      return into + ".insert(" + from + ".begin(), " + from + ".end());";
    case Operation::kAppend:
    case Operation::kPrepend:
      return into + ".insert(" + into + ".end(), " + from + ".begin(), " + from + ".end());";
    case Operation::kPut:
      break;  // it has no folding
  }
  return {};
}

}  // namespace autoshard::tool
