// Random updates by programs of two versions of a class, on one store in turn, with compactions by both in
// between, some of which are killed: a load of the later version always has all that was acknowledged.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "entities/versions/topic.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using forum::UnshardedTopic;
using Texts = std::vector<std::string>;
using Stars = std::map<std::string, int>;

/// `Earlier` and `Later`: the versions. What is expected of a load of `Later`:
/// - of a post that it is there once; if both are groups, also the order;
/// - of a reader's stars the last value. Where the earlier version is no group, and both have rated, that of
///   either: parts of the earlier version do not tell when a key was written;
/// - where the earlier version replaces a collection, that nothing older is there.
template <class Later, class Earlier>
class Model {
 public:
  Model(Store& store, std::mt19937_64::result_type seed)
      : generator_(seed),
        faulty_(store),
        combining_(store, kOptions),
        alone_(faulty_, {.combine = false, .compact_every = std::chrono::milliseconds(0)}) {}

  void run(int steps) {
    begin();
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) step();
    combining_.erase<Later>(1);
  }

 private:
  static constexpr bool kIsUnsharded = std::is_same_v<Earlier, UnshardedTopic>;
  static constexpr bool kAreGroups = std::is_same_v<Earlier, forum::GroupedTopic>;
  static constexpr bool kReplaces = std::is_same_v<Earlier, forum::ReplacingTopic>;
  /// Its compaction discards what no window has written.
  static constexpr bool kIsTimed = std::is_same_v<Earlier, forum::WindowedTopic>;
  /// Several shards may hold a key, and the later version cannot tell which value is the last.
  static constexpr bool kIsSpread = kIsTimed || std::is_same_v<Earlier, forum::SpreadTopic>;
  inline static const MapperOptions kOptions{.compact_every = std::chrono::milliseconds(0)};

  struct Rating {
    std::optional<int> by_earlier, by_later;
    int last = 0;
  };

  Mapper& mapper() { return below(generator_, 2) == 0 ? combining_ : alone_; }
  std::string new_text() { return "post " + std::to_string(++texts_); }
  std::string reader(const char* who) { return who + std::to_string(below(generator_, 2)); }

  void begin() {
    posts_.clear();
    stars_.clear();
    below(generator_, 2) == 0 ? create<Later>() : create<Earlier>();
  }
  template <class E>
  void create() {
    E topic(1);
    mapper().save(topic);
  }

  template <class E>
  void add_post() {
    const std::string text = new_text();
    if constexpr (std::is_same_v<E, UnshardedTopic>) {
      save_unsharded([&](E& topic) { topic.add_post(text); });
    } else {
      mapper().template apply<&E::add_post>(1, text);
    }
    posts_.push_back(text);
  }

  template <class E>
  void rate() {
    constexpr bool kIsLater = std::is_same_v<E, Later>;
    const std::string who = reader(below(generator_, 2) == 0 ? "both" : kIsLater ? "later" : "earlier");
    const int stars = ++ratings_;
    if constexpr (std::is_same_v<E, UnshardedTopic>) {
      save_unsharded([&](E& topic) { topic.rate(who, stars); });
    } else {
      mapper().template apply<&E::rate>(1, who, stars);
    }
    note_rating(who, stars, kIsLater);
  }

  void replace() {
    if constexpr (kReplaces) {
      if (below(generator_, 2) == 0) {
        posts_ = {new_text()};
        mapper().template update<Earlier>(1, [&](auto& topic) { topic.post_anew(posts_.front()); });
      } else {
        const std::string who = reader(below(generator_, 2) == 0 ? "both" : "earlier");
        const int stars = ++ratings_;
        mapper().template update<Earlier>(1, [&](auto& topic) { topic.rate_anew(who, stars); });
        stars_.clear();
        note_rating(who, stars, false);
      }
    }
  }

  void note_rating(const std::string& who, int stars, bool is_later) {
    Rating& rating = stars_[who];
    (is_later ? rating.by_later : rating.by_earlier) = stars;
    rating.last = stars;
  }

  template <class Change>
  void save_unsharded(Change change) {
    for (;;) {
      auto topic = mapper().template load<UnshardedTopic>(1).value();
      change(topic);
      try {
        return mapper().save(topic);
      } catch (const StaleEntity&) {  // by a compaction
      }
    }
  }

  /// By a program of an unsharded version, while others do something else.
  void save_late() {
    if constexpr (kIsUnsharded) {
      auto topic = mapper().template load<UnshardedTopic>(1).value();
      for (auto others = below(generator_, 3); others > 0; --others)
        below(generator_, 2) == 0 ? compact<Later>() : add_post<Later>();
      const std::string text = new_text();
      topic.add_post(text);
      try {
        mapper().save(topic);
        posts_.push_back(text);
      } catch (const StaleEntity&) {
      }
    }
  }

  template <class E>
  void compact() {
    const auto survives = below(generator_, 5);
    faulty_.before_commit(
        [&](int nth) { return static_cast<std::size_t>(nth) <= survives ? Fate::kCommits : Fate::kCrashes; });
    try {
      admin::compact<E>(alone_, 1);
    } catch (const StoreUnavailable&) {
    }
    faulty_.before_commit([](int) { return Fate::kCommits; });
  }

  void erase_post() {
    const auto elements = mapper().elements(1, forum::posts_of<Later>());
    for (const auto& [id, text] : elements) {
      if (below(generator_, 3) != 0) continue;
      ASSERT_TRUE(mapper().erase_element(1, forum::posts_of<Later>(), id));
      ASSERT_EQ(std::erase(posts_, text), 1U) << text;
      return;
    }
  }

  void change_star() {
    const auto elements = mapper().elements(1, forum::stars_of<Later>());
    for (const auto& [id, entry] : elements) {
      if (below(generator_, 3) != 0 || entry.first.starts_with("earlier")) continue;
      if (below(generator_, 2) == 0) {
        ASSERT_TRUE(mapper().erase_element(1, forum::stars_of<Later>(), id));
        stars_.erase(entry.first);
      } else {
        const int stars = ++ratings_;
        mapper().replace_element(1, forum::stars_of<Later>(), id, {entry.first, stars});
        note_rating(entry.first, stars, true);
      }
      return;
    }
  }

  static Texts sorted(Texts texts) {
    if (!kAreGroups) std::sort(texts.begin(), texts.end());
    return texts;
  }

  void expect(const Later& topic) {
    ASSERT_EQ(sorted(topic.posts()), sorted(posts_));
    for (const auto& [who, rating] : stars_) {
      ASSERT_TRUE(topic.stars().contains(who)) << who;
      const int stars = topic.stars().at(who);
      if (kIsSpread && rating.by_earlier) continue;
      if (kAreGroups || !rating.by_earlier || !rating.by_later) {
        ASSERT_EQ(stars, rating.last) << who;
      } else {
        ASSERT_TRUE(stars == *rating.by_earlier || stars == *rating.by_later) << who << ": " << stars;
      }
    }
    ASSERT_EQ(topic.stars().size(), stars_.size());
  }

  void look() {
    expect(mapper().template load<Later>(1).value());
    for (const Later& topic : mapper().template query<Later>()) expect(topic);
    mapper().transact([&](EntityTransaction& transaction) { expect(transaction.load<Later>(1).value()); });
    if (below(generator_, 4) != 0) return;
    admin::compact<Later>(mapper(), 1);
    Texts paged;
    for (const auto& [id, text] : mapper().elements(1, forum::posts_of<Later>())) paged.push_back(text);
    ASSERT_EQ(sorted(paged), sorted(posts_));
    expect(mapper().template load<Later>(1).value());
  }

  void step() {
    switch (below(generator_, 40)) {
      case 0:
        mapper().template erase<Later>(1);
        return begin();
      case 1:
      case 2:
        return erase_post();
      case 3:
      case 4:
        return change_star();
      case 5:
      case 6:
        return save_late();
      case 7:
      case 8:
      case 9:
        return compact<Later>();
      case 10:
      case 11:
        return kIsTimed ? compact<Later>() : compact<Earlier>();
      case 12:
      case 13:
        if (kReplaces) return replace();
        break;
      default:
        break;
    }
    switch (below(generator_, 5)) {
      case 0:
        return add_post<Earlier>();
      case 1:
        return add_post<Later>();
      case 2:
        return rate<Earlier>();
      case 3:
        return rate<Later>();
      default:
        look();
    }
  }

  std::mt19937_64 generator_;
  FaultyStore faulty_;
  Mapper combining_, alone_;
  int texts_ = 0, ratings_ = 0;
  Texts posts_;
  std::map<std::string, Rating> stars_;
};

class GroupVersionsModelTest : public StoreTest {
 protected:
  template <class Later, class Earlier>
  void run() {
    std::mt19937_64 generator = seeded_generator();
    Model<Later, Earlier>(*store_, generator()).run(2000);
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, GroupVersionsModelTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(GroupVersionsModelTest, OneShardBecomesAGroup) { run<forum::GroupedTopic, forum::ShardedTopic>(); }

TEST_P(GroupVersionsModelTest, OneShardThatIsReplacedBecomesAGroup) {
  run<forum::GroupedTopic, forum::ReplacingTopic>();
}

TEST_P(GroupVersionsModelTest, OneShardThatIsReplacedGetsANameThatSortsLaterAndBecomesAGroup) {
  run<forum::RenamedLaterTopic, forum::ReplacingTopic>();
}

TEST_P(GroupVersionsModelTest, AWindowBecomesAGroup) { run<forum::GroupedTopic, forum::WindowedTopic>(); }

TEST_P(GroupVersionsModelTest, ShardsBecomeAGroup) { run<forum::GroupedTopic, forum::SpreadTopic>(); }

TEST_P(GroupVersionsModelTest, DeltasBecomeAGroup) { run<forum::GroupedTopic, forum::DynamicTopic>(); }

TEST_P(GroupVersionsModelTest, AnUnshardedPropertyBecomesAGroup) {
  run<forum::GroupedTopic, UnshardedTopic>();
}

TEST_P(GroupVersionsModelTest, AGroupGetsANameThatSortsEarlier) {
  run<forum::RenamedEarlierTopic, forum::GroupedTopic>();
}

TEST_P(GroupVersionsModelTest, AGroupGetsANameThatSortsLater) {
  run<forum::RenamedLaterTopic, forum::GroupedTopic>();
}

TEST_P(GroupVersionsModelTest, ShardsGetANameThatSortsEarlierAndBecomeAGroup) {
  run<forum::RenamedEarlierTopic, forum::ShardedTopic>();
}

TEST_P(GroupVersionsModelTest, AnUnshardedPropertyGetsANameThatSortsLaterAndBecomesAGroup) {
  run<forum::RenamedLaterTopic, UnshardedTopic>();
}

}  // namespace
}  // namespace autoshard::test
