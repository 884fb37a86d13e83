// A clock of the application that throws: whoever asks it is told, and nothing else happens.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "entities/expiry/permit.autoshard.h"
#include "entities/forms/question.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using permits::Permit;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using namespace std::chrono_literals;
using Clock = std::chrono::system_clock;

struct Broken : std::runtime_error {
  Broken() : std::runtime_error("the clock is broken") {}
};

class ClockFailureTest : public StoreTest {
 protected:
  void SetUp() override {
    Mapper mapper(*store_, {.compact_every = 0ms});
    mapper.save(Permit("P", Clock::now() + 1h));
    mapper.save(Question{1, "How?", "Phil R"});
  }
  MapperOptions options(bool combine = true) {
    return {.combine = combine,
            .compact_every = 0ms,
            .log =
                [this](std::string_view line) {
                  const std::lock_guard lock(mutex_);
                  logged_.emplace_back(line);
                },
            .clock =
                [this] {
                  ++asked_;
                  if (throws_int_) throw 5;  // NOLINT(hicpp-exception-baseclass)
                  if (is_broken_ || --works_for_ < 0) throw Broken();
                  return Clock::now();
                }};
  }
  std::vector<std::string> logged() {
    const std::lock_guard lock(mutex_);
    return logged_;
  }
  void wait_until_asked(int times) {
    for (const int before = asked_; asked_ < before + times;) std::this_thread::yield();
  }
  std::vector<std::pair<std::string, std::string>> entity_records(const std::string& holder) {
    const detail::EntityKey key = detail::entity_key("Permit", holder);
    return records(*store_, key);
  }
  long uses() { return Mapper(*store_, {.compact_every = 0ms}).load<Permit>("P").value().uses(); }

  std::atomic<bool> is_broken_{false}, throws_int_{false};
  std::atomic<int> works_for_{1'000'000}, asked_{0};
  std::mutex mutex_;
  std::vector<std::string> logged_;
};
INSTANTIATE_TEST_SUITE_P(Stores, ClockFailureTest, ::testing::ValuesIn(stores_for_threads()), store_name);

struct Entry {
  const char* what;
  std::function<void(Mapper&)> run;
};

std::vector<Entry> entries() {
  return {
      {"apply", [](Mapper& mapper) { mapper.apply<&Permit::use>("P", 1); }},
      {"apply with a token", [](Mapper& mapper) { mapper.apply<&Question::voteUp>(1, token("t")); }},
      {"apply_async", [](Mapper& mapper) { mapper.apply_async<&Permit::use>("P", 1).get(); }},
      {"update", [](Mapper& mapper) { mapper.update<Permit>("P", [](auto& permit) { permit.use(1); }); }},
      {"load", [](Mapper& mapper) { mapper.load<Permit>("P"); }},
      {"load many",
       [](Mapper& mapper) {
         mapper.load<Permit>(std::vector<std::string>{"P", "Q"});
       }},
      {"load cached", [](Mapper& mapper) { mapper.load<Permit>("P", cached(1h)); }},
      {"exists", [](Mapper& mapper) { mapper.exists<Permit>("P"); }},
      {"save", [](Mapper& mapper) { mapper.save(Permit("new")); }},
      {"save many",
       [](Mapper& mapper) {
         std::vector<Permit> permits = {Permit("new"), Permit("newer")};
         mapper.save(permits);
       }},
      {"erase", [](Mapper& mapper) { mapper.erase<Permit>("P"); }},
      {"erase many",
       [](Mapper& mapper) {
         mapper.erase<Permit>(std::vector<std::string>{"P", "Q"});
       }},
      {"transact", [](Mapper& mapper) { mapper.transact([](EntityTransaction&) {}); }},
      {"query", [](Mapper& mapper) { mapper.query<Permit>().count(); }},
      {"compact", [](Mapper& mapper) { admin::compact(mapper); }},
      {"set_shards", [](Mapper& mapper) { admin::set_shards<Permit>(mapper, "P", "uses", 2); }},
  };
}

TEST_P(ClockFailureTest, IsToldToTheCallerAndChangesNothing) {
  for (const bool combine : {true, false}) {
    Mapper mapper(*store_, options(combine));
    mapper.load<Permit>("P", cached(1h));
    for (const Entry& entry : entries()) {
      SCOPED_TRACE(entry.what);
      const long before = uses();
      const auto all = records(*store_);
      is_broken_ = true;
      EXPECT_THROW(entry.run(mapper), Broken);
      is_broken_ = false;
      throws_int_ = true;
      EXPECT_THROW(entry.run(mapper), int);
      throws_int_ = false;
      EXPECT_EQ(records(*store_), all);
      mapper.apply<&Permit::use>("P", 1);
      EXPECT_EQ(mapper.load<Permit>("P").value().uses(), before + 1);
    }
  }
}

TEST_P(ClockFailureTest, AnAcknowledgedUpdateThatNeedsItIsToldToBeLost) {
  MapperOptions buffered = options();
  buffered.durability = durability::buffered{1h};
  Mapper mapper(*store_, buffered);
  is_broken_ = true;
  EXPECT_THROW((mapper.apply<&Permit::use>("P", 1)), Broken) << "it is not acknowledged";
  is_broken_ = false;
  mapper.apply<&Permit::use>("P", 1);
  mapper.apply<&Question::voteUp>(1);
  is_broken_ = true;
  EXPECT_THAT([&] { mapper.flush(); },
              ThrowsMessage<UpdatesLost>(HasSubstr("1 acknowledged buffered updates are lost")));
  is_broken_ = false;
  mapper.apply<&Permit::use>("P", 2);
  mapper.flush();
  EXPECT_EQ(uses(), 2);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
}

// Updates of other classes are in the same commit.
TEST_P(ClockFailureTest, UpdatesThatDoNotNeedItAreCommitted) {
  Mapper mapper(*store_, options());
  std::vector<Completion> failing, others;
  is_broken_ = true;
  for (int i = 0; i < 50; ++i) {
    failing.push_back(mapper.apply_async<&Permit::use>("P", 1));
    others.push_back(mapper.apply_async<&Question::voteUp>(1));
    failing.push_back(mapper.apply_async<&Question::voteUp>(1, token(std::to_string(i))));
  }
  for (Completion& completion : failing) EXPECT_THROW(completion.get(), Broken);
  for (Completion& completion : others) EXPECT_NO_THROW(completion.get());
  is_broken_ = false;
  EXPECT_EQ(uses(), 0);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 50);
}

// Wherever a save asks it: to save the same object again counts its updates once.
TEST_P(ClockFailureTest, ASaveCanBeRepeated) {
  Mapper mapper(*store_, options());
  for (const bool many : {false, true}) {
    for (int works_for = 0, throws = 1; throws > 0; ++works_for) {
      throws = 0;
      const long before = uses();
      std::vector<Permit> permits = {mapper.load<Permit>("P").value()};
      permits[0].zone = std::to_string(works_for);
      permits[0].use(1);
      works_for_ = works_for;
      try {
        many ? mapper.save(permits) : mapper.save(permits[0]);
      } catch (const std::exception&) {
        ++throws;
      }
      works_for_ = 1'000'000;
      mapper.save(permits);
      EXPECT_EQ(uses(), before + 1) << works_for;
      ASSERT_LT(works_for, 100) << "it never ends";
    }
  }
}

TEST_P(ClockFailureTest, BackgroundWorkLogsItOnceAndGoesOn) {
  for (const bool is_int : {false, true}) {
    logged_.clear();
    MapperOptions background = options();
    background.compact_every = 1ms;
    Mapper mapper(*store_, background);
    wait_until_asked(1);
    (is_int ? throws_int_ : is_broken_) = true;
    wait_until_asked(20);
    (is_int ? throws_int_ : is_broken_) = false;
    const std::vector<std::string> lines = logged();
    EXPECT_THAT(lines, Each(ContainsRegex("the removal of expired entities of .* is postponed")));
    EXPECT_THAT(std::set<std::string>(lines.begin(), lines.end()), SizeIs(lines.size()));
    mapper.save(Permit("soon gone", Clock::now() - 1h));
    while (!entity_records("soon gone").empty()) std::this_thread::yield();
    mapper.apply<&Permit::use>("P", 1);
  }
  EXPECT_EQ(uses(), 2);
}

TEST_P(ClockFailureTest, AMapperEndsWithoutIt) {
  MapperOptions buffered = options();
  buffered.durability = durability::buffered{1h};
  {
    Mapper mapper(*store_, buffered);
    mapper.apply<&Permit::use>("P", 1);
    mapper.apply<&Question::voteUp>(1);
    is_broken_ = true;
  }
  is_broken_ = false;
  EXPECT_THAT(logged(), ::testing::ElementsAre(HasSubstr("the clock is broken")));
  EXPECT_EQ(uses(), 0);
  EXPECT_EQ((Mapper(*store_, {.compact_every = 0ms}).load<Question>(1).value().votes()), 1);
}

}  // namespace
}  // namespace autoshard::test
