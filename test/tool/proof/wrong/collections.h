// Sets, maps and sequences that lose elements, keep the left value, or depend on their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace collections {

// wrong: `insert` keeps the left value of a key that both maps have: {1: 2} and {1: 3}
class [[autoshard::entity]] Nicknames {
 public:
  explicit Nicknames(int forum) : forum_(forum) {}
  [[autoshard::shard_method]] void name(std::uint32_t user, std::uint32_t nick) { nicks_[user] = nick; }
  std::size_t users() const { return nicks_.size(); }

 private:
  using Nicks = std::map<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Nicks join(Nicks a, const Nicks& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int forum_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Nicks nicks_;
};

// wrong: `merge` of maps keeps the left value, though the updates add
class [[autoshard::entity]] Stock {
 public:
  explicit Stock(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void deliver(std::uint64_t article, int pieces) { pieces_[article] += pieces; }
  std::size_t articles() const { return pieces_.size(); }

 private:
  using Pieces = std::map<std::uint64_t, int>;
  [[autoshard::shard_fold]] static Pieces join(Pieces a, Pieces b) {
    a.merge(b);
    return a;
  }

  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Pieces pieces_;
};

// wrong: `a[key] = value` lets the right map win
class [[autoshard::entity]] Prices {
 public:
  explicit Prices(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void price(const std::string& article, std::int64_t cents) {
    cents_[article] = cents;
  }
  std::size_t articles() const { return cents_.size(); }

 private:
  using Cents = std::unordered_map<std::string, std::int64_t>;
  [[autoshard::shard_fold]] static Cents join(Cents a, const Cents& b) {
    for (const auto& [article, cents] : b) a[article] = cents;
    return a;
  }

  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Cents cents_;
};

// wrong: `erase` takes the element from one shard only
class [[autoshard::entity]] Online {
 public:
  explicit Online(int room) : room_(room) {}
  [[autoshard::shard_method]] void come(std::string user) { users_.insert(std::move(user)); }
  [[autoshard::shard_method]] void go(const std::string& user) { users_.erase(user); }
  std::size_t users() const { return users_.size(); }

 private:
  using Users = std::set<std::string>;
  [[autoshard::shard_fold]] static Users unite(Users a, const Users& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int room_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Users users_;
};

// wrong: the last hundred of two lists are those of the right one
class [[autoshard::entity]] Recent {
 public:
  explicit Recent(int user) : user_(user) {}
  [[autoshard::shard_method]] void visit(std::uint64_t page) {
    pages_.push_back(page);
    if (pages_.size() > kMost) pages_.pop_front();
  }
  std::size_t pages() const { return pages_.size(); }

 private:
  static constexpr std::size_t kMost = 100;
  using Pages = std::deque<std::uint64_t>;
  [[autoshard::shard_fold]] static Pages join(Pages a, const Pages& b) {
    a.insert(a.end(), b.begin(), b.end());
    while (a.size() > kMost) a.pop_front();
    return a;
  }

  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = {}, shards = 2, order = any)]] Pages pages_;
};

// wrong: the order of the elements matters, as nothing says that it does not
class [[autoshard::entity]] Steps {
 public:
  explicit Steps(int recipe) : recipe_(recipe) {}
  [[autoshard::shard_method]] void add(std::string step) { steps_.push_back(std::move(step)); }
  std::size_t steps() const { return steps_.size(); }

 private:
  using Texts = std::vector<std::string>;
  [[autoshard::shard_fold]] static Texts join(Texts a, const Texts& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int recipe_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Texts steps_;
};

// wrong: the intersection of sets has no empty neutral value
class [[autoshard::entity]] Common {
 public:
  explicit Common(int group) : group_(group) {}
  [[autoshard::shard_method]] void like(int topic) { topics_.insert(topic); }
  std::size_t topics() const { return topics_.size(); }

 private:
  using Topics = std::set<int>;
  [[autoshard::shard_fold]] static Topics both(const Topics& a, const Topics& b) {
    Topics common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(common, common.end()));
    return common;
  }

  [[autoshard::id]] int group_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Topics topics_;
};

// wrong: elements of the left set that the right one lacks: a difference is not commutative
class [[autoshard::entity]] Todo {
 public:
  explicit Todo(int list) : list_(list) {}
  [[autoshard::shard_method]] void add(int task) { tasks_.insert(task); }
  std::size_t tasks() const { return tasks_.size(); }

 private:
  using Tasks = std::unordered_set<int>;
  [[autoshard::shard_fold]] static Tasks without(Tasks a, const Tasks& b) {
    for (const int task : b) a.erase(task);
    return a;
  }

  [[autoshard::id]] int list_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Tasks tasks_;
};

// wrong: per-key sums, but only for keys that the left map has
class [[autoshard::entity]] Words {
 public:
  explicit Words(int text) : text_(text) {}
  [[autoshard::shard_method]] void use(const std::string& word) { ++counts_[word]; }
  std::size_t different() const { return counts_.size(); }

 private:
  using Counts = std::map<std::string, unsigned>;
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    for (auto& [word, count] : a) {
      if (const auto found = b.find(word); found != b.end()) count += found->second;
    }
    return a;
  }

  [[autoshard::id]] int text_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts counts_;
};

// wrong: the mean by key is halved at each fold
class [[autoshard::entity]] Marks {
 public:
  explicit Marks(int school) : school_(school) {}
  [[autoshard::shard_method]] void mark(int pupil, int points) { means_[pupil] = points; }
  std::size_t pupils() const { return means_.size(); }

 private:
  using Means = std::map<int, int>;
  [[autoshard::shard_fold]] static Means join(Means a, const Means& b) {
    for (const auto& [pupil, mean] : b) {
      const auto [entry, is_new] = a.try_emplace(pupil, mean);
      if (!is_new) entry->second = (entry->second + mean) / 2;
    }
    return a;
  }

  [[autoshard::id]] int school_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Means means_;
};

// wrong: five elements stay of a set, but those that were inserted first by the update and the smallest by
// the fold
class [[autoshard::entity]] Winners {
 public:
  explicit Winners(int raffle) : raffle_(raffle) {}
  [[autoshard::shard_method]] void draw(std::uint32_t ticket) {
    if (tickets_.size() < kMost) tickets_.insert(ticket);
  }
  std::size_t winners() const { return tickets_.size(); }

 private:
  static constexpr std::size_t kMost = 5;
  using Tickets = std::set<std::uint32_t>;
  [[autoshard::shard_fold]] static Tickets join(Tickets a, const Tickets& b) {
    a.insert(b.begin(), b.end());
    while (a.size() > kMost) a.erase(std::prev(a.end()));
    return a;
  }

  [[autoshard::id]] int raffle_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Tickets tickets_;
};

// wrong: sums by position, but only as far as the shorter vector goes
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
    const std::size_t both = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < both; ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int book_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts readers_;
};

// wrong: the loop ends at the first key that both maps have, so the keys behind it are lost
class [[autoshard::entity]] Visits {
 public:
  explicit Visits(int site) : site_(site) {}
  [[autoshard::shard_method]] void visit(int page) { ++counts_[page]; }
  std::size_t pages() const { return counts_.size(); }

 private:
  using Counts = std::map<int, unsigned>;
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    for (const auto& [page, count] : b) {
      const auto [entry, is_new] = a.try_emplace(page, count);
      if (is_new) continue;
      entry->second += count;
      break;
    }
    return a;
  }

  [[autoshard::id]] int site_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts counts_;
};

// wrong: the fold puts each value under another key
class [[autoshard::entity]] Distances {
 public:
  explicit Distances(int car) : car_(car) {}
  [[autoshard::shard_method]] void drive(int day, unsigned metres) { metres_[day] += metres; }
  std::size_t days() const { return metres_.size(); }

 private:
  using Metres = std::map<int, unsigned>;
  [[autoshard::shard_fold]] static Metres add(Metres a, const Metres& b) {
    for (const auto& [day, metres] : b) a[day + 1] += metres;
    return a;
  }

  [[autoshard::id]] int car_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Metres metres_;
};

// wrong: which elements stay depends on the order in which the set gives them
class [[autoshard::entity]] Chosen {
 public:
  explicit Chosen(int poll) : poll_(poll) {}
  [[autoshard::shard_method]] void choose(int topic) { topics_ = few(topics_, {topic}); }
  std::size_t topics() const { return topics_.size(); }

 private:
  using Topics = std::unordered_set<int>;
  [[autoshard::shard_fold]] static Topics few(Topics a, const Topics& b) {
    for (const int topic : b) {
      if (a.size() < 2) a.insert(topic);
    }
    return a;
  }

  [[autoshard::id]] int poll_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Topics topics_;
};

// wrong: each visit inserts what the shard has counted, which is no number of all visits
class [[autoshard::entity]] Numbering {
 public:
  explicit Numbering(int page) : page_(page) {}
  [[autoshard::shard_method]] void visit() {
    numbers_.insert(count_);
    ++count_;
  }
  std::size_t visits() const { return numbers_.size(); }

 private:
  using Numbers = std::set<long>;
  [[autoshard::shard_fold]] static Numbers unite(Numbers a, const Numbers& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int page_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Numbers numbers_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long count_ = 0;
};

// wrong: the place of an element is that in its shard
class [[autoshard::entity]] Places {
 public:
  explicit Places(int line) : line_(line) {}
  [[autoshard::shard_method]] void join() { places_.push_back(static_cast<int>(places_.size())); }
  std::size_t waiting() const { return places_.size(); }

 private:
  using List = std::vector<int>;
  [[autoshard::shard_fold]] static List append(List a, const List& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int line_;
  [[autoshard::shardable(neutral = {}, shards = 4, order = any)]] List places_;
};

// wrong: the key is what the shard has counted
class [[autoshard::entity]] Laps {
 public:
  explicit Laps(int runner) : runner_(runner) {}
  [[autoshard::shard_method]] void run(int metres) { metres_[laps_] += metres; }
  [[autoshard::shard_method]] void finish() { ++laps_; }
  std::size_t laps() const { return metres_.size(); }

 private:
  using Metres = std::map<long, int>;
  [[autoshard::shard_fold]] static Metres add(Metres a, const Metres& b) {
    for (const auto& [lap, metres] : b) a[lap] += metres;
    return a;
  }

  [[autoshard::id]] int runner_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Metres metres_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long laps_ = 0;
};

// wrong: a word empties what has a hundred words, of which a shard sees its own
class [[autoshard::entity]] Vocabulary {
 public:
  explicit Vocabulary(int pupil) : pupil_(pupil) {}
  [[autoshard::shard_method]] void learn(const std::string& word) {
    if (word == "again" && words_.size() >= 100) {
      words_.clear();
    } else {
      words_.insert(word);
    }
  }
  std::size_t words() const { return words_.size(); }

 private:
  using Words = std::set<std::string>;
  [[autoshard::shard_fold]] static Words unite(Words a, const Words& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] int pupil_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Words words_;
};

// wrong: the second shard counts half where both have the key
class [[autoshard::entity]] Quotes {
 public:
  explicit Quotes(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void quote(const std::string& article, double euros) {
    euros_[article] += euros;
  }
  bool has(const std::string& article) const { return euros_.contains(article); }

 private:
  using Euros = std::map<std::string, double>;
  [[autoshard::shard_fold]] static Euros mix(Euros a, const Euros& b) {
    for (const auto& [article, euros] : b) a[article] += a.contains(article) ? euros / 2 : euros;
    return a;
  }

  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Euros euros_;
};

}  // namespace collections
