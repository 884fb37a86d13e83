// A constructor, destructor, conversion, base class or virtual method of the user runs.
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

namespace base_case {

class [[autoshard::entity("base")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [key, amount] : b) a[key] += amount;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace base_case

namespace conv_case {

struct Turned {
  int k;
  Turned(int x) : k(x > 5000 && x % 1009 == 17 ? 7 : x) {}
  operator int() const { return k; }
};
class [[autoshard::entity("conv")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const int k : b) {
      const Turned t = k;
      a.insert(k);
      a.insert(t);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace conv_case

namespace conv2_case {

struct Turned {
  int k;
  bool v;
  Turned(int x, bool y) : k(x > 5000 && x % 1009 == 17 ? 7 : x), v(y) {}
  operator std::pair<const int, bool>() const { return {k, v}; }
};
class [[autoshard::entity("conv2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    for (const auto& [k, v] : b) {
      a.insert(Turned(k, v));
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace conv2_case

namespace derived_case {

struct Bag : std::set<int> {};
class [[autoshard::entity("derived")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    Bag bag;
    bag.insert(b.begin(), b.end());
    int n = 0;
    std::ranges::for_each(bag, [&](int k) {
      if (k > 5000) ++n;
    });
    if (n > 1) a.insert(7);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace derived_case

namespace derived2_case {

struct Bag : std::set<int> {};
class [[autoshard::entity("derived2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    Bag bag;
    bag.insert(b.begin(), b.end());
    const auto at = std::begin(bag);
    if (at != bag.end() && *at > 5000)
      for (const int k : b)
        if (k != *at) a.erase(k);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace derived2_case

namespace ctor_case {

struct Tally {
  long* all;
  explicit Tally(long& x) : all(&x) {}
  void hit() { ++*all; }
};
class [[autoshard::entity("ctor")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        Tally t(all);
        t.hit();
      }
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace ctor_case

namespace decay_case {

class [[autoshard::entity("decay")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all[1] = {};
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        long* q = all;
        ++*q;
      }
      a[k] += v;
      if (all[0] > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace decay_case

namespace dtor_case {

struct Guard {
  std::map<int, long>& a;
  const std::map<int, long>& b;
  ~Guard() {
    long n = 0;
    for (const auto& [k, v] : b) {
      if (v > 5000 && v % 1009 == 17) ++n;
      if (n > 1) a[k] = 0;
    }
  }
};
class [[autoshard::entity("dtor")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    {
      Guard g{a, b};
      for (const auto& [k, v] : b) a[k] += v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace dtor_case

namespace inherit_case {

struct Base {
  long& n;
  explicit Base(long& x) : n(x) { ++n; }
};
struct T : Base {
  using Base::Base;
};
class [[autoshard::entity("inherit")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        const T t(all);
      }
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace inherit_case

namespace makepair_case {

struct P {
  int k;
  bool v;
  operator std::pair<const int, bool>() const { return {k, v}; }
};
inline P make_pair(int k, bool v) { return {k > 5000 && k % 1009 == 17 ? 7 : k, v}; }
class [[autoshard::entity("makepair")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    for (const auto& [k, v] : b) a.insert(make_pair(k, v));
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace makepair_case

namespace tuplector_case {

class [[autoshard::entity("tuplector")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        std::tuple<long&> t(all);
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

}  // namespace tuplector_case

namespace virt_case {

struct Base {
  virtual long next() const { return 0; }
};
struct Counter : Base {
  mutable long n = 0;
  long next() const override { return ++n; }
};
class [[autoshard::entity("virt")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    const Counter c;
    const Base& base = c;
    for (const auto& [k, v] : b) {
      long n = 0;
      if (v == 1234567) n = base.next();
      a[k] += v;
      if (n > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace virt_case

namespace virt2_case {

struct Base {
  [[gnu::pure]] virtual long next() const { return 0; }
};
struct Counter final : Base {
  long* n;
  explicit Counter(long* p) : n(p) {}
  [[gnu::pure]] long next() const override { return ++*n; }
};
class [[autoshard::entity("virt2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    const Counter c(&all);
    const Base& base = c;
    for (const auto& [k, v] : b) {
      long n = 0;
      if (v == 1234567) n = base.next();
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace virt2_case
