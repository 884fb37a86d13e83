// Queries over ranked indexes beside writers, refreshes and builds, next to a brute-force look at one state.

#include <autoshard/admin.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "shared_store.h"
#include "support/ranked_fixture.h"

namespace autoshard::test {
namespace {

constexpr int kTalks = 60;

class RankedIndexModelTest : public RankedIndexTest {
 protected:
  /// Updates talks, and erases and creates its own.
  void write(Mapper& mapper, std::mt19937_64& generator, int writer, int writers) {
    const auto number = static_cast<int>(below(generator, kTalks));
    try {
      switch (below(generator, 9)) {
        case 0:
          return mapper.apply<&Talk::like>(number);
        case 1:
          return mapper.apply<&Talk::reset_score>(number, static_cast<int>(below(generator, 50)));
        case 2:
          return mapper.apply<&Talk::book>(number, static_cast<int>(below(generator, 9)) - 4);
        case 3:
          return mapper.apply<&Talk::praise>(number, std::string(below(generator, 5), 'a'));
        case 4:
          return mapper.update<Talk>(number, [](auto& talk) {
            talk.like();
            talk.rate(1);
          });
        case 5: {
          const int own = number / writers * writers + writer;
          if (!mapper.erase<Talk>(own)) mapper.save(Talk(own, static_cast<int>(below(generator, 900))));
          return;
        }
        case 6:
          admin::compact<Talk>(mapper, number);
          return;
        default:
          return mapper.apply<&Talk::rate>(number, static_cast<int>(below(generator, 9)) - 4);
      }
    } catch (const NotFound&) {
    } catch (const BoundExceeded&) {
    }
  }

  /// By a program whose class has no ranked indexes. One write in so many erases or creates a talk.
  static void write_as_before(Mapper& mapper, std::mt19937_64& generator, std::size_t in_so_many) {
    const auto number = static_cast<int>(below(generator, kTalks));
    if (below(generator, in_so_many) == 0) {
      if (!mapper.erase<FormerTalk>(number)) mapper.save(FormerTalk(number, 10));
    } else if (mapper.exists<FormerTalk>(number)) {
      mapper.apply<&FormerTalk::rate>(number, static_cast<int>(below(generator, 9)) - 4);
    }
  }

  /// Those with the most points, as a scan of all says that; only while nobody writes.
  std::vector<std::pair<int, int>> expected(bool descending, std::size_t limit) {
    std::vector<std::pair<int, int>> all;
    for (const Talk& talk : other_.query<Talk>())
      all.emplace_back(descending ? -talk.score() : talk.score(), talk.number());
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), limit));
    if (descending) {
      for (auto& [score, number] : all) score = -score;
    }
    return all;
  }
  std::vector<std::pair<int, int>> found(bool descending, std::size_t limit) {
    std::vector<std::pair<int, int>> rows;
    for (const Talk& talk :
         other_.query<Talk>().order_by(descending ? t::score.desc() : t::score.asc()).limit(limit))
      rows.emplace_back(talk.score(), talk.number());
    return rows;
  }

  void expect_answers() {
    expect_right();
    expect_found();
  }
  void expect_found() {
    for (const bool descending : {false, true}) {
      for (const std::size_t limit : {1U, 7U, 100U})
        EXPECT_EQ(found(descending, limit), expected(descending, limit));
    }
    for (const int least : {-5, 0, 10}) {
      std::uint64_t matching = 0;
      for (const Talk& talk : other_.query<Talk>()) matching += talk.score() >= least ? 1 : 0;
      EXPECT_EQ(other_.query<Talk>(t::score >= least).count(), matching);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, RankedIndexModelTest, ::testing::ValuesIn(stores_for_threads()), store_name);

// In turn with a program whose class has no ranked indexes.
TEST_P(RankedIndexModelTest, RandomChangesByTwoVersions) {
  std::mt19937_64 generator = seeded_generator();
  for (int round = 0; round < 60; ++round) {
    if (below(generator, 3) == 0) {
      Mapper older(*store_, options());
      for (std::size_t writes = below(generator, 5); writes > 0; --writes) {
        write_as_before(older, generator, 3);
      }
    }
    for (std::size_t writes = below(generator, 20); writes > 0; --writes) write(other_, generator, 0, 1);
    if (below(generator, 3) == 0) admin::refresh_indexes<Talk>(other_);
    if (below(generator, 4) == 0) {
      admin::build_indexes<Talk>(mapper_);
      expect_right();
    }
    expect_found();
  }
}

// Programs of both versions run all the time, and have looked at the indexes long ago.
TEST_P(RankedIndexModelTest, RandomChangesByTwoVersionsThatRunOn) {
  std::mt19937_64 generator = seeded_generator();
  SharedStore shared(*store_);
  Mapper newer(shared, options()), older(shared, options());
  for (int round = 0; round < 60; ++round) {
    for (std::size_t writes = below(generator, 3) == 0 ? below(generator, 5) : 0; writes > 0; --writes) {
      write_as_before(older, generator, 8);
    }
    for (std::size_t writes = below(generator, 20); writes > 0; --writes) write(newer, generator, 0, 1);
    if (below(generator, 3) == 0) admin::refresh_indexes<Talk>(newer);
    if (below(generator, 3) == 0) {
      admin::build_indexes<Talk>(newer);
      expect_right();
    }
    expect_found();
  }
}

TEST_P(RankedIndexModelTest, RandomChangesOfOneThread) {
  std::mt19937_64 generator = seeded_generator();
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 50; ++i) write(other_, generator, 0, 1);
    expect_answers();
    if (below(generator, 2) == 0) {
      admin::refresh_indexes<Talk>(other_);
      EXPECT_EQ(expect_right(), 0U);
      expect_answers();
    }
  }
}

// Any state of the store that anybody sees is right, and so is what a query makes of it.
TEST_P(RankedIndexModelTest, WritersAndRefreshesAtTheSameTime) {
  constexpr int kWriters = 3;
  std::mt19937_64 generator = seeded_generator();
  for (int number = 0; number < kTalks / 2; ++number) {
    other_.save(FormerTalk(number, 500));
    other_.apply<&FormerTalk::rate>(number, number % 7);
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  Mapper combining(*store_, {.compact_every = std::chrono::milliseconds(1)});
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer, generator = std::mt19937_64(generator())]() mutable {
      while (!stop) write(writer == 0 ? combining : other_, generator, writer, kWriters);
    });
  }
  threads.emplace_back([&] {
    while (!stop) admin::refresh_indexes<Talk>(other_);
  });
  admin::build_indexes<Talk>(other_);
  const int rounds = kUnderThreadSanitizer ? 20 : 60;
  for (int round = 0; round < rounds; ++round) {
    expect_right_ranked(*store_->snapshot());
    const auto rows = found(round % 2 == 0, 10);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [&](const auto& one, const auto& other) {
      return one.first != other.first ? (round % 2 == 0) == (one.first > other.first)
                                      : one.second < other.second;
    }));
    if (round % 10 == 0) admin::refresh_indexes<Talk>(other_);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  expect_answers();
  while (expect_right() > 0) admin::refresh_indexes<Talk>(other_);
  expect_answers();
}

}  // namespace
}  // namespace autoshard::test
