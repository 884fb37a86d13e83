// Records that something else has left among AutoShard's: the beginnings of its own keys, and keys behind its
// own, with values that it never writes there. They change no answer, and keep no work from being done.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entities/by_hand/log_entry.h"
#include "entities/expiry/permit.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using activity::LogEntry;
using activity::Member;
using conference::Talk;
using forum::Topic;
using permits::Permit;

constexpr permits::Clock::time_point kEnd{1'000'000s};

/// A nil, nothing, and an array of nothing.
constexpr std::string_view kValues[] = {"\xC0", "", "\x90"};

class ForeignRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* holder : {"ann", "bob"}) mapper_.save(Permit(holder, kEnd));
    mapper_.apply<&Permit::use>("ann", token("order 7"), 5);
    mapper_.save(Topic(1));
    for (int i = 0; i < 6; ++i) {
      mapper_.apply<&Topic::add_post>(1, std::to_string(i));
      mapper_.apply<&Topic::read_by>(1, std::to_string(i % 3));
      mapper_.apply<&Topic::rate>(1, std::to_string(i % 3), i);
    }
    for (const int number : {1, 2}) {
      mapper_.save(Talk(number, 100));
      mapper_.apply<&Talk::like>(number);
      mapper_.apply<&Talk::rate>(number, 10 * number);
      if (number == 1) admin::refresh_indexes<Talk>(mapper_);
      Member member(number);
      member.name = "name " + std::to_string(number);
      member.email = "email " + std::to_string(number);
      mapper_.save(member);
      mapper_.save(LogEntry("ann", "company " + std::to_string(number), activity::Time(1ms)));
    }
    own_ = records(store_);
  }

  /// The beginnings of keys, and keys with bytes behind them, that are none of AutoShard's.
  std::set<std::string> foreign_keys() const {
    std::set<std::string> own, foreign;
    for (const auto& [key, value] : own_) own.insert(key);
    for (const std::string& key : own) {
      const detail::EntityKeyView entity = detail::entity_of(key);
      for (std::size_t size = 1; size < key.size(); ++size) {
        std::string beginning = key.substr(0, size);
        if (own.contains(beginning) || beginning == std::string(2, '\0')) continue;
        // A delta, or an element, by the form of its key.
        if (!entity.empty() && size > entity.bytes().size() && detail::read_shard_key(entity, beginning))
          continue;
        foreign.insert(std::move(beginning));
      }
      const std::string_view prefix =
          is_of_index(key) ? detail::index_of(key, key.find('\1') + 1) : entity.bytes();
      for (const char* behind : {"\xFF", "\xFF\xFF\xFF\xFF\xFF", "\xFF\x02"}) {
        if (!prefix.empty()) foreign.insert(std::string(prefix) + behind);
        if (entity.empty() || key.size() == entity.bytes().size() + 1) foreign.insert(key + behind);
      }
    }
    return foreign;
  }
  static bool is_of_index(std::string_view key) { return key.starts_with(std::string_view("\0\2", 2)); }

  void put(std::string_view key, std::optional<std::string_view> value) {
    const auto transaction = store_.begin();
    value ? transaction->put(key, *value) : transaction->erase(key);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  /// Answers, by what was asked.
  using Answers = std::vector<std::pair<std::string, std::string>>;

  Answers answers() {
    Answers answers;
    const auto ask = [&](std::string question, const std::function<std::string()>& answer) {
      try {
        answers.emplace_back(std::move(question), answer());
      } catch (const CorruptRecord&) {
        answers.emplace_back(std::move(question), "corrupt");
      }
    };
    ask("permit", [&] { return std::to_string(mapper_.load<Permit>("ann").value().uses()); });
    ask("permits", [&] {
      std::string text;
      for (const Permit& permit : mapper_.query<Permit>())
        text += permit.holder() + ' ' + std::to_string(permit.uses()) + ' ';
      return text;
    });
    ask("topic", [&] {
      const Topic topic = mapper_.load<Topic>(1).value();
      return std::to_string(topic.posts().size()) + ' ' + std::to_string(topic.readers().size());
    });
    ask("topics", [&] { return std::to_string(mapper_.query<Topic>().page().rows[0].posts().size()); });
    ask("posts", [&] {
      std::string text;
      for (const auto& post : mapper_.elements<Topic>(1, Fields<Topic>::posts)) text += post.value.text;
      return text;
    });
    ask("readers", [&] {
      std::string text;
      for (const auto& reader : mapper_.elements<Topic>(1, Fields<Topic>::readers)) text += reader.value;
      return text;
    });
    ask("talks", [&] { return std::to_string(mapper_.query<Talk>().count()); });
    ask("talks by score (index)", [&] {
      std::string text;
      for (const Talk& talk : mapper_.query<Talk>().order_by(Fields<Talk>::score.desc()))
        text += std::to_string(talk.number()) + ' ';
      return text;
    });
    ask("members by name (index)",
        [&] { return std::to_string(mapper_.query<Member>(Fields<Member>::name == "name 1").count()); });
    ask("entries by company (index)", [&] {
      return std::to_string(mapper_.query<LogEntry>(Fields<LogEntry>::company == "company 2").count());
    });
    return answers;
  }

  MemoryStore store_;
  permits::Clock::time_point now_ = kEnd - 1s;
  Mapper mapper_{store_, {.compact_every = 0ms, .clock = [this] { return now_; }}};
  std::vector<std::pair<std::string, std::string>> own_;
};

TEST_F(ForeignRecordsTest, ChangeNoAnswer) {
  const Answers expected = answers();
  for (const std::string& key : foreign_keys()) {
    for (const std::string_view value : kValues) {
      put(key, value);
      const Answers found = answers();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        // An entry that cannot be read may be that of an entity which would be missing.
        const bool may_be_damaged = is_of_index(key) && expected[i].first.ends_with("(index)");
        EXPECT_TRUE(found[i] == expected[i] || (may_be_damaged && found[i].second == "corrupt"))
            << found[i].first << ": " << found[i].second << "\ninstead of " << expected[i].second << "\nwith "
            << ::testing::PrintToString(key) << " -> " << ::testing::PrintToString(value);
      }
      put(key, std::nullopt);
    }
  }
}

TEST_F(ForeignRecordsTest, KeepNothingFromBeingRemoved) {
  for (const std::string_view value : kValues) {
    const std::set<std::string> foreign = foreign_keys();
    for (const std::string& key : foreign) put(key, value);
    now_ = kEnd;
    admin::compact(mapper_);
    now_ = kEnd - 1s;
    EXPECT_EQ(mapper_.query<Permit>().count(), 0U) << "they have expired";
    EXPECT_GE(admin::refresh_indexes<Talk>(mapper_), 1U);
    EXPECT_TRUE(mapper_.erase<Topic>(1));
    EXPECT_EQ((mapper_.erase<Talk>(std::vector{1, 2})), 2U);
    EXPECT_EQ((mapper_.erase<Member>(std::vector{1, 2})), 2U);
    for (const char* company : {"company 1", "company 2"})
      EXPECT_TRUE(mapper_.erase<LogEntry>({"ann", company, activity::Time(1ms)}));
    for (const auto& [key, left] : records(store_)) {
      const bool is_expiry = key >= detail::begin_of_expiries("Permit", 1) &&
                             key < detail::begin_of_expiries("Permit", 1LL << 62);
      const bool is_of_store = key.starts_with(std::string("\0\1", 2)) && !is_expiry;
      EXPECT_TRUE(foreign.contains(key) || is_of_index(key) || is_of_store) << ::testing::PrintToString(key);
    }
    for (const auto& [key, left] : records(store_)) put(key, std::nullopt);
    SetUp();
  }
}

/// A mapper that has written no entity of a kind yet looks for the indexes of other versions.
TEST_F(ForeignRecordsTest, KeepNoNewMapperFromWriting) {
  for (const std::string& key : foreign_keys()) put(key, "\xC0");
  Mapper mapper(store_, {.compact_every = 0ms});
  mapper.save(Talk(3, 100));
  Member member(3);
  member.name = "name 3";
  mapper.save(member);
  mapper.save(LogEntry("ann", "company 3", activity::Time(1ms)));
  mapper.apply<&Topic::add_post>(1, "a post");
  EXPECT_EQ(mapper.load<Topic>(1).value().posts().size(), 7U);
  admin::rebuild_indexes<Member>(mapper);
  EXPECT_EQ(mapper.query<Member>(Fields<Member>::name == "name 3").count(), 1U);
}

/// Of a main record that does not tell what leads to the entity any more.
TEST_F(ForeignRecordsTest, KeepNothingFromBeingFound) {
  const detail::EntityKey key = detail::entity_key("Permit", std::string("ann"));
  for (const std::string& foreign : foreign_keys()) put(foreign, "\xC0");
  put(detail::main_key(key), "\x93");
  EXPECT_TRUE(mapper_.erase<Permit>("ann"));
  std::string value;
  EXPECT_FALSE(
      store_.snapshot()->get(detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms, key), value));
}

}  // namespace
}  // namespace autoshard::test
