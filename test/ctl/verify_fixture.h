#pragma once

/// A store with every form of record, for the tests of `autoshardctl verify`.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "entities/expiry/permit.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "verify.h"

namespace autoshard::test {

using activity::Member;
using airline::Flight;
using conference::Talk;
using forum::Topic;
using permits::Permit;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

inline constexpr permits::Clock::time_point kEnd{8'000'000'000s};

inline void put_record(Store& store, std::string_view key, std::string_view value) {
  const auto transaction = store.begin();
  transaction->put(key, value);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

inline void erase_record(Store& store, std::string_view key) {
  const auto transaction = store.begin();
  transaction->erase(key);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

/// A store with every form of record, and commands on it.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    Mapper mapper(store_, {.compact_every = 0ms, .clock = [] { return kEnd - 1s; }});
    for (const char* holder : {"ann", "bob"}) mapper.save(Permit(holder, kEnd));
    mapper.apply<&Permit::use>("ann", token("order 7"), 5);
    mapper.save(Topic(1));
    mapper.apply<&Topic::add_post>(1, "a post");
    mapper.apply<&Topic::rate>(1, "bob", 3);
    for (const int number : {1, 2}) {
      mapper.save(Flight(number));
      for (int i = 0; i < 3; ++i) mapper.apply<&Flight::like>(number);
      mapper.save(Talk(number, 100));
      mapper.apply<&Talk::like>(number);
      Member member(number);
      member.email = std::to_string(number);
      mapper.save(member);
    }
    mapper.erase<Flight>(2);
  }

  void put(std::string_view key, std::string_view value) { put_record(store_, key, value); }
  void erase(std::string_view key) { erase_record(store_, key); }

  std::pair<std::uint64_t, std::string> verified(bool is_json = false) {
    std::ostringstream out;
    const std::uint64_t problems = ctl::verify(store_, {out, is_json});
    return {problems, out.str()};
  }
  void expect_problem(const std::string& words) {
    const auto [problems, text] = verified();
    EXPECT_EQ(problems, 1U) << text;
    EXPECT_THAT(text, HasSubstr(words));
  }

  MemoryStore store_;
};

}  // namespace autoshard::test
