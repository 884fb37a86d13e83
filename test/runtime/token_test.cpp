#include <autoshard/admin.h>
#include <autoshard/memory_store.h>
#include <autoshard/token.h>
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "controlled_store.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "expiring_record.h"
#include "keys.h"
#include "mapper_fixture.h"
#include "token_fixture.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using moderator::Question;
using shop::Quota;
using shop::Stock;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Token, HasBytes) {
  EXPECT_EQ(token("a").bytes(), "a");
  EXPECT_EQ(token(std::string("\0b", 2)).bytes().size(), 2u);
  EXPECT_EQ(token(std::array<std::uint8_t, 16>{'x'}).bytes(), std::string("x") + std::string(15, '\0'));
  EXPECT_NO_THROW(token(std::string(token::kLongest, 'x')));
  EXPECT_THROW(token(std::string(token::kLongest + 1, 'x')), InvalidUse);
  EXPECT_THROW(token(""), InvalidUse);
  static_assert(std::is_base_of_v<Error, InvalidUse>);
}

TEST(Token, IsRememberedForNoNegativeTime) {
  MemoryStore store;
  MapperOptions options;
  options.token_lifetime = -1ms;
  EXPECT_THROW(Mapper(store, options), InvalidUse);
  options.token_lifetime = 0ms;
  Mapper(store, options);
}

class TokenTest : public MapperTest {
 protected:
  void SetUp() override { mapper_.save(question(1)); }

  void pass(std::chrono::milliseconds time) { let_pass(*store_, time); }

  /// Of a machine whose clock shows another time.
  static Mapper::Options with_clock(const std::chrono::hours& ahead) {
    return {.compact_every = 0ms, .clock = [&ahead] { return std::chrono::system_clock::now() + ahead; }};
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, TokenTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(TokenTest, AnUpdateCountsOnceHoweverOftenItIsRepeated) {
  for (int i = 0; i < 3; ++i) {
    mapper_.apply<&Question::voteUp>(1, token("a"));
    mapper_.apply_async<&Question::voteUp>(1, token("b")).get();
    mapper_.update<Question>(1, token("c"), [](auto& shard) { shard.voteUp(); });
    other_.apply<&Question::voteUp>(1, token("a"));
    Mapper(*store_, {.combine = false}).apply<&Question::voteUp>(1, token("b"));
  }
  EXPECT_EQ(votes(1), 3);
  mapper_.apply<&Question::voteUp>(1);
  mapper_.apply<&Question::voteUp>(1);
  EXPECT_EQ(votes(1), 5);
}

TEST_P(TokenTest, MayBeOfAnyKind) {
  mapper_.save(Stock("x"));
  token one("a");
  const token other("b");
  for (int i = 0; i < 2; ++i) {
    mapper_.apply<&Stock::refill>("x", one, 5);
    mapper_.apply<&Stock::refill>("x", other, 6);
    mapper_.apply_async<&Stock::sell>("x", other, 7, "C").get();
  }
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 11);
}

TEST_P(TokenTest, OfAnotherEntityIsAnother) {
  mapper_.save(question(2));
  mapper_.apply<&Question::voteUp>(1, token("a"));
  mapper_.apply<&Question::voteUp>(2, token("a"));
  EXPECT_EQ(votes(1), 1);
  EXPECT_EQ(votes(2), 1);
}

TEST_P(TokenTest, ThatDidNotCountIsFree) {
  EXPECT_THROW(mapper_.apply<&Question::voteUp>(3, token("a")), NotFound);
  mapper_.save(question(3));
  mapper_.apply<&Question::voteUp>(3, token("a"));
  EXPECT_EQ(votes(3), 1);

  mapper_.save(Flight(7, 10));
  EXPECT_THROW(mapper_.apply<&Flight::book>(7, token("a"), 11), BoundExceeded);
  mapper_.apply<&Flight::book>(7, token("a"), 10);
  mapper_.apply<&Flight::book>(7, token("a"), 10);
  EXPECT_EQ(mapper_.load<Flight>(7).value().seats(), 0);

  mapper_.save(Quota(1));
  EXPECT_THROW(mapper_.apply<&Quota::use>(1, token("a"), -1), std::invalid_argument);
  mapper_.apply<&Quota::use>(1, token("a"), 90);
  EXPECT_THROW(mapper_.apply<&Quota::use>(1, token("b"), 11), std::out_of_range);
  mapper_.apply<&Quota::use>(1, token("b"), 10);
  EXPECT_EQ(mapper_.load<Quota>(1).value().used(), 100);
}

TEST_P(TokenTest, TellsWhatBecameOfAnUnknownOutcome) {
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    const int before = votes(1);
    const token once(std::to_string(before) + "x");
    faulty_.before_commit([&](int nth) { return nth == 1 ? fate : Fate::kCommits; });
    EXPECT_THROW(mapper_.apply<&Question::voteUp>(1, once), OutcomeUnknown);
    mapper_.apply<&Question::voteUp>(1, once);
    EXPECT_EQ(votes(1), before + 1);
  }
}

TEST_P(TokenTest, SomebodyElseMayCountItMeanwhile) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) other_.apply<&Question::voteUp>(1, token("a"));
    return Fate::kCommits;
  });
  mapper_.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(admin::counters(mapper_).conflicts, 1u);
  EXPECT_EQ(votes(1), 1);
}

TEST_P(TokenTest, LiesApartFromItsEntity) {
  mapper_.save(question(2));
  for (int i = 0; i < 10; ++i) mapper_.apply<&Question::voteUp>(1, token(std::to_string(i)));
  mapper_.apply<&Question::voteUp>(2);
  const auto number = [&](int id) {
    const detail::EntityKey key = detail::entity_key("Question", id);
    return records(*store_, key).size();
  };
  EXPECT_EQ(number(1), number(2));
}

TEST_P(TokenTest, OutlivesItsEntity) {
  mapper_.apply<&Question::voteUp>(1, token("a"));
  mapper_.erase<Question>(1);
  EXPECT_THROW(mapper_.apply<&Question::voteUp>(1, token("a")), NotFound);
  mapper_.save(question(1));
  mapper_.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(votes(1), 0);
}

TEST_P(TokenTest, IsForgottenAfterItsTimeOnly) {
  Mapper lasting(*store_, {.compact_every = 0ms});
  Mapper brief(*store_, {.compact_every = 0ms, .token_lifetime = 0ms});
  lasting.apply<&Question::voteUp>(1, token("a"));
  brief.apply<&Question::voteUp>(1, token("b"));
  EXPECT_EQ(admin::compact(brief), 0u);
  pass(1h);
  EXPECT_EQ(admin::compact(brief), 1u);
  lasting.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(votes(1), 2);
  lasting.apply<&Question::voteUp>(1, token("b"));
  EXPECT_EQ(votes(1), 3);
  Mapper long_lived(*store_, {.compact_every = 0ms, .token_lifetime = std::chrono::milliseconds::max()});
  long_lived.apply<&Question::voteUp>(1, token("c"));
  pass(23h + 30min);
  EXPECT_EQ(admin::compact(long_lived), 1u) << "b was counted again an hour after a";
  pass(1h);
  EXPECT_EQ(admin::compact(long_lived), 1u);
  pass(24h * 365 * 99);
  EXPECT_EQ(admin::compact(long_lived), 0u);
}

TEST_P(TokenTest, IsNotForgottenBecauseAClockIsWrong) {
  for (const std::chrono::hours ahead : {-25h, 25h}) {
    SCOPED_TRACE(ahead.count());
    const std::string name = std::to_string(ahead.count());
    Mapper wrong(*store_, with_clock(ahead));
    const int before = votes(1);
    mapper_.apply<&Question::voteUp>(1, token("mine" + name));
    wrong.apply<&Question::voteUp>(1, token("its" + name));
    EXPECT_EQ(admin::compact(wrong), 0u);
    EXPECT_EQ(admin::compact(mapper_), 0u);
    for (Mapper* mapper : {&mapper_, &wrong}) {
      mapper->apply<&Question::voteUp>(1, token("mine" + name));
      mapper->apply<&Question::voteUp>(1, token("its" + name));
    }
    EXPECT_EQ(votes(1), before + 2);
  }
}

/// Several machines repeat updates and compact, and their clocks jump.
TEST_P(TokenTest, CountsOnceWhateverTheClocksShow) {
  std::mt19937_64 generator = seeded_generator();
  std::array<std::chrono::hours, 3> ahead{};
  std::vector<std::unique_ptr<Mapper>> mappers;
  for (const std::chrono::hours& each : ahead)
    mappers.push_back(std::make_unique<Mapper>(*store_, with_clock(each)));
  std::set<std::size_t> counted;
  for (int i = 0; i < 300; ++i) {
    const std::size_t chosen = below(generator, mappers.size());
    const std::size_t call = below(generator, 10);
    if (call == 0) {
      ahead[chosen] = std::chrono::hours(below(generator, 200)) - 100h;
    } else if (call == 1) {
      admin::compact(*mappers[chosen]);
    } else {
      const std::size_t number = below(generator, 60);
      mappers[chosen]->apply<&Question::voteUp>(1, token(std::to_string(number)));
      counted.insert(number);
    }
    ASSERT_EQ(votes(1), static_cast<int>(counted.size())) << "call " << i;
  }
}

/// No token may be removed whose end was reckoned from a time that the store has not any more.
TEST_P(TokenTest, ItsEndIsReckonedFromTheTimeAtItsCommit) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) pass(48h);
    return Fate::kCommits;
  });
  mapper_.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(admin::counters(mapper_).conflicts, 1u);
  EXPECT_EQ(admin::compact(mapper_), 0u);
  mapper_.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(votes(1), 1);
}

TEST_P(TokenTest, CountsOnceIfItIsBuffered) {
  {
    Mapper buffered(*store_, {.durability = durability::buffered{1h}});
    for (int i = 0; i < 100; ++i) buffered.apply<&Question::voteUp>(1, token(std::to_string(i % 10)));
    EXPECT_EQ(buffered.load<Question>(1).value().votes(), 10);
    buffered.apply<&Question::voteUp>(1, token("1"));
  }
  EXPECT_EQ(votes(1), 10);
}

// The store would refuse one of several records that belong together, or the commit of many who share it.
TEST_P(TokenTest, WhoseKeyIsTooLongIsRefusedBeforeAnythingIsWritten) {
  // In a key, a zero byte is two.
  const std::string longest = std::string(30, 'x') + '\0', too_long[] = {longest + 'x', longest + '\0'};
  faulty_.limit_keys(key_size(1, longest));
  int counted = 0;
  for (const bool combine : {true, false}) {
    Mapper mapper(faulty_, {.combine = combine, .compact_every = 0ms});
    int writes = 0;
    faulty_.before_put([&] { ++writes; });
    for (const std::string& bytes : too_long) {
      const auto is_refused = ThrowsMessage<KeyTooLong>(
          AllOf(HasSubstr("Question 1"), HasSubstr("a key of " + std::to_string(key_size(1, bytes))),
                HasSubstr("choose a shorter id or token")));
      EXPECT_THAT([&] { mapper.apply<&Question::voteUp>(1, token(bytes)); }, is_refused);
      EXPECT_THAT([&] { mapper.apply_async<&Question::voteUp>(1, token(bytes)).get(); }, is_refused);
      EXPECT_THAT([&] { mapper.update<Question>(1, token(bytes), [](auto& shard) { shard.voteUp(); }); },
                  is_refused);
    }
    EXPECT_EQ(writes, 0);
    faulty_.before_put({});
    EXPECT_EQ(votes(1), counted);

    const std::string fits = longest.substr(1) + (combine ? 'c' : 'a');
    mapper.apply<&Question::voteUp>(1, token(fits));
    mapper.apply<&Question::voteUp>(1, token(fits));
    mapper.apply_async<&Question::voteUp>(1, token(fits)).get();
    EXPECT_EQ(votes(1), ++counted);
    EXPECT_EQ(tokens(*store_), static_cast<std::size_t>(counted));
  }
}

TEST_P(TokenTest, WhoseKeyIsTooLongIsRefusedThoughUpdatesAreBuffered) {
  const std::string longest(30, 'x');
  faulty_.limit_keys(key_size(1, longest));
  {
    Mapper buffered(faulty_, {.durability = durability::buffered{1h}, .compact_every = 0ms});
    buffered.apply<&Question::voteUp>(1, token(longest));
    EXPECT_THROW(buffered.apply<&Question::voteUp>(1, token(longest + 'x')), KeyTooLong);
    buffered.apply<&Question::voteUp>(1);
    EXPECT_NO_THROW(buffered.flush());
  }
  EXPECT_EQ(votes(1), 2);
  EXPECT_EQ(tokens(*store_), 1u);
}

}  // namespace
}  // namespace autoshard::test
