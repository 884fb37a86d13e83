// Nothing of an erased entity may be counted by a later one of its id, whatever happens at the same time, and
// wherever the process ends.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entities/forms/question.autoshard.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using ::testing::AnyOf;
using ::testing::HasSubstr;

Question question() { return Question{42, "How?", "Phil R"}; }

class EraseTest : public StoreTest {
 protected:
  /// Leaves what an erase leaves that ends after its first commit.
  void erase_and_crash() {
    faulty_.before_commit([](int nth) { return nth == 2 ? Fate::kCrashes : Fate::kCommits; });
    EXPECT_TRUE(mapper_.erase<Question>(42));
    faulty_.before_commit(nullptr);
    EXPECT_FALSE(records(*store_).empty());
  }

  static constexpr std::chrono::milliseconds kNever{0};  // compaction would complete erases

  std::string logged_;
  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_,
                 {.retry = {.initial_backoff = std::chrono::microseconds(1)},
                  .choice = ShardChoice::kRandom,
                  .compact_every = kNever,
                  .log = [this](std::string_view line) { logged_ += line; }}};
  Mapper other_{*store_, {.choice = ShardChoice::kRandom, .compact_every = kNever}};
};
INSTANTIATE_TEST_SUITE_P(Stores, EraseTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(EraseTest, RemovesEveryRecord) {
  mapper_.save(question());
  for (int i = 0; i < 100; ++i) mapper_.apply<&Question::voteUp>(42);
  EXPECT_TRUE(mapper_.erase<Question>(42));
  EXPECT_TRUE(records(*store_).empty());
  EXPECT_FALSE(mapper_.erase<Question>(42));
}

TEST_P(EraseTest, LeavesOtherEntitiesAlone) {
  for (int id = 40; id < 45; ++id) {
    mapper_.save(Question{id, "How?", "Phil R"});
    mapper_.apply<&Question::voteUp>(id);
  }
  mapper_.erase<Question>(42);
  for (const int id : {40, 41, 43, 44}) EXPECT_EQ(mapper_.load<Question>(id).value().votes(), 1);
}

TEST_P(EraseTest, OfSeveralMayBeOfOne) {
  mapper_.save(question());
  mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(mapper_.erase<Question>(std::vector{42}), 1U);
  EXPECT_TRUE(records(*store_).empty());
  EXPECT_EQ(mapper_.erase<Question>(std::vector{42}), 0U);
}

TEST_P(EraseTest, AnErasedEntityIsAbsentEvenIfItsRecordsAreLeft) {
  mapper_.save(question());
  mapper_.apply<&Question::voteUp>(42);
  erase_and_crash();
  EXPECT_THAT(logged_, HasSubstr("Question 42 is erased"));
  EXPECT_FALSE(mapper_.load<Question>(42));
  EXPECT_FALSE(mapper_.exists<Question>(42));
  EXPECT_THROW(mapper_.apply<&Question::voteUp>(42), NotFound);
  mapper_.transact([](EntityTransaction& transaction) {
    EXPECT_FALSE(transaction.load<Question>(42));
    EXPECT_FALSE(transaction.exists<Question>(42));
    EXPECT_FALSE(transaction.erase<Question>(42));
  });
}

TEST_P(EraseTest, TheNextEraseCompletesIt) {
  mapper_.save(question());
  mapper_.apply<&Question::voteUp>(42);
  erase_and_crash();
  EXPECT_FALSE(mapper_.erase<Question>(42));
  EXPECT_TRUE(records(*store_).empty());
}

// Whoever meets an erase that is under way completes it, which is nothing to log.
TEST_P(EraseTest, AnEraseThatAnotherMeetsIsNotLogged) {
  for (const bool creates : {false, true}) {
    mapper_.save(question());
    mapper_.apply<&Question::voteUp>(42);
    faulty_.before_commit([&, is_done = false](int nth) mutable {
      if (nth == 2 && !std::exchange(is_done, true)) {
        Mapper meanwhile(
            *store_, {.compact_every = kNever, .log = [this](std::string_view line) { logged_ += line; }});
        creates ? meanwhile.save(question()) : static_cast<void>(meanwhile.erase<Question>(42));
      }
      return Fate::kCommits;
    });
    EXPECT_TRUE(mapper_.erase<Question>(42));
    faulty_.before_commit(nullptr);
    EXPECT_EQ(mapper_.exists<Question>(42), creates);
    mapper_.erase<Question>(42);
  }
  EXPECT_EQ(logged_, "");
}

TEST_P(EraseTest, TheNextEntityDoesNotCountWhatWasLeft) {
  mapper_.save(question());
  for (int i = 0; i < 50; ++i) mapper_.apply<&Question::voteUp>(42);
  erase_and_crash();
  mapper_.save(question());
  EXPECT_EQ(mapper_.load<Question>(42).value().votes(), 0);
  EXPECT_EQ(records(*store_).size(), 1u);
}

TEST_P(EraseTest, NorIfItIsMadeInATransaction) {
  mapper_.save(question());
  for (int i = 0; i < 50; ++i) mapper_.apply<&Question::voteUp>(42);
  erase_and_crash();
  mapper_.transact([](EntityTransaction& transaction) {
    Question next = question();
    next.voteUp();
    transaction.save(next);
    EXPECT_EQ(transaction.load<Question>(42).value().votes(), 1);
  });
  EXPECT_EQ(mapper_.load<Question>(42).value().votes(), 1);
}

/// An operation that has one commit's effect, and the same on a model: the votes of question 42, if there is
/// one.
struct Operation {
  const char* name;
  std::string (*run)(Mapper& mapper);
  std::string (*model)(std::optional<int>& votes);
};

const Operation kOperations[] = {
    {"create",
     [](Mapper& mapper) -> std::string {
       try {
         mapper.save(question());
         return "done";
       } catch (const StaleEntity&) {
         return "taken";
       }
     },
     [](std::optional<int>& votes) -> std::string {
       if (votes) return "taken";
       votes = 0;
       return "done";
     }},
    {"apply",
     [](Mapper& mapper) -> std::string {
       try {
         mapper.apply<&Question::voteUp>(42);
         return "done";
       } catch (const NotFound&) {
         return "absent";
       }
     },
     [](std::optional<int>& votes) -> std::string {
       if (!votes) return "absent";
       ++*votes;
       return "done";
     }},
    {"erase", [](Mapper& mapper) -> std::string { return mapper.erase<Question>(42) ? "done" : "absent"; },
     [](std::optional<int>& votes) -> std::string {
       const bool there = votes.has_value();
       votes.reset();
       return there ? "done" : "absent";
     }},
    {"erase in a transaction",
     [](Mapper& mapper) -> std::string {
       return mapper.transact([](EntityTransaction& transaction) { return transaction.erase<Question>(42); })
                  ? "done"
                  : "absent";
     },
     [](std::optional<int>& votes) -> std::string {
       const bool there = votes.has_value();
       votes.reset();
       return there ? "done" : "absent";
     }},
    {"load",
     [](Mapper& mapper) -> std::string {
       const std::optional<Question> loaded = mapper.load<Question>(42);
       return loaded ? std::to_string(loaded->votes()) : "absent";
     },
     [](std::optional<int>& votes) -> std::string { return votes ? std::to_string(*votes) : "absent"; }},
};

// Each operation, with up to three others of somebody else's right before any of its commits: the results are
// those of some order, and what is left in the store is what that order leaves, with no record more.
TEST_P(EraseTest, EveryInterleavingIsLikeSomeOrder) {
  constexpr std::size_t kCount = std::size(kOperations);
  enum class Before { kAbsent, kPresent, kTombstone };
  for (const Before before : {Before::kAbsent, Before::kPresent, Before::kTombstone}) {
    for (std::size_t own = 0; own < kCount; ++own) {
      for (std::size_t others = 0; others < kCount * kCount * kCount; ++others) {
        const std::size_t between[] = {others % kCount, others / kCount % kCount, others / kCount / kCount};
        for (int at = 1; at <= 2; ++at) {
          SCOPED_TRACE(testing::Message()
                       << "state " << static_cast<int>(before) << ", before commit " << at << " of "
                       << kOperations[own].name << ": " << kOperations[between[0]].name << ", "
                       << kOperations[between[1]].name << ", " << kOperations[between[2]].name);
          std::optional<int> initial;
          if (before != Before::kAbsent) {
            other_.save(question());
            other_.apply<&Question::voteUp>(42);
            initial = 1;
          }
          if (before == Before::kTombstone) {
            erase_and_crash();
            initial.reset();
          }

          std::vector<std::string> results(4);
          bool happened = false;
          faulty_.before_commit([&](int nth) {
            if (nth == at) {
              for (std::size_t i = 0; i < 3; ++i) results[i] = kOperations[between[i]].run(other_);
              happened = true;
            }
            return Fate::kCommits;
          });
          results[3] = kOperations[own].run(mapper_);
          faulty_.before_commit(nullptr);
          if (!happened) {
            other_.erase<Question>(42);
            continue;
          }
          results.push_back(kOperations[4].run(other_));

          // The own operation may come anywhere among the others.
          std::vector<std::vector<std::string>> possible;
          for (std::size_t position = 0; position <= 3; ++position) {
            std::optional<int> votes = initial;
            std::vector<std::string> model(4);
            for (std::size_t i = 0; i <= 3; ++i) {
              if (i == position) model[3] = kOperations[own].model(votes);
              if (i < 3) model[i] = kOperations[between[i]].model(votes);
            }
            model.push_back(kOperations[4].model(votes));
            possible.push_back(model);
          }
          ASSERT_THAT(results, AnyOf(possible[0], possible[1], possible[2], possible[3]));
          other_.erase<Question>(42);
          ASSERT_TRUE(records(*store_).empty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace autoshard::test
