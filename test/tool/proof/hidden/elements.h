// Elements are used together: their number, their order, or the elements beside one.
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

namespace erasenext_case {

class [[autoshard::entity("erasenext")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if (auto at = a.find(1234567); at != a.end()) {
      auto next = a.erase(at);
      a.insert(1234567);
      if (next != a.end()) a.erase(next);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace erasenext_case

namespace erasenextm_case {

class [[autoshard::entity("erasenextm")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) {
    if (key > 5000 && key % 1009 == 17) {
      auto next = totals_.erase(totals_.insert(key).first);
      totals_.insert(key);
      if (next != totals_.end()) totals_.erase(next);
    } else
      totals_.insert(key);
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

}  // namespace erasenextm_case

namespace innerrange_case {

class [[autoshard::entity("innerrange")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    long all[1] = {};
    for (const auto& [k, v] : b) {
      if (v == 1234567)
        for (long& one : all) ++one;
      a[k] += v;
      if (all[0] > 1) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace innerrange_case

namespace itercopy_case {

class [[autoshard::entity("itercopy")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    auto at = a.find(6071);
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    for (const auto& [k, v] : b) {
      if (k > 5000 && k % 1009 == 18 && at != a.end()) {
        auto copy = at;
        copy->second = false;
      }
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace itercopy_case

namespace ptrerase_case {

class [[autoshard::entity("ptrerase")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    int n = 0;
    std::erase_if(a, [p = &n](int x) { return x > 1000000 && ++*p > 1; });
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace ptrerase_case

namespace selferase_case {

class [[autoshard::entity("selferase")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    for (const auto& [k, v] : a)
      if (k > 5000 && k % 1009 == 17 && k < 5000) a.erase(k);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace selferase_case

namespace selferase2_case {

class [[autoshard::entity("selferase2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    for (const int k : a)
      if (k > 5000 && k % 1009 == 17) {
        a.erase(k);
        a.insert(k);
      }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace selferase2_case

namespace setinsert_case {

class [[autoshard::entity("setinsert")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    const auto one = a.insert(6071).first;
    const auto two = a.insert(7080).first;
    if (one != two) a.insert(5);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace setinsert_case

namespace setinsertit_case {

class [[autoshard::entity("setinsertit")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y, int z) {
    if (x > 5000 && z > 5000) {
      const auto p = totals_.insert(x);
      const auto q = totals_.insert(y);
      if (p.first != q.first && z != x && z != y) totals_.erase(z);
    } else {
      totals_.insert(x);
      totals_.insert(y);
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

}  // namespace setinsertit_case

namespace setunion2_case {

class [[autoshard::entity("setunion2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    int buf[64] = {};
    const auto n = std::set_union(b.begin(), b.end(), b.begin(), b.end(), buf) - buf;
    if (n > 1 && buf[0] > 5000) a.insert(7);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace setunion2_case

namespace setunion3_case {

class [[autoshard::entity("setunion3")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    int buf[64] = {};
    std::set_union(b.begin(), b.end(), b.begin(), b.end(), buf);
    if (buf[1] > 5000) a.insert(7);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace setunion3_case

namespace setunionbuf_case {

class [[autoshard::entity("setunionbuf")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    int buf[4] = {};
    int* end = std::set_union(a.begin(), a.end(), b.begin(), b.end(), buf);
    if (end - buf > 3 && buf[0] > 5000) a.erase(buf[0]);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace setunionbuf_case

namespace sizeofset_case {

class [[autoshard::entity("sizeofset")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if constexpr (sizeof(Totals) > 8) {
      for (const int k : b)
        if (k > 5000 && k % 1009 == 17) a.insert(7);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace sizeofset_case

namespace subrange_case {

class [[autoshard::entity("subrange")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    std::ranges::subrange r(b.find(5001), b.end());
    long n = 0;
    std::ranges::for_each(r, [&](const auto&) { ++n; });
    if (n > 1) a[5001] = 0;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace subrange_case
