#pragma once

/// The functions that generated law tests call. They need no test framework: each returns a counterexample as
/// text, shrunk as far as possible, or an empty text if it found none. AUTOSHARD_TEST_SEED repeats a run; the
/// seed is printed.
///
/// Signed integers are kept so small that sums and products of three do not overflow. A shard method that
/// throws has refused its arguments; such a try does not count.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "autoshard/detail/law_values.h"
#include "autoshard/generated.h"

namespace autoshard::laws {
namespace detail {

inline constexpr int kTries = 500;
inline constexpr int kMostShrinks = 1000;

/// The two sides of a law for some values; empty if the law's methods refused the values.
template <class T>
using Sides = std::optional<std::pair<T, T>>;

template <class Owner, class Law, class... Values>
bool is_broken(const Law& law, const std::tuple<Values...>& values) {
  const auto sides = std::apply(law, values);
  return sides && !same<Owner>(sides->first, sides->second);
}

/// Replaces values by smaller ones as long as the law stays broken.
template <class Owner, class Law, class... Values>
void shrink(const Law& law, std::tuple<Values...>& values) {
  int shrinks = 0;
  const auto shrink_one = [&](auto& value) {
    for (auto&& candidate : smaller<Owner>(value)) {
      auto kept = std::exchange(value, std::move(candidate));
      if (is_broken<Owner>(law, values)) return true;
      value = std::move(kept);
    }
    return false;
  };
  bool progress = true;
  while (progress && shrinks++ < kMostShrinks) {
    progress = std::apply([&](auto&... value) { return (shrink_one(value) || ...); }, values);
  }
}

/// Tries `law` on random values, and describes the smallest values found that break it.
template <class Owner, class... Values, class Law, class Describe>
std::string counterexample(const Law& law, const Describe& describe,
                           Random::Range range = Random::Range::kSmall) {
  Random random(range, kConstants<typename Owner::Entity>);
  for (int tries = 0; tries < kTries; ++tries) {
    std::tuple<Values...> values{random_value<Owner, Values>(random)...};
    if (!is_broken<Owner>(law, values)) continue;
    shrink<Owner>(law, values);
    const auto sides = std::apply(law, values);
    return std::apply([&](const Values&... value) { return describe(shown<Owner>(value)...); }, values) +
           shown<Owner>(sides->first) + " on one side and " + shown<Owner>(sides->second) +
           " on the other (AUTOSHARD_TEST_SEED=" + std::to_string(seed()) + ")";
  }
  return "";
}

/// Returns the elements of `other` in the order that they have in `one`, followed by the elements that `one`
/// lacks.
template <class Owner, class T>
T arranged_like(const T& one, T other) {
  T result;
  for (const typename T::value_type& element : one) {
    const auto found = std::find_if(other.begin(), other.end(), [&](const typename T::value_type& candidate) {
      return same<Owner, typename T::value_type>(element, candidate);
    });
    if (found == other.end()) continue;
    result.push_back(*found);
    other.erase(found);
  }
  result.insert(result.end(), other.begin(), other.end());
  return result;
}

/// Returns both sides of a law on values of one property.
template <class Owner, class P, class T>
Sides<T> sides_of(const P& p, T left, T right) {
  if constexpr (kIsOrdered<T>) {
    if (p.any_order) right = arranged_like<Owner>(left, std::move(right));
  }
  return std::pair{std::move(left), std::move(right)};
}

/// Returns both sides of a law on whole shards.
template <class Owner, class Shard>
Sides<Shard> sides_of_shards(Shard left, Shard right) {
  const auto arrange = [&](const auto& p) {
    auto sides = sides_of<Owner>(p, std::move(left.*p.value), std::move(right.*p.value));
    std::tie(left.*p.value, right.*p.value) = std::move(*sides);
  };
  std::apply([&](const auto&... p) { (arrange(p), ...); }, Owner::sharded_properties());
  return std::pair{std::move(left), std::move(right)};
}

/// Returns both sides of the law of a method that replaces values: the other values need not be equal.
template <class Owner, class Shard>
Sides<Shard> sides_of_replaced(Shard left, Shard right) {
  const auto pass_over = [&](const auto& p) {
    const bool is_replaced = p.replaced != nullptr && (left.*p.replaced || right.*p.replaced);
    if (!is_replaced) right.*p.value = left.*p.value;
  };
  std::apply([&](const auto&... p) { (pass_over(p), ...); }, Owner::sharded_properties());
  return sides_of_shards<Owner>(std::move(left), std::move(right));
}

/// Folds two whole shards, member by member.
template <class Owner, class Shard>
Shard fold_shards(Shard one, const Shard& other) {
  const auto fold = [&](const auto& p) { one.*p.value = p.fold(std::move(one.*p.value), other.*p.value); };
  std::apply([&](const auto&... p) { (fold(p), ...); }, Owner::sharded_properties());
  return one;
}

template <class Owner, class P>
std::string broken_fold(const P& p) {
  using T = std::remove_cvref_t<decltype(std::declval<typename Owner::Shard>().*p.value)>;
  const auto fold = [&](T x, const T& y) { return p.fold(std::move(x), y); };
  std::string found = counterexample<Owner, T, T>(
      [&](const T& x, const T& y) { return sides_of<Owner>(p, fold(x, y), fold(y, x)); },
      [](const std::string& x, const std::string& y) {
        return "not commutative: folding " + x + " and " + y + " gives ";
      });
  if (!found.empty()) return found;
  found = counterexample<Owner, T, T, T>(
      [&](const T& x, const T& y, const T& z) {
        return sides_of<Owner>(p, fold(fold(x, y), z), fold(x, fold(y, z)));
      },
      [](const std::string& x, const std::string& y, const std::string& z) {
        return "not associative: folding " + x + ", " + y + " and " + z + " gives ";
      });
  if (!found.empty()) return found;
  if constexpr (std::is_integral_v<T>) {
    if (p.minimum || p.maximum) {
      found = counterexample<Owner, T, T>(
          [&](const T& x, const T& y) -> Sides<T> {
            return std::pair{fold(x, y), static_cast<T>(x + y)};
          },
          [](const std::string& x, const std::string& y) {
            return "not a sum, and only a sum can have bounds: folding " + x + " and " + y + " gives ";
          });
      if (!found.empty()) return found;
    }
  }
  const T neutral = typename Owner::Shard{}.*p.value;
  return counterexample<Owner, T>([&](const T& x) { return sides_of<Owner>(p, fold(x, neutral), x); },
                                  [&](const std::string& x) {
                                    return shown<Owner>(neutral) + " is not neutral: folding it with " + x +
                                           " gives ";
                                  },
                                  Random::Range::kAll);
}

}  // namespace detail

/// Tests whether the fold of the sharded property of this name is commutative and associative, with its
/// neutral value as identity, and a sum if the property is bounded. Returns a counterexample, or an empty
/// text.
template <class Entity>
std::string broken_fold(std::string_view property) {
  using Owner = Traits<Entity>;
  std::string found;
  std::apply(
      [&](const auto&... p) {
        ((p.name == property ? void(found = detail::broken_fold<Owner>(p)) : void()), ...);
      },
      Owner::sharded_properties());
  return found;
}

/// Tests whether `update`, which calls a shard method with `Args` on a shard, commutes with the fold. Returns
/// a counterexample, or an empty text.
template <class Entity, class... Args, class Update>
std::string broken_method(const Update& update) {
  using Owner = Traits<Entity>;
  using Shard = typename Owner::Shard;
  const auto updated = [&](Shard shard, Args... args) {
    update(shard, args...);
    return shard;
  };
  return detail::counterexample<Owner, Shard, Shard, Args...>(
      [&](const Shard& x, const Shard& y, const Args&... args) -> detail::Sides<Shard> {
        try {
          return detail::sides_of_shards<Owner>(updated(detail::fold_shards<Owner>(x, y), args...),
                                                detail::fold_shards<Owner>(updated(x, args...), y));
        } catch (...) {
          return std::nullopt;
        }
      },
      [](const std::string& x, const std::string& y, const auto&... args) {
        std::string list;
        ((list += (list.empty() ? "" : ", ") + args), ...);
        return "with (" + list + "), on " + x + " and " + y + ", it gives ";
      });
}

/// Tests whether the result of `write`, which calls a shard_write with `Args` on a shard, is independent of
/// the shard's former value. Returns a counterexample, or an empty text.
template <class Entity, class... Args, class Write>
std::string broken_write(const Write& write) {
  using Owner = Traits<Entity>;
  using Shard = typename Owner::Shard;
  return detail::counterexample<Owner, Shard, Shard, Args...>(
      [&](Shard x, Shard y, const Args&... args) -> detail::Sides<Shard> {
        try {
          const auto replace = [&](Shard& shard, Args... own) { write(shard, own...); };
          replace(x, args...);
          replace(y, args...);
        } catch (...) {
          return std::nullopt;
        }
        return detail::sides_of_replaced<Owner>(std::move(x), std::move(y));
      },
      [](const std::string& x, const std::string& y, const auto&... args) {
        std::string list;
        ((list += (list.empty() ? "" : ", ") + args), ...);
        return "with (" + list + "), on " + x + " and on " + y + ", it leaves ";
      });
}

}  // namespace autoshard::laws
