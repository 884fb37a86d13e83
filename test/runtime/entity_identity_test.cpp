// An update belongs to one entity. A later entity of the same id never counts it.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "controlled_store.h"
#include "entities/forms/question.autoshard.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using moderator::Question;

class EntityIdentityTest : public StoreTest {
 protected:
  void SetUp() override { other_.save(Question{1, "How?", "Phil R"}); }

  void replace_by_another(Mapper& mapper) {
    EXPECT_TRUE(mapper.erase<Question>(1));
    mapper.save(Question{1, "Why?", "Phil R"});
  }
  int votes() { return other_.load<Question>(1).value().votes(); }

  const MapperOptions options_{.retry = {.initial_backoff = std::chrono::microseconds(1)},
                               .compact_every = std::chrono::milliseconds(0)};
  Mapper other_{*store_, options_};
};
INSTANTIATE_TEST_SUITE_P(Stores, EntityIdentityTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(EntityIdentityTest, AnotherAttemptIsForTheSameEntity) {
  FaultyStore faulty(*store_);
  MapperOptions options = options_;
  options.combine = false;
  Mapper mapper(faulty, options);
  faulty.before_commit([&](int nth) {
    if (nth == 1) replace_by_another(other_);
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper.apply<&Question::voteUp>(1), NotFound);
  EXPECT_EQ(votes(), 0);
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(votes(), 1);
}

TEST_P(EntityIdentityTest, AnotherAttemptOfAnAsynchronousUpdateIsForTheSameEntity) {
  ControlledStore controlled(*store_);
  Mapper mapper(controlled, options_);
  controlled.close();
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  controlled.wait_for_commit(1);
  replace_by_another(other_);
  controlled.open();
  EXPECT_THROW(completion.get(), NotFound);
  EXPECT_EQ(votes(), 0);
}

/// In a callback of the committing thread nothing else is committed: what is asked for there waits until the
/// callback returns. The mapper is one of the store.
void in_callback(ControlledStore& store, Mapper& mapper, const std::function<void()>& work) {
  std::promise<void> done;
  store.close();  // a completion that is complete runs its callback at once, in this thread
  mapper.apply_async<&Question::voteUp>(1).then([&](const std::exception_ptr&) {
    work();
    done.set_value();
  });
  store.open();
  done.get_future().get();
}

TEST_P(EntityIdentityTest, WhatWasAskedForBeforeIsDoneWhenALaterEntityIsCreated) {
  using Create = std::function<void(Mapper&, Question)>;
  const std::vector<Create> ways = {
      [](Mapper& mapper, Question question) { mapper.save(question); },
      [](Mapper& mapper, const Question& question) {
        std::vector<Question> several = {Question{2, "Who?", "Ann"}, question};
        mapper.save(several);
      },
      [](Mapper& mapper, const Question& question) {
        mapper.transact([&](EntityTransaction& transaction) { transaction.save(question); });
      }};
  for (const Create& create : ways) {
    ControlledStore controlled(*store_);
    Mapper mapper(controlled, options_);
    Completion completion;
    in_callback(controlled, mapper, [&] {
      completion = mapper.apply_async<&Question::voteUp>(1);
      EXPECT_TRUE(other_.erase<Question>(1));
      create(mapper, Question{1, "Why?", "Phil R"});
    });
    EXPECT_THROW(completion.get(), NotFound);
    EXPECT_EQ(votes(), 0);
  }
}

TEST_P(EntityIdentityTest, WhatWasAskedForBeforeAnEraseIsDoneBeforeIt) {
  using Erase = std::function<void(Mapper&)>;
  const std::vector<Erase> ways = {
      [](Mapper& mapper) { EXPECT_TRUE(mapper.erase<Question>(1)); },
      [](Mapper& mapper) {
        EXPECT_EQ(mapper.erase<Question>(std::vector<int>{1, 2}), 1u);
      },
      [](Mapper& mapper) {
        mapper.transact([](EntityTransaction& transaction) { transaction.erase<Question>(1); });
      }};
  for (const Erase& erase : ways) {
    ControlledStore controlled(*store_);
    Mapper mapper(controlled, options_);
    Completion completion;
    in_callback(controlled, mapper, [&] {
      completion = mapper.apply_async<&Question::voteUp>(1);
      erase(mapper);
      other_.save(Question{1, "Why?", "Phil R"});
    });
    EXPECT_NO_THROW(completion.get());
    EXPECT_EQ(votes(), 0);
  }
}

// Another mapper is in the way of each attempt, at random, and sometimes puts another entity in the place.
TEST_P(EntityIdentityTest, AnUpdateEndsWithItsEntityAtWhicheverAttempt) {
  std::mt19937_64 generator = seeded_generator();
  FaultyStore faulty(*store_);
  MapperOptions options = options_;
  options.combine = false;
  options.retry.max_attempts = 1000;
  Mapper mapper(faulty, options);
  bool is_replaced = false;
  faulty.before_commit([&](int) {
    switch (below(generator, 6)) {
      case 0:
        replace_by_another(other_);
        is_replaced = true;
        return Fate::kCommits;
      case 1:
        admin::set_shards<Question>(other_, 1, "votes", 1 + static_cast<std::uint32_t>(below(generator, 8)));
        return Fate::kCommits;
      case 2:
        return Fate::kConflicts;
      default:
        return Fate::kCommits;
    }
  });
  for (int counted = 0, i = 0; i < 300; ++i) {
    is_replaced = false;
    try {
      mapper.apply<&Question::voteUp>(1);
      ASSERT_FALSE(is_replaced);
      ++counted;
    } catch (const NotFound&) {
      ASSERT_TRUE(is_replaced);
      counted = 0;
    }
    ASSERT_EQ(votes(), counted);
  }
}

// Threads that each update, erase and create one entity again and again, while another mapper is in their
// way.
TEST_P(EntityIdentityTest, EveryUpdateCountsInItsEntityOnly) {
  constexpr int kEntities = 3, kLives = 300;
  std::mt19937_64 generator = seeded_generator();
  Mapper mapper(*store_, options_);
  std::atomic<bool> goes_on{true};
  std::jthread in_the_way([&, seed = generator()] {
    std::mt19937_64 random(seed);
    while (goes_on) {
      try {
        admin::set_shards<Question>(other_, static_cast<int>(1 + below(random, kEntities)), "votes",
                                    1 + static_cast<std::uint32_t>(below(random, 8)));
      } catch (const NotFound&) {
      }
    }
  });
  const auto live = [&](int id, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    mapper.erase<Question>(id);
    for (int life = 0; life < kLives && !HasFailure(); ++life) {
      mapper.save(Question{id, "How?", "Phil R"});
      std::vector<Completion> updates(below(random, 8));
      for (Completion& update : updates) update = mapper.apply_async<&Question::voteUp>(id);
      const auto count = [&] {
        int counted = 0;
        for (Completion& update : updates) {
          try {
            update.get();
            ++counted;
          } catch (const NotFound&) {
          }
        }
        updates.clear();
        return counted;
      };
      if (below(random, 2) == 0) {
        const int counted = count();
        ASSERT_EQ(other_.load<Question>(id).value().votes(), counted) << "in life " << life;
      }
      ASSERT_TRUE(mapper.erase<Question>(id));
      mapper.save(Question{id, "Why?", "Phil R"});
      count();
      ASSERT_EQ(other_.load<Question>(id).value().votes(), 0) << "after life " << life;
      ASSERT_TRUE(mapper.erase<Question>(id));
    }
  };
  std::vector<std::thread> threads;
  for (int id = 1; id <= kEntities; ++id) threads.emplace_back(live, id, generator());
  for (std::thread& thread : threads) thread.join();
  goes_on = false;
}

}  // namespace
}  // namespace autoshard::test
