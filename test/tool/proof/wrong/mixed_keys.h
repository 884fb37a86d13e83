// Folds and updates of sets and maps in which elements of different keys meet: to look at one key shows
// nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace mixed_keys {

// wrong: each fold moves the values of the right side by one key
class [[autoshard::entity]] Staircase {
 public:
  explicit Staircase(int house) : house_(house) {}
  [[autoshard::shard_method]] void climb(std::uint32_t floor) { ++visits_[floor]; }
  std::size_t floors() const { return visits_.size(); }

 private:
  using Visits = std::map<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Visits add(Visits a, const Visits& b) {
    for (const auto& [floor, visits] : b) a[floor + 1] += visits;
    return a;
  }

  [[autoshard::id]] int house_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Visits visits_;
};

// wrong: of the right side, only the first element is kept
class [[autoshard::entity]] Podium {
 public:
  explicit Podium(int race) : race_(race) {}
  [[autoshard::shard_method]] void finish(std::uint32_t runner) { runners_.insert(runner); }
  std::size_t runners() const { return runners_.size(); }

 private:
  using Runners = std::set<std::uint32_t>;
  [[autoshard::shard_fold]] static Runners first(Runners a, const Runners& b) {
    for (const std::uint32_t runner : b) {
      a.insert(runner);
      break;
    }
    return a;
  }

  [[autoshard::id]] int race_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Runners runners_;
};

// wrong: at most two elements of the right side are kept
class [[autoshard::entity]] Shortlist {
 public:
  explicit Shortlist(int post) : post_(post) {}
  [[autoshard::shard_method]] void apply(std::uint32_t person) { people_.insert(person); }
  std::size_t people() const { return people_.size(); }

 private:
  using People = std::set<std::uint32_t>;
  [[autoshard::shard_fold]] static People some(People a, const People& b) {
    int kept = 0;
    for (const std::uint32_t person : b) {
      if (++kept <= 2) a.insert(person);
    }
    return a;
  }

  [[autoshard::id]] int post_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] People people_;
};

// wrong: each key of the right side gets the greatest value of all of them
class [[autoshard::entity]] Levels {
 public:
  explicit Levels(int building) : building_(building) {}
  [[autoshard::shard_method]] void measure(std::uint32_t place, std::uint32_t level) {
    std::uint32_t& stored = levels_[place];
    stored = std::max(stored, level);
  }
  std::size_t places() const { return levels_.size(); }

 private:
  using Heights = std::map<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Heights higher(Heights a, const Heights& b) {
    std::uint32_t greatest = 0;
    for (const auto& [place, level] : b) greatest = std::max(greatest, level);
    for (const auto& [place, level] : b) a[place] = std::max(a[place], greatest);
    return a;
  }

  [[autoshard::id]] int building_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Heights levels_;
};

// wrong: the right side is turned around, so that keys become elements and elements become keys
class [[autoshard::entity]] Links {
 public:
  explicit Links(int site) : site_(site) {}
  [[autoshard::shard_method]] void link(std::uint32_t from, std::uint32_t to) { pages_[from].insert(to); }
  std::size_t pages() const { return pages_.size(); }

 private:
  using Pages = std::map<std::uint32_t, std::set<std::uint32_t>>;
  [[autoshard::shard_fold]] static Pages join(Pages a, const Pages& b) {
    for (const auto& [from, all] : b) {
      for (const std::uint32_t to : all) a[to].insert(from);
    }
    return a;
  }

  [[autoshard::id]] int site_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Pages pages_;
};

// wrong: all elements but two are removed, whichever they are
class [[autoshard::entity]] Seats {
 public:
  explicit Seats(int car) : car_(car) {}
  [[autoshard::shard_method]] void sit(std::uint32_t person) { people_.insert(person); }
  std::size_t people() const { return people_.size(); }

 private:
  using People = std::set<std::uint32_t>;
  [[autoshard::shard_fold]] static People seated(People a, const People& b) {
    a.insert(b.begin(), b.end());
    std::erase_if(a, [seen = 0](std::uint32_t) mutable { return ++seen > 2; });
    return a;
  }

  [[autoshard::id]] int car_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] People people_;
};

// wrong: an update gives each person as many points as all have together
class [[autoshard::entity]] Potluck {
 public:
  explicit Potluck(int evening) : evening_(evening) {}
  [[autoshard::shard_method]] void bring(std::uint32_t person, std::uint32_t dishes) {
    dishes_[person] += dishes;
    std::uint32_t all = 0;
    for (const auto& [who, brought] : dishes_) all += brought;
    for (auto& [who, brought] : dishes_) brought = all;
  }
  std::size_t people() const { return dishes_.size(); }

 private:
  using Dishes = std::map<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Dishes add(Dishes a, const Dishes& b) {
    for (const auto& [person, dishes] : b) a[person] += dishes;
    return a;
  }

  [[autoshard::id]] int evening_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Dishes dishes_;
};

}  // namespace mixed_keys
