#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/id.h>
#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The building blocks of queries, without the types of entities.
namespace autoshard::detail {

/// Ids in the form that they have in keys: at least `begin`, below `end`.
struct IdRange {
  std::string begin;
  std::string end = "\xFF";

  friend bool operator==(const IdRange&, const IdRange&) = default;
};

/// Values of a field in the form that they have in indexes: sorted, disjoint ranges.
struct FieldValues {
  std::string_view field;
  std::vector<IdRange> ranges;
  bool are_single = false;  ///< each range has a single value
  /// The values are elements of the field, a collection, which may contain other elements too.
  bool are_elements = false;
};

/// A condition on an entity.
struct Clause {
  std::function<bool(const void* entity)> test;  ///< empty: every entity fulfils it
  std::string text;                              ///< as people write it
  std::vector<std::string_view> fields;          ///< the fields that the test reads
  IdRange ids{};                                 ///< only these entities can fulfil it
  std::vector<FieldValues> values{};  ///< only these values can fulfil it; not given for every field
  bool is_compound = false;  ///< consists of several comparisons; needs parentheses inside another clause
};
Clause both(const Clause& one, const Clause& other);
Clause either(const Clause& one, const Clause& other);
Clause negated(const Clause& clause);

/// One of the fields that rows are sorted by. `append` adds a form of the field's value to a text; the texts
/// sort as the rows do.
struct SortKey {
  std::string_view field;
  bool descending;
  bool is_id;  ///< no two entities have the same value
  std::function<void(std::string& text, const void* entity)> append;
};

/// Appends a form of the number whose byte order is the order of numbers; NaN comes after all others.
void append_real(std::string& text, double number);

/// Whether `append_id` accepts the type.
template <class T>
constexpr bool has_key_form();

/// Converts to any type.
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): to fill in a struct
};

template <class T>
constexpr bool wraps_key_value() {
  if constexpr (
      requires { T{AnyValue()}; } &&
      !requires {
        T{AnyValue(), AnyValue()};
      }) {
    constexpr auto kValue = [](const T& wrapper) {
      const auto& [value] = wrapper;
      return std::type_identity<std::remove_cvref_t<decltype(value)>>();
    };
    return has_key_form<typename std::invoke_result_t<decltype(kValue), const T&>::type>();
  } else {
    return false;
  }
}

template <class T>
constexpr bool has_key_form() {
  if constexpr (std::same_as<T, std::string> || std::integral<T> || std::is_enum_v<T> || kIsBytes<T> ||
                Ticks<T> || Moment<T>) {
    return true;
  } else if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T>) {
    return wraps_key_value<T>();
  } else {
    return false;
  }
}

enum class Comparison : std::uint8_t { kEqual, kLess, kAtMost, kGreater, kAtLeast };
std::string_view symbol(Comparison comparison);

/// An integer that is no truth value and no character: a type that `std::cmp_less` accepts.
template <class T>
concept PlainInteger =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class T>
concept Number = PlainInteger<T> || std::floating_point<T>;

template <class V>
concept Nothing = std::same_as<V, std::nullopt_t> || std::same_as<V, std::nullptr_t>;

template <class T>
concept Text = !Nothing<T> && std::convertible_to<const T&, std::string_view>;

/// A struct of one value that keys can hold, such as an id type. It stands for that value.
template <class T>
concept Wrapper = std::is_aggregate_v<T> && !kIsBytes<T> && wraps_key_value<T>();

template <class T, class V>
concept ComparesWith = (Number<T> && Number<V>) || (Text<T> && Text<V>) || std::same_as<T, V> ||
                       (Nullable<T> && Nothing<V>) ||
                       (!Number<T> && !std::same_as<T, bool> && !Nothing<V> &&
                        std::convertible_to<const V&, T> && requires(const T& one, const V& other) {
                          { one == other } -> std::convertible_to<bool>;
                        });

template <class T>
concept Ordered = Text<T> || Wrapper<T> || requires(const T& one, const T& other) {
  { one < other } -> std::convertible_to<bool>;
};

template <class T>
bool has_value(const T& value) {
  if constexpr (Nothing<T>) {
    return false;
  } else if constexpr (Nullable<T>) {
    return static_cast<bool>(value);
  } else {
    return true;
  }
}

/// Returns the value of an object that has one.
template <class T>
const auto& value_in(const T& value) {
  if constexpr (Nullable<T>) {
    return *value;
  } else {
    return value;
  }
}

/// An empty value is less than any value.
template <Comparison kComparison, class T, class V>
bool holds(const T& one, const V& other) {
  if constexpr (Nullable<T> || Nullable<V>) {
    if (!has_value(one) || !has_value(other))
      return holds<kComparison>(has_value(one) ? 1 : 0, has_value(other) ? 1 : 0);
    if constexpr (!Nothing<V>) return holds<kComparison>(value_in(one), value_in(other));
  } else if constexpr (std::same_as<T, V> && Wrapper<T>) {
    const auto& [its_one] = one;
    const auto& [its_other] = other;
    return holds<kComparison>(its_one, its_other);
  } else if constexpr (PlainInteger<T> && PlainInteger<V>) {
    switch (kComparison) {
      case Comparison::kEqual:
        return std::cmp_equal(one, other);
      case Comparison::kLess:
        return std::cmp_less(one, other);
      case Comparison::kAtMost:
        return std::cmp_less_equal(one, other);
      case Comparison::kGreater:
        return std::cmp_greater(one, other);
      case Comparison::kAtLeast:
        return std::cmp_greater_equal(one, other);
    }
  } else if constexpr (Number<T> && Number<V> && !std::same_as<T, V>) {
    using Wide = long double;  // holds every 64-bit integer and every double
    return holds<kComparison>(static_cast<Wide>(one), static_cast<Wide>(other));
  } else if constexpr (kComparison == Comparison::kEqual) {
    return one == other;
  } else {
    const auto less = [](const auto& x, const auto& y) { return x < y; };
    switch (kComparison) {
      case Comparison::kLess:
        return less(one, other);
      case Comparison::kAtMost:
        return less(one, other) || one == other;
      case Comparison::kGreater:
        return less(other, one);
      default:
        return less(other, one) || one == other;
    }
  }
  return false;
}

/// Returns the value as people write it; a type without such a form as the bytes that would be stored.
std::string in_quotes(std::string_view text);
std::string hexadecimal(std::string_view bytes);
template <class Owner, class V>
std::string describe_value(const V& value) {
  if constexpr (std::same_as<V, bool>) {
    return value ? "true" : "false";
  } else if constexpr (Number<V>) {
    std::array<char, 128> digits;  // enough digits to tell the number from every other
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
  } else if constexpr (Text<V>) {
    return in_quotes(value);
  } else if constexpr (std::is_enum_v<V>) {
    return describe_value<Owner>(static_cast<std::underlying_type_t<V>>(value));
  } else if constexpr (Nothing<V>) {
    return "nothing";
  } else if constexpr (Wrapper<V>) {
    const auto& [held] = value;
    return describe_value<Owner>(held);
  } else {
    std::string bytes;
    Encoder out(bytes);
    encode<Owner>(out, value);
    return hexadecimal(bytes);
  }
}

template <class V>
using StoredOperand = std::conditional_t<Text<V>, std::string, V>;

/// Returns the ids for which the comparison with the id `bytes`, in the form of keys, can be true.
IdRange id_range(Comparison comparison, const std::string& bytes);

/// Returns the form of the value in keys if a field of type T holds it. Empty if the value has no such form,
/// or if no field of type T can hold it.
template <class T, class V>
std::optional<std::string> key_form(const V& value) {
  std::string bytes;
  if constexpr (PlainInteger<T> && PlainInteger<V>) {
    if (!std::in_range<T>(value)) return std::nullopt;
    append_id(bytes, static_cast<T>(value));
  } else if constexpr (std::same_as<T, std::string> && Text<V>) {
    append_text(bytes, value);
  } else if constexpr ((Ticks<T> || Moment<T>)&&std::convertible_to<const V&, T>) {
    append_id(bytes, T(value));
  } else if constexpr (std::same_as<T, V> && has_key_form<T>()) {
    append_id(bytes, value);
  } else {
    return std::nullopt;
  }
  return bytes;
}

template <class E, class T>
bool is_id(const Field<E, T>& field) {
  if constexpr (std::same_as<T, typename Traits<E>::Id> &&
                std::is_member_pointer_v<std::remove_cvref_t<decltype(Traits<E>::kId)>>) {
    return field.member == Traits<E>::kId;
  } else {
    return false;
  }
}

template <class E, class T, class V>
Clause with_values(Clause clause, const Field<E, T>& field, Comparison comparison, const V& value) {
  if (const std::optional<std::string> form = key_form<T>(value)) {
    const IdRange range = id_range(comparison, *form);
    if (is_id(field)) clause.ids = range;
    clause.values.push_back({field.name, {range}, comparison == Comparison::kEqual});
  }
  return clause;
}

template <Comparison kComparison, class E, class T, class V>
Clause compare(const Field<E, T>& field, const V& value) {
  using Value = std::decay_t<V>;
  static_assert(ComparesWith<T, Value>,
                "this field of the query is compared with a value of another type than the property has");
  static_assert(kComparison == Comparison::kEqual || Ordered<T>,
                "values of this field have no order: they can be compared with == and != only");
  std::string text(field.name);
  text.append(" ").append(symbol(kComparison)).append(" ");
  text += describe_value<Traits<E>>(value);
  Clause clause = {.test =
                       [member = field.member, operand = StoredOperand<Value>(value)](const void* entity) {
                         return holds<kComparison>(static_cast<const E*>(entity)->*member, operand);
                       },
                   .text = std::move(text),
                   .fields = {field.name}};
  return with_values(std::move(clause), field, kComparison, value);
}

/// Compares two fields of the same entity.
template <Comparison kComparison, class E, class T, class U>
Clause compare(const Field<E, T>& one, const Field<E, U>& other) {
  static_assert(ComparesWith<T, U>, "this field of the query is compared with a field of another type");
  static_assert(kComparison == Comparison::kEqual || Ordered<T>,
                "values of this field have no order: they can be compared with == and != only");
  std::string text(one.name);
  text.append(" ").append(symbol(kComparison)).append(" ").append(other.name);
  std::vector<std::string_view> fields = {one.name};
  if (other.name != one.name) fields.push_back(other.name);
  return {.test =
              [its_one = one.member, its_other = other.member](const void* entity) {
                const E& object = *static_cast<const E*>(entity);
                return holds<kComparison>(object.*its_one, object.*its_other);
              },
          .text = std::move(text),
          .fields = std::move(fields)};
}

/// Sets the condition that the field has one of the values with these forms.
void set_values(Clause& clause, std::string_view field, std::vector<std::string> forms, bool is_id);

template <class E, class T, class V>
Clause one_of(const Field<E, T>& field, const std::vector<V>& values) {
  static_assert(ComparesWith<T, V>,
                "this field of the query is compared with values of another type than the property has");
  std::string text(field.name);
  text += " in {";
  std::vector<std::string> forms;
  for (const V& value : values) {
    text += (text.back() == '{' ? "" : ", ") + describe_value<Traits<E>>(value);
    if (std::optional<std::string> form = key_form<T>(value)) forms.push_back(*std::move(form));
  }
  text += '}';
  Clause clause = {.test =
                       [member = field.member, operands = std::vector<StoredOperand<V>>(
                                                   values.begin(), values.end())](const void* entity) {
                         const T& value = static_cast<const E*>(entity)->*member;
                         return std::any_of(operands.begin(), operands.end(), [&](const auto& operand) {
                           return holds<Comparison::kEqual>(value, operand);
                         });
                       },
                   .text = std::move(text),
                   .fields = {field.name}};
  if (forms.size() == values.size()) set_values(clause, field.name, std::move(forms), is_id(field));
  return clause;
}

/// Returns the range of all keys that begin with `begin`.
IdRange range_of(std::string begin);

/// Returns the range of texts that begin with `prefix`, in the form of keys.
IdRange prefix_range(std::string_view prefix);

template <class E, class T>
Clause has_prefix(const Field<E, T>& field, std::string_view prefix) {
  static_assert(Text<T>, "starts_with is called on a field that is not a text");
  const IdRange range = prefix_range(prefix);
  return {.test =
              [member = field.member, prefix = std::string(prefix)](const void* entity) {
                return (static_cast<const E*>(entity)->*member).starts_with(prefix);
              },
          .text = std::string(field.name) + " starts with " + in_quotes(prefix),
          .fields = {field.name},
          .ids = is_id(field) ? range : IdRange(),
          .values = {{field.name, {range}}}};
}

template <class E, class T, class V>
Clause has_element(const Field<E, T>& field, const V& value) {
  using Value = std::decay_t<V>;
  const auto key_of = [](const auto& element) -> const auto& {
    if constexpr (requires { typename T::mapped_type; }) {
      return element.first;
    } else {
      return element;
    }
  };
  using Element = std::remove_cvref_t<decltype(key_of(*std::begin(std::declval<const T&>())))>;
  static_assert(!Text<T>, "contains is called on a text, which has no elements");
  static_assert(ComparesWith<Element, Value>,
                "the elements of this field are of another type than the value");
  Clause clause = {
      .test =
          [member = field.member, key_of, operand = StoredOperand<Value>(value)](const void* entity) {
            const T& elements = static_cast<const E*>(entity)->*member;
            return std::any_of(std::begin(elements), std::end(elements), [&](const auto& element) {
              return holds<Comparison::kEqual>(key_of(element), operand);
            });
          },
      .text = std::string(field.name) + " contains " + describe_value<Traits<E>>(value),
      .fields = {field.name}};
  if (std::optional<std::string> form = key_form<Element>(value))
    clause.values.push_back({field.name, {range_of(*std::move(form))}, true, true});
  return clause;
}

/// Appends a form of the value whose byte order is the order of values.
template <class T>
void append_sortable(std::string& text, const T& value) {
  if constexpr (std::floating_point<T>) {
    append_real(text, static_cast<double>(value));
  } else if constexpr (kIs<T, std::chrono::duration>) {
    append_sortable(text, value.count());
  } else if constexpr (kIsTimePoint<T>) {
    append_sortable(text, value.time_since_epoch().count());
  } else if constexpr (Nullable<T>) {  // an empty value comes first
    text.push_back(value ? '\x01' : '\x00');
    if (value) append_sortable(text, *value);
  } else if constexpr (has_key_form<T>()) {
    append_id(text, value);
  } else {
    static_assert(kUnsupported<T>, "rows cannot be sorted by a field of this type");
  }
}

template <class E, class T>
SortKey sort_key(const Field<E, T>& field, bool descending) {
  return {.field = field.name,
          .descending = descending,
          .is_id = is_id(field),
          .append = [member = field.member](std::string& text, const void* entity) {
            append_sortable(text, static_cast<const E*>(entity)->*member);
          }};
}

}  // namespace autoshard::detail
