#pragma once

/// What generated law tests call. Needs no test framework: each function returns a counterexample as text,
/// made as small as it gets, or an empty text where none was found. AUTOSHARD_TEST_SEED, which is printed,
/// repeats a run.
///
/// Signed integers are kept so small that sums and products of three do not overflow. A shard method that
/// throws has refused its arguments; such a try counts neither way.

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

/// The two sides of a law on some values, or nothing where they refused the values.
template <class T>
using Sides = std::optional<std::pair<T, T>>;

template <class Owner, class Law, class... Values>
bool is_broken(const Law& law, const std::tuple<Values...>& values) {
  const auto sides = std::apply(law, values);
  return sides && !same<Owner>(sides->first, sides->second);
}

/// Replaces values by smaller ones for as long as the law stays broken.
template <class Owner, class Law, class... Values>
void shrink(const Law& law, std::tuple<Values...>& values) {
  int shrinks = 0;
  const auto shrink_one = [&](auto& value) {
    for (auto& candidate : smaller<Owner>(value)) {
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

/// Tries `law` on random values, and describes the smallest ones found for which it is broken.
template <class Owner, class... Values, class Law, class Describe>
std::string counterexample(const Law& law, const Describe& describe,
                           Random::Range range = Random::Range::kSmall) {
  Random random(range);
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
      [&](const T& x, const T& y) {
        return Sides<T>({fold(x, y), fold(y, x)});
      },
      [](const std::string& x, const std::string& y) {
        return "not commutative: folding " + x + " and " + y + " gives ";
      });
  if (!found.empty()) return found;
  found = counterexample<Owner, T, T, T>(
      [&](const T& x, const T& y, const T& z) {
        return Sides<T>({fold(fold(x, y), z), fold(x, fold(y, z))});
      },
      [](const std::string& x, const std::string& y, const std::string& z) {
        return "not associative: folding " + x + ", " + y + " and " + z + " gives ";
      });
  if (!found.empty()) return found;
  const T neutral = typename Owner::Shard{}.*p.value;
  return counterexample<Owner, T>(
      [&](const T& x) {
        return Sides<T>({fold(x, neutral), x});
      },
      [&](const std::string& x) {
        return shown<Owner>(neutral) + " is not neutral: folding it with " + x + " gives ";
      },
      Random::Range::kAll);
}

}  // namespace detail

/// Tries whether the fold of the sharded property of this name is commutative and associative, with its
/// neutral value as identity. Returns a counterexample, or nothing.
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

/// Tries whether `update`, which calls a shard method with `Args` on a shard, commutes with the fold. Returns
/// a counterexample, or nothing.
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
          return std::pair{updated(detail::fold_shards<Owner>(x, y), args...),
                           detail::fold_shards<Owner>(updated(x, args...), y)};
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

}  // namespace autoshard::laws
