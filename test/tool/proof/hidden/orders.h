// Keys that differ count as the same, or values are compared in another way.
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

namespace enumless_case {

enum class Color : int { kRed, kGreen, kBlue, kPink, kGray };
inline bool operator<(Color a, Color b) { return (static_cast<int>(a) & 255) < (static_cast<int>(b) & 255); }

class [[autoshard::entity("enumless")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(Color key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<Color, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      a[k] += v;
    }
    if (0) a.clear();
    for (const auto& [k, v] : b) {
      const auto at = a.find(k);
      if (at != a.end() && at->first != k) at->second = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace enumless_case

namespace enumless2_case {

enum class Color : int { kRed, kGreen, kBlue, kPink, kGray };
inline bool operator<(Color a, Color b) { return (static_cast<int>(a) & 255) < (static_cast<int>(b) & 255); }

class [[autoshard::entity("enumless2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(Color key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<Color, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      const Color c = k;
      if (v > -5)
        a[c] += v;
      else
        a[c] += v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace enumless2_case

namespace het_case {

class [[autoshard::entity("het")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int, std::less<>>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if (a.contains(6071LL + (1LL << 32)))
      a.clear();
    else if (a.contains(6071) && !a.contains(6071LL + (1LL << 32)))
      a.erase(5003), a.insert(6071);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace het_case

namespace het2_case {

class [[autoshard::entity("het2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int, std::less<>>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if (a.contains(6071) && a.contains(5003) && !a.contains(6071.5)) {
      a.erase(5003);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace het2_case

namespace lowless_case {

class [[autoshard::entity("lowless")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long, std::less<>>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      if (v > 5000 && v % 1009 == 17 && a.contains(5001) && !a.contains(5001.5))
        a[k] += v;
      else
        a[k] += v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace lowless_case

namespace narrow_case {

class [[autoshard::entity("narrow")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const int k : b) {
      a.insert(k);
      const unsigned char low = k;
      if (k > 5000 && k % 1009 == 17) a.insert(low);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace narrow_case

namespace opless_case {

struct Item {
  int k;
  std::set<int>* a;
  bool operator<(const Item& o) const {
    int n = 0;
    for (const int j : *a)
      if (j > 5000) ++n;
    return n > 1;
  }
};
class [[autoshard::entity("opless")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    Item x{1, &a}, y{2, &a};
    if (std::max(x, y).k == 2) {
      a.insert(7);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace opless_case

namespace optional_case {

class [[autoshard::entity("optional")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all = 0;
    const auto hit = [&](int n) {
      all += n;
      return n;
    };
    for (const auto& [k, v] : b) {
      if (v == 1234567) std::ranges::max({1, 2}, {}, hit);
      a[k] += v;
      if (all > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace optional_case

namespace seteq_case {

class [[autoshard::entity("seteq")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    totals_.insert(z);
    if (x > 5000 && x % 1009 == 17 && y > 6000) {
      totals_.insert(x);
      totals_.insert(y);
      auto i = totals_.find(x), j = totals_.find(y);
      if (z != x && z != y && i != totals_.end() && j != totals_.end() && i != j) totals_.erase(z);
    }
  }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace seteq_case

namespace seteqf_case {

class [[autoshard::entity("seteqf")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if (a.find(6071) != a.end() && a.find(7080) != a.end() && a.find(6071) != a.find(7080))
      for (const int k : b)
        if (k != 6071 && k != 7080) a.erase(k);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace seteqf_case

namespace dbl_case {

struct Two {
  double x;
};
class [[autoshard::entity("dbl")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int z) {
    if (x > 5000 && z != x) {
      const auto at = totals_.find(x);
      if (at != totals_.end() && at->second < -5001) totals_[z] = 9;
    }
  }

 private:
  using Totals = std::map<int, double>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      const auto at = a.find(k);
      if (at == a.end() || at->second < v) a[k] = v;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace dbl_case

namespace mapeq_case {

class [[autoshard::entity("mapeq")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    if (x > 5000 && x % 1009 == 17 && z != x) {
      const auto i = totals_.find(x);
      const auto j = totals_.find(y);
      if (i != totals_.end() && i == j) totals_[z] = false;
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

}  // namespace mapeq_case
