#pragma once

/// Values for law tests, of every type that a property can have: random values, smaller values, comparison
/// and text. `Owner` is the `Traits` of the entity.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "autoshard/codec.h"
#include "autoshard/generated.h"

namespace autoshard::laws {

/// The values of an enum. A specialisation lists them if they are not 0 and 1.
template <class E>
inline constexpr std::array kEnumerators = {E{}, static_cast<E>(1)};

/// Returns the values of an enum. The owner lists the values of a private enum.
template <class Owner, class E>
constexpr auto enumerators() {
  if constexpr (requires(const E* none) { Traits<Owner>::enumerators(none); }) {
    return Traits<Owner>::enumerators(static_cast<const E*>(nullptr));
  } else {
    return kEnumerators<E>;
  }
}

/// Values that an entity's shard methods and folds may treat specially.
struct Constants {
  std::vector<double> numbers{};
  std::vector<std::string> texts{};
};

/// The constants in the methods of `Entity`, if a specialisation lists them. They, and the numbers one below
/// them, are frequent among the random values.
template <class Entity>
inline const Constants kConstants = {};

/// The seed of all random values, from AUTOSHARD_TEST_SEED if that is set. Printed on the first call.
inline std::uint64_t seed() {
  static const std::uint64_t kSeed = [] {
    const char* given = std::getenv("AUTOSHARD_TEST_SEED");
    const std::uint64_t chosen =
        given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("AUTOSHARD_TEST_SEED=%llu\n", static_cast<unsigned long long>(chosen));
    return chosen;
  }();
  return kSeed;
}

namespace detail {

using autoshard::detail::Bits;
using autoshard::detail::Hashed;
using autoshard::detail::Keyed;
using autoshard::detail::kIs;
using autoshard::detail::kIsArray;
using autoshard::detail::kIsTimePoint;
using autoshard::detail::Map;
using autoshard::detail::Sequence;

template <class T>
inline constexpr bool kIsMap = Map<T>;
template <class T>
inline constexpr bool kIsOrdered = Sequence<T>;
template <class T>
inline constexpr bool kIsList = kIsOrdered<T> || (Keyed<T> && !kIsMap<T>);
template <class T>
inline constexpr bool kIsTuple = kIs<T, std::pair> || kIs<T, std::tuple>;

/// A struct whose members the owner lists, or its shard.
template <class T, class Owner>
concept StructOf = std::is_same_v<T, typename Owner::Shard> || autoshard::detail::Member<Owner, T>;

/// The members of a struct or of a shard, each with `name` and a pointer `member`.
template <class Owner, class T>
constexpr auto members_of() {
  if constexpr (std::is_same_v<T, typename Owner::Shard>) {
    return std::apply(
        [](const auto&... p) {
          return std::tuple{Property{p.name, p.value}...};
        },
        Owner::sharded_properties());
  } else {
    return Owner::members(static_cast<const T*>(nullptr));
  }
}

template <class Owner, class T, class Visit>
void for_each_member(const Visit& visit) {
  constexpr auto kMembers = members_of<Owner, T>();
  std::apply([&](const auto&... member) { (visit(member), ...); }, kMembers);
}

/// Generates numbers; the limits of their types are frequent.
class Random {
 public:
  enum class Range {
    kSmall,  ///< sums and products of three do not overflow
    kAll,
  };
  Random(Range range, const Constants& constants) : range_(range), constants_(constants), engine_(seed()) {}

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  /// Sometimes returns one of the constants that a `T` can hold, or the number one below it.
  template <class T>
  std::optional<T> constant() {
    if (constants_.numbers.empty() || below(4) != 0) return std::nullopt;
    const double number =
        constants_.numbers[below(constants_.numbers.size())] - static_cast<double>(below(2));
    if constexpr (std::is_integral_v<T>) {
      // Sums and products must not overflow. Types smaller than int are computed as int.
      constexpr double kGreatest = sizeof(T) > sizeof(int) ? 0x1p40
                                   : sizeof(T) == sizeof(int)
                                       ? 0x1p20
                                       : static_cast<double>(std::numeric_limits<T>::max());
      if (std::abs(number) > kGreatest || (std::is_unsigned_v<T> && number < 0)) return std::nullopt;
    }
    return static_cast<T>(number);
  }

  /// Sometimes returns one of the texts.
  const std::string* text() {
    if (constants_.texts.empty() || below(4) != 0) return nullptr;
    return &constants_.texts[below(constants_.texts.size())];
  }

  template <class T>
  T integer() {
    if constexpr (std::is_same_v<T, bool>) {
      return below(2) == 1;
    } else if (const auto known = constant<T>()) {
      return *known;
    } else if constexpr (std::is_signed_v<T> && sizeof(T) >= sizeof(int)) {
      if (range_ == Range::kAll) return static_cast<T>(engine_() >> below(64));
      constexpr std::int64_t kRange = sizeof(T) == sizeof(int) ? 512 : std::int64_t{1} << 20;
      const std::int64_t range = below(2) == 0 ? 3 : kRange;
      return static_cast<T>(static_cast<std::int64_t>(below(static_cast<std::uint64_t>(2 * range + 1))) -
                            range);
    } else {
      const T edges[] = {T{}, T{1}, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
      return below(4) == 0 ? edges[below(4)] : static_cast<T>(below(below(2) == 0 ? 4 : 1U << 16U));
    }
  }

 private:
  Range range_;
  const Constants& constants_;
  std::mt19937_64 engine_;
};

template <class Owner, class T>
T random_value(Random& random);

/// Returns a random value of the alternative with this index.
template <class Owner, class T, std::size_t kIndex = 0>
T random_alternative(Random& random, std::size_t index) {
  if constexpr (kIndex + 1 < std::variant_size_v<T>) {
    if (index != kIndex) return random_alternative<Owner, T, kIndex + 1>(random, index);
  }
  return T(std::in_place_index<kIndex>, random_value<Owner, std::variant_alternative_t<kIndex, T>>(random));
}

template <class Owner, class T>
T random_value(Random& random) {
  if constexpr (std::is_integral_v<T>) {
    return random.integer<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (const auto known = random.constant<T>()) return *known;
    return static_cast<T>(random.integer<int>()) / 2;  // exact, and so are sums of such numbers
  } else if constexpr (std::is_enum_v<T>) {
    constexpr auto kAll = enumerators<Owner, T>();
    return kAll[random.below(kAll.size())];
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (const std::string* known = random.text()) return *known;
    std::string text(random.below(4), 'a');
    for (char& c : text) c = static_cast<char>('a' + random.below(3));
    return text;
  } else if constexpr (kIs<T, std::chrono::duration>) {
    return T(random_value<Owner, typename T::rep>(random));
  } else if constexpr (kIsTimePoint<T>) {
    return T(random_value<Owner, typename T::duration>(random));
  } else if constexpr (kIs<T, std::optional>) {
    if (random.below(4) == 0) return std::nullopt;
    return random_value<Owner, typename T::value_type>(random);
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return {};
  } else if constexpr (kIsTuple<T>) {
    T value{};
    std::apply(
        [&](auto&... part) {
          ((part = random_value<Owner, std::remove_cvref_t<decltype(part)>>(random)), ...);
        },
        value);
    return value;
  } else if constexpr (kIs<T, std::variant>) {
    return random_alternative<Owner, T>(random, random.below(std::variant_size_v<T>));
  } else if constexpr (kIsMap<T>) {
    T value;
    for (std::uint64_t entries = random.below(4); entries > 0; --entries) {
      auto key = random_value<Owner, typename T::key_type>(random);
      value.insert_or_assign(std::move(key), random_value<Owner, typename T::mapped_type>(random));
    }
    return value;
  } else if constexpr (kIsList<T>) {
    T value;
    for (std::uint64_t elements = random.below(4); elements > 0; --elements)
      value.insert(value.end(), random_value<Owner, typename T::value_type>(random));
    return value;
  } else if constexpr (kIsArray<T>) {
    T value{};
    for (auto& element : value) element = random_value<Owner, typename T::value_type>(random);
    return value;
  } else if constexpr (Bits<T>) {
    T value;
    const std::uint64_t one_in = 1 + random.below(4);
    for (std::size_t at = 0; at < value.size(); ++at) value[at] = random.below(one_in) == 0;
    return value;
  } else {
    T value{};
    for_each_member<Owner, T>([&](const auto& member) {
      auto& field = value.*member.member;
      field = random_value<Owner, std::remove_reference_t<decltype(field)>>(random);
    });
    return value;
  }
}

template <class T>
T halved(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::trunc(value / 2);
  return static_cast<T>(value / 2);
}

/// Returns `value` without its sign, if its type allows that.
template <class T>
T positive(T value) {
  if constexpr (std::is_signed_v<T>) {
    if (value < T{} && value != std::numeric_limits<T>::lowest()) return static_cast<T>(-value);
  }
  return value;
}

template <class T>
struct Element {
  using type = typename T::value_type;
};
template <class T>
requires kIsMap<T>
struct Element<T> {
  using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

/// The element type of a container, without const.
template <class T>
using ElementOf = typename Element<T>::type;

/// Returns `container` with the element at `at` replaced by `element`, or removed if `element` is empty.
template <class T>
T replaced(const T& container, std::size_t at, std::optional<ElementOf<T>> element) {
  T result;
  std::size_t position = 0;
  for (const auto& kept : container) {
    if (position++ != at) {
      result.insert(result.end(), kept);
    } else if (element) {
      result.insert(result.end(), *element);
    }
  }
  return result;
}

/// Returns values that are simpler than `value`, the simplest first.
template <class Owner, class T>
std::vector<T> smaller(const T& value) {
  std::vector<T> result;
  if constexpr (std::is_same_v<T, bool>) {
    if (value) result.push_back(false);
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (value == T{}) return result;
    const auto half = static_cast<T>(halved(value));
    result = {T{}, positive(value), half, static_cast<T>(value < T{} ? value + 1 : value - 1)};
    std::erase(result, value);
  } else if constexpr (std::is_enum_v<T>) {
    constexpr T kFirst = enumerators<Owner, T>()[0];
    if (value != kFirst) result.push_back(kFirst);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.empty()) result = {"", value.substr(1)};
  } else if constexpr (kIs<T, std::chrono::duration>) {
    for (const auto& count : smaller<Owner>(value.count())) result.emplace_back(count);
  } else if constexpr (kIsTimePoint<T>) {
    for (const auto& since : smaller<Owner>(value.time_since_epoch())) result.emplace_back(since);
  } else if constexpr (kIs<T, std::optional>) {
    if (!value) return result;
    result.emplace_back(std::nullopt);
    for (auto&& held : smaller<Owner>(*value)) result.emplace_back(std::move(held));
  } else if constexpr (std::is_same_v<T, std::monostate> || kIs<T, std::variant>) {
    return result;
  } else if constexpr (kIsTuple<T>) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      const auto shrink_part = [&]<std::size_t kPart>(std::integral_constant<std::size_t, kPart>) {
        for (auto&& part : smaller<Owner>(std::get<kPart>(value))) {
          result.push_back(value);
          std::get<kPart>(result.back()) = std::move(part);
        }
      };
      (shrink_part(std::integral_constant<std::size_t, kIndex>{}), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kIsMap<T> || kIsList<T>) {
    for (std::size_t at = 0; at < value.size(); ++at) result.push_back(replaced<T>(value, at, std::nullopt));
    std::size_t at = 0;
    for (const auto& element : value) {
      for (auto&& other : smaller<Owner>(ElementOf<T>(element)))
        result.push_back(replaced<T>(value, at, std::move(other)));
      ++at;
    }
  } else if constexpr (kIsArray<T>) {
    for (std::size_t at = 0; at < value.size(); ++at) {
      for (auto&& element : smaller<Owner>(value[at])) {
        result.push_back(value);
        result.back()[at] = std::move(element);
      }
    }
  } else if constexpr (Bits<T>) {
    for (std::size_t at = 0; at < value.size(); ++at) {
      if (value[at]) result.push_back(T(value).reset(at));
    }
  } else {
    for_each_member<Owner, T>([&](const auto& member) {
      for (auto&& field : smaller<Owner>(value.*member.member)) {
        result.push_back(value);
        result.back().*member.member = std::move(field);
      }
    });
  }
  return result;
}

/// Compares values; floating-point numbers may differ by rounding.
template <class Owner, class T>
bool same(const T& one, const T& other) {
  if constexpr (std::is_floating_point_v<T>) {
    return one == other ||
           std::abs(one - other) <= static_cast<T>(1e-6) * (std::abs(one) + std::abs(other)) ||
           (std::isnan(one) && std::isnan(other));
  } else if constexpr (kIs<T, std::optional>) {
    return one.has_value() == other.has_value() && (!one || same<Owner>(*one, *other));
  } else if constexpr (kIsTuple<T>) {
    return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      return (same<Owner>(std::get<kIndex>(one), std::get<kIndex>(other)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kIsOrdered<T> || (kIsMap<T> && !Hashed<T>) || kIsArray<T>) {
    using Element = typename T::value_type;
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const Element& x, const Element& y) { return same<Owner, Element>(x, y); });
  } else if constexpr (StructOf<T, Owner>) {
    bool all = true;
    for_each_member<Owner, T>(
        [&](const auto& member) { all = all && same<Owner>(one.*member.member, other.*member.member); });
    return all;
  } else {
    return one == other;
  }
}

template <class Owner, class T>
std::string shown(const T& value);

template <class Owner, class List>
std::string shown_list(const List& list) {
  std::string text;
  for (const typename List::value_type& element : list)
    text += (text.empty() ? "" : ", ") + shown<Owner>(element);
  return "{" + text + "}";
}

/// Returns `value` as people write it.
template <class Owner, class T>
std::string shown(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", static_cast<double>(value));
    return text.data();
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return '"' + value + '"';
  } else if constexpr (kIs<T, std::chrono::duration>) {
    return shown<Owner>(value.count());
  } else if constexpr (kIsTimePoint<T>) {
    return shown<Owner>(value.time_since_epoch());
  } else if constexpr (kIs<T, std::optional>) {
    return value ? shown<Owner>(*value) : "nothing";
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return "nothing";
  } else if constexpr (kIsTuple<T>) {
    std::string text;
    std::apply([&](const auto&... part) { ((text += (text.empty() ? "" : ", ") + shown<Owner>(part)), ...); },
               value);
    return "{" + text + "}";
  } else if constexpr (kIs<T, std::variant>) {
    return std::visit([](const auto& held) { return shown<Owner>(held); }, value);
  } else if constexpr (kIsMap<T> || kIsList<T> || kIsArray<T>) {
    return shown_list<Owner>(value);
  } else if constexpr (Bits<T>) {
    const std::string digits = value.to_string();
    const std::size_t highest = digits.find('1');
    return "0b" + (highest == std::string::npos ? "0" : digits.substr(highest));
  } else {
    std::string text;
    for_each_member<Owner, T>([&](const auto& member) {
      text += (text.empty() ? "." : ", .") + std::string(member.name) + " = " +
              shown<Owner>(value.*member.member);
    });
    return "{" + text + "}";
  }
}

}  // namespace detail
}  // namespace autoshard::laws
