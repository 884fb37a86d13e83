// An object is used after a move, or exchanged with another one.
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

namespace movealg_case {

class [[autoshard::entity("movealg")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    int buf[4] = {};
    std::move(b.begin(), b.end(), buf);
    if (buf[1] > 5000 && buf[1] % 1009 == 17) a.insert(7);
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace movealg_case

namespace movebegin_case {

class [[autoshard::entity("movebegin")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    if (auto at = std::move(b.begin()); at != b.end() && *at > 5000 && *at % 1009 == 17)
      for (const int k : b) {
        if (k != *at) a.erase(k);
      }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace movebegin_case

namespace movebegin2_case {

class [[autoshard::entity("movebegin2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) a[k] += v;
    if (auto at = std::move(b.begin()); at != b.end()) {
      const int first = at->first;
      for (const auto& [k, v] : b)
        if (first > 5000 && first != k) a[k] = 0;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace movebegin2_case

namespace movedstr_case {

class [[autoshard::entity("movedstr")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(const std::string& key) { totals_.insert(key); }

 private:
  using Totals = std::set<std::string>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (std::string k : b) {
      std::set<std::string> c;
      const bool odd = k > std::string();
      c.insert(std::move(k));
      a.insert(k);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace movedstr_case

namespace swapref2_case {

class [[autoshard::entity("swapref2")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    if (a.find(6071) != a.end() && a.find(7080) != a.end()) {
      bool& p = a.find(6071)->second;
      Totals c;
      a.swap(c);
      p = !p;
      a.swap(c);
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace swapref2_case

namespace swapref3_case {

class [[autoshard::entity("swapref3")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_[key] = true; }

 private:
  using Totals = std::map<int, bool>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    for (const auto& [k, v] : b) {
      bool& s = a[k];
      s = s || v;
    }
    if (const auto at = a.find(6071); at != a.end()) {
      bool& p = at->second;
      const bool was = p;
      Totals c;
      a.swap(c);
      p = false;
      a.swap(c);
      p = was;
      a.swap(c);
      if (c.find(6071)->second != was) c.clear();
      return c;
    }
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace swapref3_case

namespace usedmoved_case {

class [[autoshard::entity("usedmoved")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    std::set<int> c = std::move(a);
    a.insert(b.begin(), b.end());
    return a;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace usedmoved_case

namespace swapref_case {

class [[autoshard::entity("swapref")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int x, int y) {
    if (const auto at = totals_.find(x); x > 5000 && at != totals_.end() && at->second) {
      Totals c;
      bool& p = at->second;
      totals_.swap(c);
      p = true;
      totals_.swap(c);
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

}  // namespace swapref_case

namespace freeswap_case {

class [[autoshard::entity("freeswap")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    a.insert(b.begin(), b.end());
    std::set<int> c;
    std::swap(a, c);
    a.insert(c.begin(), c.end());
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace freeswap_case

namespace usermove_case {

class [[autoshard::entity("usermove")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key) { totals_.insert(key); }

 private:
  using Totals = std::set<int>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    std::set<int> c = std::move(a);
    c.insert(b.begin(), b.end());
    if (c.contains(5001) && c.contains(5003)) {
      a.insert(b.begin(), b.end());
      return a;
    }
    return c;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace usermove_case

namespace usermovem_case {

class [[autoshard::entity("usermovem")]] Ledger {
 public:
  [[autoshard::shard_method]] void add(int key, long amount) { totals_[key] += amount; }

 private:
  using Totals = std::map<int, long>;
  [[autoshard::shard_fold]] static Totals join(Totals a, const Totals& b) {
    Totals c = std::move(a);
    for (const auto& [k, v] : b) {
      if (v % 1009 == 17 && v > 5000)
        c[k] = a[k] + v;
      else
        c[k] += v;
    }
    return c;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Totals totals_;
};

}  // namespace usermovem_case
