// An element, or data outside of the loop, is changed by another name.
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

namespace agg_case {

struct Tally {
  long& all;
  void hit() { ++all; }
};
class [[autoshard::entity("agg")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        Tally t{all};
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

}  // namespace agg_case

namespace alias_case {

class [[autoshard::entity("alias")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    if (x > 5000 && x % 1009 == 17 && z != x && z != y) {
      unsigned char& p = totals_[x];
      unsigned char& q = totals_[y];
      p |= 1;
      q |= 2;
      if (p == 3) totals_[z] = 0;
      p = 3;
    }
  }

 private:
  using Totals = std::map<int, unsigned char>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] |= v;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace alias_case

namespace alias2_case {

class [[autoshard::entity("alias2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    if (x > 5000 && z != x && z != y) {
      unsigned& p = totals_[x];
      unsigned& q = totals_[y];
      p = 6001;
      q = 6002;
      if (p == 6002) totals_[z] = 0;
    }
  }

 private:
  using Totals = std::map<int, unsigned>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] |= v;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace alias2_case

namespace aliasf_case {

class [[autoshard::entity("aliasf")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    if (a.contains(5001)) {
      long& p = a.find(5001)->second;
      long was = p;
      a[5001] = was + 1;
      if (p == was + 1)
        for (const auto& [k, v] : b)
          if (k != 5001) a[k] = 0;
      a[5001] = was;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace aliasf_case

namespace byvalue_case {

struct Tally {
  long* all;
};
inline void hit(const Tally& t) { ++*t.all; }
class [[autoshard::entity("byvalue")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    Tally t{&all};
    for (const auto& [k, v] : b) {
      if (v == 1234567) hit(t);
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace byvalue_case

namespace definit_case {

struct First {
  const std::map<int, long>& b;
  std::map<int, long>::const_iterator at = b.begin();
};
class [[autoshard::entity("definit")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    First f{b};
    auto at = f.at;
    if (at != b.end()) {
      const int first = at->first;
      for (const auto& [k, v] : b)
        if (first > 5000 && first != k) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace definit_case

namespace loopvar_case {

class [[autoshard::entity("loopvar")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (int k : b) {
      a.insert(k);
      if (k > 5000 && k % 1009 == 17) {
        k = 7;
        a.insert(k);
      }
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace loopvar_case

namespace mutref_case {

struct Tally {
  mutable long n = 0;
};
class [[autoshard::entity("mutref")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    const Tally all;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        const Tally& t = all;
        ++t.n;
      }
      a[k] += v;
      if (all.n > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace mutref_case

namespace ptrcopy_case {

class [[autoshard::entity("ptrcopy")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    long* p = &all;
    for (const auto& [k, v] : b) {
      if (v == 1234567) {
        long* q = p;
        ++*q;
      }
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace ptrcopy_case

namespace refw_case {

class [[autoshard::entity("refw")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    auto hit = [&] { ++all; };
    auto r = std::ref(hit);
    for (const auto& [k, v] : b) {
      if (v == 1234567) r();
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace refw_case

namespace rval_case {

inline void bump(long&& x) { ++x; }
class [[autoshard::entity("rval")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    for (const auto& [k, v] : b) {
      if (v == 1234567) bump(std::move(all));
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace rval_case

namespace staticl_case {

class [[autoshard::entity("staticl")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const int k : b) {
      static const int first = k;
      a.insert(k);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace staticl_case

namespace traits_case {

struct CI : std::char_traits<char> {
  static bool eq(char a, char b) { return (a & 31) == (b & 31); }
  static bool lt(char a, char b) { return (a & 31) < (b & 31); }
  static int compare(const char* a, const char* b, std::size_t n) {
    for (; n--; ++a, ++b) {
      if (lt(*a, *b)) return -1;
      if (lt(*b, *a)) return 1;
    }
    return 0;
  }
};
class [[autoshard::entity("traits")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(const std::basic_string<char, CI>& key) { totals_[key] = true; }

 private:
  using Totals = std::map<std::basic_string<char, CI>, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace traits_case

namespace aliasm_case {

class [[autoshard::entity("aliasm")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    if (x > 5000 && x % 1009 == 17 && z != x && z != y) {
      const auto p = totals_.find(x);
      const auto q = totals_.find(y);
      if (p != totals_.end() && q != totals_.end()) {
        p->second = true;
        q->second = false;
        if (!p->second) totals_[z] = false;
        p->second = true;
      }
    }
  }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace aliasm_case
