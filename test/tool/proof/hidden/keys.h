// Folds and updates that break a law where elements of different keys meet, mostly for two values that are
// rarely tried. Each hides that in another way: none may be proved key by key. The broken law is that of the
// fold, or, of the last four classes, that of the update.
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
