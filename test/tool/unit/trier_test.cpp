// Which combinations of samples a law is tried on.
#include "tool/laws/trial/trier.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::tool {
namespace {

/// Evaluates nothing, and keeps what it was called with.
class RecordingEvaluator final : public Evaluator {
 public:
  std::string compile(std::string_view, std::string_view, const std::string&) override { return {}; }
  Value call(std::string_view, const Arguments& arguments) override {
    calls.insert(arguments);
    if (endless.contains(arguments[1])) return {.problem = "no end", .out_of_steps = true};
    return {.known = true, .truth = arguments != broken};
  }
  void limit(unsigned) override {}

  std::set<Arguments> calls;
  Arguments broken = {-1, -1, -1};
  std::set<int> endless;  ///< second arguments for which no call ends
};

Probe::Trial trial(std::vector<std::size_t> samples, std::optional<std::size_t> large_from = std::nullopt) {
  Probe::Trial made;
  made.samples = std::move(samples);
  made.large_from = large_from;
  return made;
}

TEST(Trier, TriesAllCombinationsOfValuesThatTakeLittle) {
  RecordingEvaluator evaluator;
  const Outcome outcome = Trier(evaluator).run(trial({14, 14, 6}));
  EXPECT_EQ(outcome.tried, 14U * 14 * 6);
  EXPECT_EQ(evaluator.calls.size(), 14U * 14 * 6);
}

TEST(Trier, GivesUpSamplesThatTakeAllSteps) {
  RecordingEvaluator evaluator;
  evaluator.endless = {1, 2};
  Trier trier(evaluator);
  const Outcome first = trier.run(trial({14, 14, 6}));
  EXPECT_EQ(first.combinations, 14U * 14 * 6);
  EXPECT_EQ(first.tried, evaluator.calls.size() - kMostOutOfSteps);
  EXPECT_GT(first.tried, 0U);
  evaluator.calls.clear();
  const Outcome second = trier.run(trial({14, 14, 6}));
  EXPECT_EQ(second.combinations, 14U * 14 * 6);
  EXPECT_EQ(second.tried, 6U);  // as the seventh does not end
}

TEST(Trier, LetsAllPairsOfStandInsMeetButNotAllCombinations) {
  for (const std::size_t small : {3U, 9U}) {
    for (const std::size_t large : {0U, 2U}) {
      for (const std::size_t calls : {5U, 10U, 15U, 20U}) {
        SCOPED_TRACE(testing::Message() << small << ", " << large << ", " << calls);
        const std::size_t values = small + large;
        RecordingEvaluator evaluator;
        const Outcome outcome = Trier(evaluator).run(trial({values, values, calls}, small));
        EXPECT_EQ(evaluator.calls.size(), outcome.combinations);
        EXPECT_TRUE(outcome.combinations < values * values * calls || values == 3);

        std::set<std::pair<int, int>> shards, first_and_call, second_and_call;
        for (const auto& [one, other, call] : evaluator.calls) {
          shards.emplace(one, other);
          first_and_call.emplace(one, call);
          second_and_call.emplace(other, call);
        }
        // A large one meets three others and the large ones.
        EXPECT_EQ(shards.size(), small * small + 2 * 3 * large + large * large);
        EXPECT_EQ(first_and_call.size(), values * calls);
        EXPECT_EQ(second_and_call.size(), values * calls);
      }
    }
  }
}

TEST(Trier, TriesALargeStandInInAllOfFiveCalls) {
  RecordingEvaluator evaluator;
  Trier(evaluator).run(trial({11, 11, 5}, 9));
  for (int other : {0, 1, 2, 9, 10}) {
    for (int call = 0; call < 5; ++call) {
      EXPECT_TRUE(evaluator.calls.contains({9, other, call})) << other << ' ' << call;
      EXPECT_TRUE(evaluator.calls.contains({other, 9, call})) << other << ' ' << call;
    }
  }
}

TEST(Trier, TriesStandInsInAllOfFewCalls) {
  RecordingEvaluator evaluator;
  EXPECT_EQ(Trier(evaluator).run(trial({9, 9, 4}, 9)).tried, 9U * 9 * 4);
  EXPECT_EQ(Trier(evaluator).run(trial({9, 9}, 9)).tried, 9U * 9);
  EXPECT_EQ(Trier(evaluator).run(trial({4, 4, 4}, 9)).tried, 4U * 4 * 4);
}

TEST(Trier, EndsAtTheFirstCombinationThatBreaksTheLaw) {
  RecordingEvaluator evaluator;
  evaluator.broken = {1, 0, 0};
  const Outcome outcome = Trier(evaluator).run(trial({3, 3}));
  EXPECT_EQ(outcome.broken, evaluator.broken);
  EXPECT_EQ(outcome.tried, 4U);
}

}  // namespace
}  // namespace autoshard::tool
