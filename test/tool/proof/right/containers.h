// Sets, maps, multisets, sequences in any order, and texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace containers {

/// A union of sets, by inserting a range.
class [[autoshard::entity]] Readers {
 public:
  explicit Readers(int book) : book_(book) {}
  [[autoshard::shard_method]] void read(std::string who) { who_.insert(std::move(who)); }
  [[autoshard::shard_write]] void forget() { who_.clear(); }
  std::size_t count() const { return who_.size(); }

 private:
  using Names = std::set<std::string>;
  [[autoshard::shard_fold]] static Names unite(Names a, const Names& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int book_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Names who_;
};

/// A union of sets, by merging nodes.
class [[autoshard::entity]] Ports {
 public:
  explicit Ports(std::uint32_t host) : host_(host) {}
  [[autoshard::shard_method]] void open(std::uint16_t port) { ports_.emplace(port); }
  [[autoshard::shard_method]] void open(const std::vector<std::uint16_t>& ports) {
    for (const std::uint16_t port : ports) ports_.insert(port);
  }
  bool is_open(std::uint16_t port) const { return ports_.contains(port); }

 private:
  [[autoshard::shard_fold]] static std::set<std::uint16_t> join(std::set<std::uint16_t> a,
                                                                std::set<std::uint16_t> b) {
    a.merge(b);
    return a;
  }

  [[autoshard::id]] std::uint32_t host_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] std::set<std::uint16_t> ports_;
};

/// A union of sets that hash, element by element.
class [[autoshard::entity]] Tags {
 public:
  explicit Tags(int picture) : picture_(picture) {}
  [[autoshard::shard_method]] void tag(const std::string& word) {
    if (!word.empty()) tags_.insert(word);
  }
  std::size_t tags() const { return tags_.size(); }

 private:
  using Words = std::unordered_set<std::string>;
  [[autoshard::shard_fold]] static Words both(const Words& a, const Words& b) {
    Words words = a;
    for (const std::string& word : b) words.insert(word);
    return words;
  }

  [[autoshard::id]] int picture_;
  [[autoshard::shardable(neutral = Words{}, shards = 4)]] Words tags_;
};

/// A union by the algorithm.
class [[autoshard::entity]] Badges {
 public:
  enum class Badge : std::uint8_t { kBronze, kSilver, kGold };
  explicit Badges(int user) : user_(user) {}
  [[autoshard::shard_method]] void earn(Badge badge) { badges_.insert(badge); }
  bool has(Badge badge) const { return badges_.count(badge) != 0; }

 private:
  using All = std::set<Badge>;
  [[autoshard::shard_fold]] static All unite(const All& a, const All& b) {
    All all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(all, all.end()));
    return all;
  }

  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = All(), shards = 2)]] All badges_;
};

/// Sums by key.
class [[autoshard::entity]] Revenue {
 public:
  explicit Revenue(int year) : year_(year) {}
  [[autoshard::shard_method]] void sell(const std::string& country, std::int64_t cents) {
    by_country_[country] += cents;
  }
  std::int64_t of(const std::string& country) const {
    const auto found = by_country_.find(country);
    return found == by_country_.end() ? 0 : found->second;
  }

 private:
  using Sums = std::map<std::string, std::int64_t>;
  [[autoshard::shard_fold]] static Sums add(Sums a, const Sums& b) {
    for (const auto& [country, cents] : b) a[country] += cents;
    return a;
  }

  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Sums by_country_;
};

/// Sums by key, in a map that hashes, through iterators.
class [[autoshard::entity]] Words {
 public:
  explicit Words(int text) : text_(text) {}
  [[autoshard::shard_method]] void use(std::string word) { ++counts_[std::move(word)]; }
  std::size_t different() const { return counts_.size(); }

 private:
  using Counts = std::unordered_map<std::string, unsigned>;
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    for (auto at = b.begin(); at != b.end(); ++at) {
      const auto [entry, is_new] = a.emplace(at->first, at->second);
      if (!is_new) entry->second += at->second;
    }
    return a;
  }

  [[autoshard::id]] int text_;
  [[autoshard::shardable(neutral = Counts{}, shards = 8)]] Counts counts_;
};

/// A maximum by key.
class [[autoshard::entity]] Records {
 public:
  explicit Records(std::string sport) : sport_(std::move(sport)) {}
  [[autoshard::shard_method]] void result(std::uint32_t athlete, std::uint32_t points) {
    std::uint32_t& best = best_[athlete];
    best = std::max(best, points);
  }
  std::size_t athletes() const { return best_.size(); }

 private:
  using Best = std::map<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Best better(Best a, const Best& b) {
    for (const auto& [athlete, points] : b) a[athlete] = std::max(a[athlete], points);
    return a;
  }

  [[autoshard::id]] std::string sport_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Best best_;
};

/// A minimum by key, where a key that is missing has no value.
class [[autoshard::entity]] Offers {
 public:
  explicit Offers(int tender) : tender_(tender) {}
  [[autoshard::shard_method]] void offer(std::int32_t supplier, std::int64_t cents) {
    const auto [entry, is_new] = lowest_.try_emplace(supplier, cents);
    if (!is_new && cents < entry->second) entry->second = cents;
  }
  std::size_t suppliers() const { return lowest_.size(); }

 private:
  using Lowest = std::map<std::int32_t, std::int64_t>;
  [[autoshard::shard_fold]] static Lowest lower(Lowest a, const Lowest& b) {
    for (const auto& [supplier, cents] : b) {
      const auto found = a.find(supplier);
      if (found == a.end()) {
        a.emplace(supplier, cents);
      } else {
        found->second = std::min(found->second, cents);
      }
    }
    return a;
  }

  [[autoshard::id]] int tender_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Lowest lowest_;
};

/// A multiset, as a count by element.
class [[autoshard::entity]] Basket {
 public:
  explicit Basket(int customer) : customer_(customer) {}
  [[autoshard::shard_method]] void put(std::uint64_t article, int pieces = 1) { pieces_[article] += pieces; }
  [[autoshard::shard_method]] void take(std::uint64_t article) { --pieces_[article]; }
  std::size_t articles() const { return pieces_.size(); }

 private:
  [[autoshard::id]] int customer_;
  [[autoshard::shardable(
      neutral = {}, shards = 2,
      fold =
          [](std::map<std::uint64_t, int> a, const std::map<std::uint64_t, int>& b) {
            for (const auto& [article, pieces] : b) a[article] += pieces;
            return a;
          })]] std::map<std::uint64_t, int>
      pieces_;
};

/// A union of sets by key.
class [[autoshard::entity]] Index {
 public:
  explicit Index(int library) : library_(library) {}
  [[autoshard::shard_method]] void add(const std::string& word, int page) { pages_[word].insert(page); }
  std::size_t words() const { return pages_.size(); }

 private:
  using Pages = std::map<std::string, std::set<int>>;
  [[autoshard::shard_fold]] static Pages unite(Pages a, const Pages& b) {
    for (const auto& [word, pages] : b) a[word].insert(pages.begin(), pages.end());
    return a;
  }

  [[autoshard::id]] int library_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Pages pages_;
};

/// A struct of sum and count by key.
class [[autoshard::entity]] Marks {
 public:
  explicit Marks(int school) : school_(school) {}
  [[autoshard::shard_method]] void mark(int pupil, int points) {
    Mean& mean = means_[pupil];
    mean.points += points;
    mean.count += 1;
  }
  std::size_t pupils() const { return means_.size(); }

 private:
  struct Mean {
    long points = 0;
    int count = 0;
  };
  using Means = std::map<int, Mean>;
  [[autoshard::shard_fold]] static Means add(const Means& a, const Means& b) {
    Means sum = a;
    for (const auto& [pupil, mean] : b) {
      sum[pupil].points += mean.points;
      sum[pupil].count += mean.count;
    }
    return sum;
  }

  [[autoshard::id]] int school_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Means means_;
};

/// The last value by key: the later one, and of two at one time the greater one.
class [[autoshard::entity]] Settings {
 public:
  explicit Settings(int user) : user_(user) {}
  [[autoshard::shard_method]] void set(const std::string& name, std::uint64_t at, const std::string& value) {
    Value& last = values_[name];
    last = std::max(last, Value(at, value));
  }
  std::size_t names() const { return values_.size(); }

 private:
  using Value = std::pair<std::uint64_t, std::string>;
  using Values = std::map<std::string, Value>;
  [[autoshard::shard_fold]] static Values last(Values a, const Values& b) {
    for (const auto& [name, value] : b) {
      if (Value& mine = a[name]; mine < value) mine = value;
    }
    return a;
  }

  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Values values_;
};

/// A vector whose order does not matter.
class [[autoshard::entity]] Guests {
 public:
  explicit Guests(int party) : party_(party) {}
  [[autoshard::shard_method]] void come(std::string name) { names_.push_back(std::move(name)); }
  std::size_t guests() const { return names_.size(); }

 private:
  using Names = std::vector<std::string>;
  [[autoshard::shard_fold]] static Names join(Names a, const Names& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int party_;
  [[autoshard::shardable(neutral = {}, shards = 4, order = any)]] Names names_;
};

/// A list whose order does not matter.
class [[autoshard::entity]] Samples {
 public:
  explicit Samples(int test) : test_(test) {}
  [[autoshard::shard_method]] void add(int value, int times) {
    for (int i = 0; i < times; ++i) values_.push_front(value);
  }
  std::size_t values() const { return values_.size(); }

 private:
  [[autoshard::shard_fold]] static std::list<int> join(std::list<int> a, std::list<int> b) {
    b.splice(b.begin(), a);
    return b;
  }

  [[autoshard::id]] int test_;
  [[autoshard::shardable(neutral = {}, shards = 4, order = any)]] std::list<int> values_;
};

/// A deque whose order does not matter, joined by an algorithm.
class [[autoshard::entity]] Errands {
 public:
  explicit Errands(int day) : day_(day) {}
  [[autoshard::shard_method]] void add(std::uint32_t place) { places_.emplace_back(place); }
  std::size_t places() const { return places_.size(); }

 private:
  using Places = std::deque<std::uint32_t>;
  [[autoshard::shard_fold]] static Places join(const Places& a, const Places& b) {
    Places all(a);
    std::copy(b.begin(), b.end(), std::back_inserter(all));
    return all;
  }

  [[autoshard::id]] int day_;
  [[autoshard::shardable(neutral = Places{}, shards = 2, order = any)]] Places places_;
};

/// Sums by position; the shorter vector counts as filled with zeros.
class [[autoshard::entity]] Chapters {
 public:
  explicit Chapters(int book) : book_(book) {}
  [[autoshard::shard_method]] void read(std::uint8_t chapter) {
    if (readers_.size() <= chapter) readers_.resize(chapter + std::size_t{1});
    ++readers_[chapter];
  }
  std::size_t chapters() const { return readers_.size(); }

 private:
  using Counts = std::vector<unsigned>;
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    if (a.size() < b.size()) a.resize(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int book_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts readers_;
};

/// The longest text; of two as long, the greater one.
class [[autoshard::entity]] LongestWord {
 public:
  explicit LongestWord(int text) : text_(text) {}
  [[autoshard::shard_method]] void read(const std::string& word) { longest_ = longer(longest_, word); }
  const std::string& longest() const { return longest_; }

 private:
  [[autoshard::shard_fold]] static std::string longer(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return a.size() < b.size() ? b : a;
    return std::max(a, b);
  }

  [[autoshard::id]] int text_;
  [[autoshard::shardable(neutral = std::string(), shards = 2)]] std::string longest_;
};

/// The first name in the alphabet, where there is any.
class [[autoshard::entity]] Register {
 public:
  explicit Register(int parish) : parish_(parish) {}
  [[autoshard::shard_method]] void enter(const std::string& name) {
    if (!first_ || name < *first_) first_ = name;
  }
  bool is_empty() const { return !first_; }

 private:
  using Name = std::optional<std::string>;
  [[autoshard::shard_fold]] static Name earlier(const Name& a, const Name& b) {
    if (!a || !b) return a ? a : b;
    return *b < *a ? b : a;
  }

  [[autoshard::id]] int parish_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Name first_;
};

/// Elements that were touched an odd number of times: a symmetric difference.
class [[autoshard::entity]] Toggles {
 public:
  explicit Toggles(int board) : board_(board) {}
  [[autoshard::shard_method]] void toggle(int key) { on_ = differ(on_, {key}); }
  bool is_on(int key) const { return on_.contains(key); }

 private:
  using Keys = std::set<int>;
  [[autoshard::shard_fold]] static Keys differ(const Keys& a, const Keys& b) {
    Keys one;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(one, one.end()));
    return one;
  }

  [[autoshard::id]] int board_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Keys on_;
};

/// What was taken in each country. Sums of floating-point numbers, also where a key is missing.
class [[autoshard::entity]] Takings {
 public:
  explicit Takings(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void take(const std::string& country, double euros) {
    euros_[country] += euros;
  }
  bool has(const std::string& country) const { return euros_.contains(country); }

 private:
  using Euros = std::map<std::string, double>;
  [[autoshard::shard_fold]] static Euros add(Euros a, const Euros& b) {
    for (const auto& [country, euros] : b) a[country] += euros;
    return a;
  }

  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Euros euros_;
};

}  // namespace containers
