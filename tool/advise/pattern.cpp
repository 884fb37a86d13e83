#include "tool/advise/pattern.h"

#include <algorithm>

#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

using Found = std::variant<Pattern, std::string>;

constexpr const char* kRounding = "the last digits, which rounding makes depend on the order";

bool is_unsigned(const Type& type) { return type.kind == TypeKind::kInteger && !type.is_signed; }
bool is_number(const Type& type) {
  return type.kind == TypeKind::kInteger || type.kind == TypeKind::kFloating;
}
bool is_set(const Type& type) { return type.kind == TypeKind::kSet || type.kind == TypeKind::kUnorderedSet; }

std::string not_known(const Property& property) {
  return "nothing is known of how values of type " + quoted(property.type.qualified) + " take it";
}

Found sum(const Property& property) {
  const Type& type = property.type;
  if (type.kind == TypeKind::kString) return "texts are appended in an order";
  if (!is_number(type) && type.kind != TypeKind::kDuration) return not_known(property);
  return Pattern{.noun = "a sum",
                 .reason = "a sum is the same in any order",
                 .neutral = type.kind == TypeKind::kDuration ? "{}" : "0",
                 .fold = "std::plus<>{}",
                 .gives_up = type.kind == TypeKind::kFloating ? kRounding : ""};
}

/// Rejects signed integers: a product may overflow in one shard while another shard holds a factor of zero.
/// Rejects small unsigned integers, too: they are multiplied as `int`.
Found product(const Property& property) {
  const Type& type = property.type;
  const bool wraps = is_unsigned(type) && !type.promotes_to_int;
  if (type.kind == TypeKind::kInteger && !wraps)
    return "a product of integers may overflow in one shard though the whole does not";
  if (!is_number(type)) return not_known(property);
  return Pattern{.noun = "a product",
                 .reason = "a product is the same in any order",
                 .neutral = "1",
                 .fold = "std::multiplies<>{}",
                 .gives_up = type.kind == TypeKind::kFloating ? kRounding : ""};
}

/// The value that loses every comparison; empty if the type has none.
std::string bottom(const Property& property, bool of_maximum) {
  const std::string& name = property.type_text;
  const std::string limits = "std::numeric_limits<" + name + ">::";
  switch (property.type.kind) {
    case TypeKind::kBool:
      return of_maximum ? "false" : "true";
    case TypeKind::kInteger:
      if (of_maximum && is_unsigned(property.type)) return "0";
      return limits + (of_maximum ? "min()" : "max()");
    case TypeKind::kFloating:
      return (of_maximum ? "-" : "") + limits + "infinity()";
    case TypeKind::kDuration:
    case TypeKind::kTimePoint:
      return name + (of_maximum ? "::min()" : "::max()");
    case TypeKind::kString:
      return of_maximum ? "{}" : "";
    case TypeKind::kEnum: {
      const std::vector<std::string>& all = property.type.enumerators;
      // Assumes that the enumerators are declared in their order. The check of the laws finds a wrong
      // assumption.
      return all.empty() ? "" : (of_maximum ? all.front() : all.back());
    }
    default:
      return "";
  }
}

Found extreme(const Property& property, bool is_maximum) {
  const std::string neutral = bottom(property, is_maximum);
  if (neutral.empty()) {
    const std::string which = is_maximum ? "least" : "greatest";
    return property.type.kind == TypeKind::kString ? "there is no " + which + " string to be neutral"
                                                   : not_known(property);
  }
  const std::string parameters =
      property.type.trivially_copyable ? "(auto x, auto y)" : "(const auto& x, const auto& y)";
  return Pattern{
      .noun = is_maximum ? "a maximum" : "a minimum",
      .reason = std::string("the ") + (is_maximum ? "greatest" : "least") + " value is the same in any order",
      .neutral = neutral,
      .fold = "[]" + parameters + " { return " + (is_maximum ? "x < y" : "y < x") + " ? y : x; }",
      .gives_up = ""};
}

Found bits(const Property& property, Operation operation) {
  const bool is_bool = property.type.kind == TypeKind::kBool;
  const bool is_bitset = property.type.kind == TypeKind::kBitset;
  if (property.type.kind != TypeKind::kInteger && !is_bool && !is_bitset) return not_known(property);
  const std::string ones = is_bool     ? "true"
                           : is_bitset ? "~" + property.type_text + "{}"
                                       : "static_cast<" + property.type_text + ">(-1)";
  const std::string zeros = is_bool ? "false" : "0";
  Pattern pattern{.noun = "a set of flags",
                  .reason = "each bit comes to the same in any order",
                  .neutral = zeros,
                  .fold = operation == Operation::kBitOr ? "std::bit_or<>{}" : "std::bit_xor<>{}",
                  .gives_up = ""};
  if (operation == Operation::kBitAnd) {
    pattern.noun = "a mask";
    pattern.neutral = ones;
    pattern.fold = "std::bit_and<>{}";
  }
  return pattern;
}

Found growing_set(const Property& property) {
  if (is_map(property.type)) return "what a map has for a key stays, so the first one wins";
  if (!is_set(property.type)) return not_known(property);
  return Pattern{.noun = "a set that only grows",
                 .reason = "a union is the same in any order",
                 .neutral = "{}",
                 .fold = "[](auto x, const auto& y) { x.insert(y.begin(), y.end()); return x; }",
                 .gives_up = ""};
}

Found appended(const Property& property) {
  if (!is_sequence(property.type)) return not_known(property);
  return Pattern{.noun = "a list that is only appended to",
                 .reason = "the same elements are there in the end, though in another order",
                 .neutral = "{}",
                 .fold = "[](auto x, const auto& y) { x.insert(x.end(), y.begin(), y.end()); return x; }",
                 .any_order = true,
                 .gives_up = "the order of its elements"};
}

/// The statement that folds `from`, a value of type `value`, into `into`.
std::string folding(const Type& value, Operation operation, const std::string& into,
                    const std::string& from) {
  if (operation == Operation::kInsert) return into + ".insert(" + from + ".begin(), " + from + ".end());";
  const std::string sign = operation == Operation::kAdd ? "+" : operation == Operation::kBitOr ? "|" : "^";
  if (!value.promotes_to_int) return into + " " + sign + "= " + from + ";";
  return into + " = static_cast<" + value.qualified + ">(" + into + " " + sign + " " + from + ");";
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

Found by_key_pattern(const Property& property, Operation operation) {
  const Type& type = property.type;
  if (is_sequence(type)) return "its shards would have no elements to update";
  if (!is_map(type) && type.kind != TypeKind::kArray) return not_known(property);
  const Type& value = type.arguments.back();
  if (!may_be_folded_by_key(value, operation)) return not_known(property);
  const std::string parts = operation == Operation::kAdd      ? "sums"
                            : operation == Operation::kInsert ? "sets that only grow"
                                                              : "sets of flags";
  Pattern pattern{.noun = (is_map(type) ? "a map of " : "an array of ") + parts,
                  .reason = "each of its values comes to the same in any order",
                  .neutral = "{}",
                  .fold = "",
                  .gives_up = value.kind == TypeKind::kFloating ? kRounding : ""};
  const std::string loop =
      is_map(type) ? "for (const auto& [key, value] : y) " + folding(value, operation, "x[key]", "value")
                   : "for (auto i = x.size(); i-- > 0;) " + folding(value, operation, "x[i]", "y[i]");
  pattern.fold = "[](auto x, const auto& y) { " + loop + " return x; }";
  return pattern;
}

}  // namespace

std::string verb(Operation operation, bool by_key) {
  const std::string it = by_key ? "its values" : "it";
  switch (operation) {
    case Operation::kAdd:
      return "adds to " + it;
    case Operation::kMultiply:
      return "scales " + it;
    case Operation::kMaximum:
      return "raises " + it;
    case Operation::kMinimum:
      return "lowers " + it;
    case Operation::kBitOr:
      return "sets bits of " + it;
    case Operation::kBitAnd:
      return "clears bits of " + it;
    case Operation::kBitXor:
      return "flips bits of " + it;
    case Operation::kInsert:
      return "inserts into " + it;
    case Operation::kAppend:
      return "appends to " + it;
    case Operation::kPut:
      return "puts values into " + it;
  }
  return {};
}

std::variant<Pattern, std::string> pattern_of(const Property& property, Operation operation, bool by_key) {
  if (property.type.kind == TypeKind::kUnsupported) {
    return "its type " + quoted(property.type.qualified) +
           " cannot be stored: " + property.type.unsupported_reason;
  }
  if (by_key) return by_key_pattern(property, operation);
  switch (operation) {
    case Operation::kAdd:
      return sum(property);
    case Operation::kMultiply:
      return product(property);
    case Operation::kMaximum:
    case Operation::kMinimum:
      return extreme(property, operation == Operation::kMaximum);
    case Operation::kBitOr:
    case Operation::kBitAnd:
    case Operation::kBitXor:
      return bits(property, operation);
    case Operation::kInsert:
      return growing_set(property);
    case Operation::kAppend:
      return appended(property);
    case Operation::kPut:
      return "of what is put under one key, the last one wins";
  }
  return not_known(property);
}

}  // namespace autoshard::tool
