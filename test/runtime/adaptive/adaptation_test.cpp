#include "adaptation.h"

#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/id.h>
#include <autoshard/memory_cache.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::detail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// A cache that may be away.
class AbsentCache final : public SharedCache {
 public:
  explicit AbsentCache(MemoryCache::Clock clock) : cache_(1'000'000, std::move(clock)) {}

  std::optional<Found> get(std::string_view key) noexcept override {
    return away ? std::nullopt : cache_.get(key);
  }
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override {
    return !away && cache_.put(key, value, lifetime);
  }
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override {
    return !away && cache_.put_if(key, value, lifetime, version);
  }
  bool erase(std::string_view key) noexcept override { return !away && cache_.erase(key); }

  bool away = false;

 private:
  MemoryCache cache_;
};

/// Processes that share a cache, and a property of an entity that they update.
class AdaptationTest : public testing::Test {
 protected:
  struct Process {
    Process(const AdaptiveRules& rules, SharedCache* cache, Time now)
        : adaptation(rules, usage, cache, nullptr, now) {}

    Usage usage;
    Adaptation adaptation;
  };

  AdaptationTest() {
    rules_.quiet_for = 10s;
    start(4);
  }

  void start(int processes, bool share = true) {
    processes_.clear();
    for (int i = 0; i < processes; ++i)
      processes_.push_back(std::make_unique<Process>(rules_, share ? &cache_ : nullptr, now_));
  }

  /// What happened in one window in each process, evenly.
  void window(int puts, int conflicts) {
    for (const auto& process : processes_) {
      const PropertyRef property{.entity = entity_,
                                 .name = "votes",
                                 .shards = shards_,
                                 .allowed = adaptive(1, 64),
                                 .type = &type_,
                                 .writer = 1};
      for (int i = 0; i < puts; ++i) process->usage.put(property);
      for (int i = 0; i < conflicts; ++i) process->usage.conflict(property);
    }
    close();
  }

  void close() {
    now_ += rules_.window;
    for (const auto& process : processes_) {
      process->adaptation.close_window(now_, [this](const Resize& resize) {
        EXPECT_EQ(resize.id, (PropertyId{entity_, "votes"}));
        EXPECT_EQ(resize.type, &type_);
        EXPECT_NE(resize.to, resize.from);
        ++asked_;
        if (resize.from == shards_ && exists_) {
          shards_ = resize.to;
          history_.push_back(shards_);
        }
        return exists_ ? shards_ : 0;
      });
    }
  }

  AdaptiveRules rules_;
  Time now_{};
  AbsentCache cache_{[this] { return now_; }};
  std::vector<std::unique_ptr<Process>> processes_;
  const EntityType type_{};
  const EntityKey entity_ = entity_key("Question", 42);
  std::uint32_t shards_ = 1;
  bool exists_ = true;
  std::vector<std::uint32_t> history_;
  int asked_ = 0;
};

TEST_F(AdaptationTest, FollowsALoadUpAndDown) {
  for (int i = 0; i < 10; ++i) window(50, shards_ < 4 ? 50 : 0);
  EXPECT_THAT(history_, ElementsAre(2, 4)) << "as many as there are writers";
  for (int i = 0; i < 50; ++i) window(50, 0);
  EXPECT_THAT(history_, ElementsAre(2, 4)) << "it is as busy as before";
  for (int i = 0; i < 50; ++i) window(0, 0);
  EXPECT_THAT(history_, ElementsAre(2, 4, 2, 1));
  asked_ = 0;
  for (int i = 0; i < 50; ++i) window(0, 0);
  EXPECT_EQ(asked_, 0);
}

TEST_F(AdaptationTest, GoesByItsOwnWithoutACache) {
  start(4, false);
  for (int i = 0; i < 20; ++i) window(50, 50);
  EXPECT_THAT(history_, ElementsAre(2)) << "there must be another writer: nobody knows of more";
  for (int i = 0; i < 20; ++i) window(0, 0);
  EXPECT_THAT(history_, ElementsAre(2, 1));
}

TEST_F(AdaptationTest, FindsOneShardBestForOneProcess) {
  start(1);
  for (int i = 0; i < 20; ++i) window(500, 0);
  EXPECT_THAT(history_, IsEmpty());
}

TEST_F(AdaptationTest, TakesNoShardsAwayWhileTheCacheIsAway) {
  for (int i = 0; i < 10; ++i) window(50, shards_ < 4 ? 50 : 0);
  EXPECT_THAT(history_, ElementsAre(2, 4));
  cache_.away = true;
  for (int i = 0; i < 100; ++i) window(1, 0);
  EXPECT_THAT(history_, ElementsAre(2, 4)) << "others may do more";
  cache_.away = false;
  for (int i = 0; i < 50; ++i) window(1, 0);
  EXPECT_THAT(history_, ElementsAre(2, 4, 2, 1));
}

TEST_F(AdaptationTest, ForgetsAnEntityThatIsErased) {
  for (int i = 0; i < 10; ++i) window(50, 50);
  EXPECT_EQ(shards_, 4u);
  exists_ = false;
  for (int i = 0; i < 30; ++i) window(0, 0);
  EXPECT_GT(asked_, 0);
  asked_ = 0;
  for (int i = 0; i < 30; ++i) window(0, 0);
  EXPECT_EQ(asked_, 0);
}

TEST_F(AdaptationTest, CountsAHotWindowOfAnotherProcessOnce) {
  rules_.window = 50ms;
  start(1);
  window(1, 0);
  Exchange dies_later(cache_, 3s, nullptr);
  dies_later.share({{{entity_, "votes"},
                     {.shards = 1, .least = 1, .most = 64, .writers = 4, .commits = 100, .conflicts = 100}}});
  for (int i = 0; i < 50; ++i) window(1, 0);
  EXPECT_THAT(history_, IsEmpty());
}

TEST_F(AdaptationTest, AWindowIsNoShorterThanAMillisecond) {
  const auto end_window = [&](Time now) {
    for (const auto& process : processes_) {
      process->usage.conflict(
          {.entity = entity_, .name = "votes", .shards = 1, .allowed = adaptive(1, 64), .type = &type_});
      process->adaptation.close_window(now, [this](const Resize& resize) {
        ++asked_;
        return resize.to;
      });
    }
  };
  end_window(now_ + 1s);
  for (int i = 0; i < 10; ++i) end_window(now_ + 1s - i * 1us);  // by threads that came at the same time
  for (int i = 0; i < 10; ++i) end_window(now_ + 1s + i * 1us);
  for (int i = 2; i < 10; ++i) end_window(now_ + i * 10s);
  EXPECT_EQ(asked_, 0) << "there were but a hundred conflicts in all, in a hundred seconds";
}

TEST_F(AdaptationTest, LeavesToOthersWhatItDoesNotKnow) {
  for (int i = 0; i < 2; ++i) window(50, 0);
  // A process that does something else sees the conflicts of the others, and cannot resize.
  processes_.push_back(std::make_unique<Process>(rules_, &cache_, now_));
  const auto stranger = processes_.back().get();
  for (int i = 0; i < 5; ++i) {
    for (std::size_t other = 0; other < 4; ++other) {
      const PropertyRef property{
          .entity = entity_, .name = "votes", .shards = 1, .allowed = adaptive(1, 64), .writer = 1};
      for (int j = 0; j < 50; ++j) {
        processes_[other]->usage.put(property);
        processes_[other]->usage.conflict(property);
      }
    }
    now_ += rules_.window;
    for (std::size_t other = 0; other < 4; ++other)
      processes_[other]->adaptation.close_window(now_, [](const Resize& resize) { return resize.from; });
    stranger->adaptation.close_window(now_, [](const Resize& resize) {
      ADD_FAILURE();
      return resize.from;
    });
  }
}

TEST_F(AdaptationTest, IsNotBusyWithWhatOnlyOthersUse) {
  Exchange others(cache_, 1h, nullptr);
  Window theirs;
  for (std::size_t i = 0; i < Adaptation::kMostWatched; ++i)
    theirs[{EntityKey(std::to_string(i)), "votes"}] = {
        .shards = 4, .least = 1, .most = 64, .writers = 4, .commits = 100, .conflicts = 100};
  others.share(theirs);
  for (int i = 0; i < 3; ++i) window(0, 0);
  for (int i = 0; i < 10; ++i) window(50, 50);
  EXPECT_THAT(history_, ElementsAre(2, 4));
}

TEST_F(AdaptationTest, LeavesAloneWhatIsNotAdaptive) {
  for (int i = 0; i < 10; ++i) {
    for (const auto& process : processes_) {
      for (int j = 0; j < 50; ++j)
        process->usage.conflict(
            {.entity = entity_, .name = "votes", .shards = 4, .allowed = 4, .type = &type_});
    }
    close();
  }
  EXPECT_EQ(asked_, 0);
}

TEST_F(AdaptationTest, NamesHotSpotsOfMainRecords) {
  const auto contend = [&](int conflicts) {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      for (int j = 0; j < 100; ++j) processes_[i]->usage.put({.entity = entity_});
      for (int j = 0; j < conflicts; ++j) {
        processes_[i]->usage.conflict({.entity = entity_});
        processes_[i]->usage.conflict({.entity = entity_, .name = "likes"});
      }
    }
    close();
  };
  const auto spots = [&] { return processes_.back()->adaptation.hot_spots(); };
  EXPECT_THAT(spots(), IsEmpty());
  for (int i = 0; i < 5; ++i) contend(100);
  ASSERT_EQ(spots().size(), 1u);
  EXPECT_EQ(spots().front().entity, "Question 42");
  EXPECT_EQ(spots().front().property, "likes");
  EXPECT_NEAR(spots().front().conflicts_per_second, 400, 1);
  EXPECT_EQ(spots().front().writers, 4u);
  for (int i = 0; i < 10; ++i) contend(0);
  ASSERT_EQ(spots().size(), 1u);
  EXPECT_LT(spots().front().conflicts_per_second, 300);
  for (int i = 0; i < 100; ++i) contend(0);
  EXPECT_THAT(spots(), IsEmpty());
}

TEST(Adaptation, RemembersNoMoreThanWhatWasInConflictOfLate) {
  Usage usage;
  Time now{};
  Adaptation adaptation({}, usage, nullptr, nullptr, now);
  const auto close = [&] {
    now += 1s;
    adaptation.close_window(now, [](const Resize&) { return 0U; });
  };
  constexpr int kWindows = 1'000;
  std::size_t most = 0;
  for (int window = 0, id = 0; window < kWindows; ++window) {
    for (std::size_t i = 0; i < Usage::kPlaces; ++i, ++id) {  // each another one
      const EntityKey entity(std::to_string(id));
      for (int conflict = 0; conflict < 20; ++conflict) usage.conflict({.entity = entity});
      usage.put({.entity = entity});
    }
    close();
    most = std::max(most, adaptation.remembered());
  }
  EXPECT_GE(most, Usage::kPlaces);
  EXPECT_LE(most, 50 * Usage::kPlaces) << "of " << kWindows << " windows";
  for (int window = 0; window < 100; ++window) close();
  EXPECT_EQ(adaptation.remembered(), 0U);
}

TEST(Adaptation, DoesNotRememberSavesWithoutConflicts) {
  Usage usage;
  Time now{};
  Adaptation adaptation({}, usage, nullptr, nullptr, now);
  for (int id = 0; id < 1'000; ++id) {
    usage.put({.entity = EntityKey(std::to_string(id))});
    now += 1s;
    adaptation.close_window(now, [](const Resize&) { return 0U; });
    EXPECT_EQ(adaptation.remembered(), 0U);
  }
}

}  // namespace
}  // namespace autoshard::detail
