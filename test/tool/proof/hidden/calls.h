// The library, or an operator, calls a function of the user.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace apply_case {

class [[autoshard::entity("apply")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    const auto hit = [&](int n) { all += n; };
    for (const auto& [k, v] : b) {
      if (v == 1234567) std::apply(hit, std::tuple<int>(1));
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace apply_case

namespace comma_case {

class [[autoshard::entity("comma")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const int k : b) {
      a.insert(k);
      for (const int j : b) {
        const int both = j;
        if (both > 5000 && k % 1009 == 17) {
          a.insert(k);
        }
      }
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace comma_case

namespace functor_case {

struct Mix {
  std::map<int, long>& a;
  const std::map<int, long>& b;
  void operator()() const {
    long n = 0;
    for (const auto& [k, v] : b) {
      if (v > 5000 && v % 1009 == 17) ++n;
      if (n > 1) a[k] = 0;
    }
  }
};
class [[autoshard::entity("functor")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    std::invoke(Mix{a, b});
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace functor_case

namespace fwd_case {

inline void bump(auto&& x) { ++x; }
class [[autoshard::entity("fwd")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) bump(all);
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace fwd_case

namespace invoke_case {

class [[autoshard::entity("invoke")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    const auto hit = [&] { ++all; };
    for (const auto& [k, v] : b) {
      if (v == 1234567) std::invoke(hit);
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace invoke_case

namespace invokefree_case {

inline void mix(std::reference_wrapper<std::set<int>> a, std::reference_wrapper<const std::set<int>> b) {
  int n = 0;
  for (const int k : b.get())
    if (k > 5000) ++n;
  if (n > 1) a.get().insert(7);
}
class [[autoshard::entity("invokefree")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    std::invoke(mix, std::ref(a), std::cref(b));
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace invokefree_case

namespace lambdawrap_case {

struct W {
  long* n;
  void operator()(const auto&) const {
    auto c = n;
    ++*c;
  }
};
inline void each(const auto& m, auto f) {
  for (const auto& e : m) f(e);
}
class [[autoshard::entity("lambdawrap")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    long n = 0;
    std::map<int, long> few;
    if (b.contains(6071)) few = b;
    each(few, W{&n});
    if (n > 2) a[6071] = 0;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace lambdawrap_case

namespace plusf_case {

struct Bag {
  std::map<int, long> m;
  friend Bag operator+(Bag x, const Bag& y) {
    long n = 0;
    for (const auto& [k, v] : y.m) {
      x.m[k] += v;
      if (v > 5000 && v % 1009 == 17) ++n;
      if (n > 1) x.m[k] = 0;
    }
    return x;
  }
};
class [[autoshard::entity("plusf")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_.m[key] += amount; }

 private:
  using Totals = Bag;
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, fold = std::plus<>{}, shards = 2)]] Totals totals_;
};

}  // namespace plusf_case

namespace tuplefwd_case {

class [[autoshard::entity("tuplefwd")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        auto t = std::forward_as_tuple(all);
        std::get<0>(t) += 1;
      }
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace tuplefwd_case
