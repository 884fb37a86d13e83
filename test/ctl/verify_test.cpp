// Which damage `autoshardctl verify` finds, and that no bytes make it or the other commands fail.

#include "verify.h"

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entities/expiry/permit.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/indexed_film.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/versions/page/page.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "keys.h"
#include "looks.h"
#include "record_json.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using activity::Member;
using airline::Flight;
using cinema::IndexedFilm;
using conference::Talk;
using forum::Topic;
using permits::Permit;
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr permits::Clock::time_point kEnd{8'000'000'000s};

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

  void put(std::string_view key, std::string_view value) {
    change([&](Transaction& to) { to.put(key, value); });
  }
  void erase(std::string_view key) {
    change([&](Transaction& to) { to.erase(key); });
  }
  void change(const std::function<void(Transaction&)>& how) {
    const auto transaction = store_.begin();
    how(*transaction);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

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

TEST_F(VerifyTest, FindsNothingInAHealthyStore) {
  const auto [problems, text] = verified();
  EXPECT_EQ(problems, 0U) << text;
  EXPECT_THAT(text, HasSubstr("records, 0 problems"));
}

TEST_F(VerifyTest, FindsEachValueThatTheFormatDoesNotAllow) {
  for (const auto& [key, value] : records(store_)) {
    put(key, "\xC1");  // no value of MessagePack
    const auto [problems, text] = verified();
    EXPECT_GE(problems, 1U) << detail::describe(key);
    EXPECT_THAT(verified(true).second, HasSubstr("\"bytes\":\"c1\"")) << detail::describe(key);
    put(key, value);
  }
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(VerifyTest, FindsAnIndexRecordWithAnotherKindOfValue) {
  const auto all = records(store_);
  for (const auto& [key, value] : all) {
    const std::string indexes = detail::indexes_key("Member");
    if (!key.starts_with(indexes) || detail::index_of(key, indexes.size()).empty() || value != "\xC0")
      continue;
    put(key, "\xC2");
    expect_problem("the value of an index record is nil, a text or an integer");
    return;
  }
  FAIL() << "there is no entry";
}

TEST_F(VerifyTest, ReadsLargeMapsInTime) {
  std::string record;
  Encoder out(record);
  out.array(1);
  out.map(200'000);
  for (int i = 0; i < 200'000; ++i) {
    out.text(std::to_string(i));
    out.integer(i);
  }
  put(detail::shard_key(detail::entity_key("Flight", 1), "seats", 3), record);
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(VerifyTest, FindsRecordsOfAnEntityThatIsMissing) {
  erase(detail::main_key(detail::entity_key("Flight", 1)));
  expect_problem("Flight 1, delta of likes: the entity has no main record");
}

TEST_F(VerifyTest, FindsAPartBeyondItsShare) {
  put(detail::shard_key(detail::entity_key("Flight", 1), "seats", 2),
      std::string_view("\x94\x20\x00\x00\x10", 5));
  expect_problem("Flight 1, shard of seats: the part is beyond the share of its shard");
}

TEST_F(VerifyTest, FindsExpiriesThatDoNotAgree) {
  const detail::EntityKey ann = detail::entity_key("Permit", std::string("ann"));
  const detail::RecordKey key = detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms, ann);
  erase(key);
  expect_problem("Permit \"ann\", main record: the entity expires, and the record is missing");
  put(key, "\xC0");
  put(detail::expiry_key("Permit", 5, ann), "\xC0");
  expect_problem("Permit \"ann\", expiry: no entity expires at this time");
}

TEST_F(VerifyTest, FindsIndexRecordsOfNoEntity) {
  Mapper mapper(store_, {.compact_every = 0ms});
  for (const char* code : {"alien", "brazil"}) {
    IndexedFilm film(code);
    film.title = "A film";
    film.view(7);
    mapper.save(film);
  }
  mapper.apply<&IndexedFilm::view>("alien", 5);
  const auto healthy = records(store_);
  mapper.erase<IndexedFilm>("brazil");
  EXPECT_EQ(verified().first, 0U) << verified().second;
  // The records that the erased entity has had: the entries of five indexes.
  std::size_t found = 0;
  for (const auto& [key, value] : healthy) {
    std::string now;
    if (!key.starts_with(detail::indexes_key("IndexedFilm")) || value != "\xC0" ||
        store_.snapshot()->get(key, now))
      continue;
    put(key, value);
    expect_problem("index record: the index is complete, and this record is of no entity");
    erase(key);
    ++found;
  }
  EXPECT_GE(found, 5U);
}

TEST_F(VerifyTest, MindsNoRecordsOfAnIndexThatIsNotComplete) {
  const std::string indexes = detail::indexes_key("Member");
  for (const auto& [key, value] : records(store_)) {
    if (!key.starts_with(indexes) || value != "\xC0") continue;
    const std::string_view index = detail::index_of(key, indexes.size());
    std::string of_nobody = key;
    of_nobody.back() = '\x09';
    put(of_nobody, value);
    expect_problem("this record is of no entity");
    put(index, "\xC2");
    EXPECT_EQ(verified().first, 0U);
    return;
  }
  FAIL() << "there is no entry";
}

TEST_F(VerifyTest, FindsAnIndexWithoutAGeneration) {
  erase(detail::indexes_key("Member"));
  EXPECT_GE(verified().first, 1U);
  EXPECT_THAT(verified().second, HasSubstr("the kind has records of an index and no generation"));
}

class RepairTest : public VerifyTest {
 protected:
  /// Returns the number of problems that are left, and the text.
  std::pair<std::uint64_t, std::string> repaired(Store& store) {
    ctl::Repair repair(store, file_);
    std::ostringstream out;
    const std::uint64_t left = ctl::verify(store, {out}, &repair);
    return {left, out.str()};
  }
  std::size_t removed() const {
    std::ifstream file(file_);
    return static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
  }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "removed.jsonl";
};

TEST_F(RepairTest, LeavesNoneOfTheProblemsThatAreSafeToMend) {
  const detail::EntityKey flight = detail::entity_key("Flight", 1);
  const detail::EntityKey ann = detail::entity_key("Permit", std::string("ann"));
  const auto healthy = records(store_);
  const std::size_t parts = records(store_, flight).size() - 1;
  erase(detail::main_key(flight));
  erase(detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms, ann));
  put(detail::expiry_key("Permit", 5, detail::entity_key("Permit", std::string("eve"))), "\xC0");
  const auto [left, text] = repaired(store_);
  EXPECT_EQ(left, 0U) << text;
  EXPECT_THAT(text,
              HasSubstr(std::to_string(parts + 2) + " problems, " + std::to_string(parts + 2) + " repaired"));
  EXPECT_EQ(removed(), parts + 1);
  EXPECT_EQ(verified().first, 0U);
  auto wanted = healthy;
  std::erase_if(wanted, [&](const auto& record) { return record.first.starts_with(flight.bytes()); });
  EXPECT_EQ(records(store_), wanted);
}

TEST_F(RepairTest, WritesNoEndThatMayBeWrong) {
  const detail::EntityKey ann = detail::entity_key("Permit", std::string("ann"));
  const detail::RecordKey end = detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms, ann);
  erase(end);
  put(detail::expiry_key("Permit", 5, ann), "\xC0");  // the right one, perhaps
  EXPECT_EQ(repaired(store_).first, 1U);
  std::string value;
  EXPECT_FALSE(store_.snapshot()->get(end, value));
  EXPECT_EQ(removed(), 1U);
}

TEST_F(RepairTest, BeginsALineAfterHalfALine) {
  std::ofstream(file_) << "{\"key\":\"00";
  erase(detail::main_key(detail::entity_key("Flight", 1)));
  repaired(store_);
  std::ifstream file(file_);
  std::string half, whole;
  std::getline(file, half);
  std::getline(file, whole);
  EXPECT_EQ(half, "{\"key\":\"00");
  EXPECT_THAT(whole, AllOf(::testing::StartsWith("{\"key\":\""), ::testing::EndsWith("\"}")));
}

TEST_F(RepairTest, LeavesTheRestAsItIs) {
  put(detail::shard_key(detail::entity_key("Flight", 1), "seats", 2),
      std::string_view("\x94\x20\x00\x00\x10", 5));
  erase(detail::indexes_key("Member"));
  const auto before = records(store_);
  EXPECT_GE(repaired(store_).first, 2U);
  EXPECT_EQ(records(store_), before);
  EXPECT_EQ(removed(), 0U);
}

TEST_F(RepairTest, RemovesNothingOfAnEntityThatIsThereAgain) {
  const detail::EntityKey flight = detail::entity_key("Flight", 1);
  std::string main_record;
  ASSERT_TRUE(store_.snapshot()->get(detail::main_key(flight), main_record));
  const auto before = records(store_);
  erase(detail::main_key(flight));
  FaultyStore busy(store_);
  busy.before_commit([&](int nth) {
    if (nth == 1) put(detail::main_key(flight), main_record);
    return Fate::kCommits;
  });
  EXPECT_GT(repaired(busy).first, 0U);
  EXPECT_EQ(records(store_), before);
}

TEST_F(RepairTest, RemovesNothingIfTheFileCannotBeWritten) {
  erase(detail::main_key(detail::entity_key("Flight", 1)));
  const auto before = records(store_);
  EXPECT_THROW(ctl::Repair(store_, folder_.path() / "no" / "folder"), InvalidUse);
  EXPECT_THROW(
      {
        ctl::Repair full(store_, "/dev/full");
        std::ostringstream out;
        ctl::verify(store_, {out}, &full);
      },
      InvalidUse);
  EXPECT_EQ(records(store_), before);
}

TEST_F(VerifyTest, MindsNoForeignRecords) {
  for (const char* key : {"foreign", "\2x", "\3"}) put(key, "anything");
  EXPECT_EQ(verified().first, 0U);
}

std::uint64_t seed() {
  const char* const given = std::getenv("AUTOSHARD_TEST_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::cout << "AUTOSHARD_TEST_SEED=" << seed << '\n';
  return seed;
}

/// A store with some entities, and the ways to damage it.
class DamagedStore {
 public:
  explicit DamagedStore(std::mt19937_64& random) : random_(random) {
    Mapper mapper(store_, {.compact_every = 0ms, .clock = [] { return kEnd - 1s; }});
    entities_ = 2 + number(5);
    for (int id = 0; id < entities_; ++id) {
      mapper.save(Flight(id));
      for (int i = number(4); i >= 0; --i) mapper.apply<&Flight::like>(id);
      Member member(id);
      member.name = std::to_string(number(3));
      member.email = std::to_string(id);
      mapper.save(member);
      mapper.save(Permit(std::to_string(id), kEnd));
      IndexedFilm film(std::to_string(id));
      film.view(number(9));
      mapper.save(film);
      mapper.save(Topic(id));
      mapper.apply<&Topic::add_post>(id, "a post");
    }
    mapper.erase<Flight>(entities_ - 1);
    mapper.erase<IndexedFilm>(std::to_string(entities_ - 1));
  }

  Store& store() { return store_; }

  /// Damages the store in one way. Returns whether a repair mends it all.
  bool damage() {
    const int id = number(entities_ - 1);
    switch (number(8)) {
      case 0: {
        const auto all = records(store_);
        put(all[random_() % all.size()].first, "\xC1");
        return false;
      }
      case 1:
        erase(detail::main_key(detail::entity_key("Flight", id)));
        return true;
      case 2:
        erase(detail::main_key(detail::entity_key("Topic", id)));
        return true;
      case 3:
        erase(detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms,
                                 detail::entity_key("Permit", std::to_string(id))));
        return true;
      case 4:
        put(detail::expiry_key("Permit", 5, detail::entity_key("Permit", std::string("nobody"))), "\xC0");
        return true;
      case 5:
        put(detail::shard_key(detail::entity_key("Flight", 1000 + id), "seats", 2), "\x92\x01\x00");
        return true;
      case 6:
        put(detail::shard_key(detail::entity_key("Flight", id), "seats", 2),
            std::string_view("\x94\x20\x00\x00\x10", 5));
        return false;
      default: {
        const std::string indexes = detail::indexes_key(number(2) == 0 ? "Member" : "IndexedFilm");
        std::vector<std::string> entries;
        for (const auto& [key, value] : records(store_)) {
          if (key.starts_with(indexes) && !detail::index_of(key, indexes.size()).empty() && value == "\xC0" &&
              key.size() > detail::index_of(key, indexes.size()).size())
            entries.push_back(key);
        }
        std::string entry = entries[random_() % entries.size()];
        // An id of one byte: the text "9", or the integer 99.
        const bool is_text = entry.ends_with(std::string_view("\0\1", 2));
        entry[entry.size() - (is_text ? 3 : 1)] = is_text ? 'z' : '\x63';
        put(entry, "\xC0");
        return false;
      }
    }
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }
  void put(std::string_view key, std::string_view value) {
    const auto transaction = store_.begin();
    transaction->put(key, value);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  void erase(std::string_view key) {
    const auto transaction = store_.begin();
    transaction->erase(key);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  std::mt19937_64& random_;
  MemoryStore store_;
  int entities_ = 0;
};

/// AUTOSHARD_DAMAGED_STORES: how many are made.
TEST_F(RepairTest, EachDamageIsFoundAndMendedWhereThatIsSafe) {
  std::mt19937_64 random(seed());
  const char* const given = std::getenv("AUTOSHARD_DAMAGED_STORES");
  const int stores = given ? std::atoi(given) : 60;
  int mended = 0;
  for (int at = 0; at < stores; ++at) {
    DamagedStore damaged(random);
    std::ostringstream before, after, last;
    ASSERT_EQ(ctl::verify(damaged.store(), {before}), 0U) << before.str();
    const bool is_mended = damaged.damage();
    const auto as_damaged = records(damaged.store());
    EXPECT_GE(ctl::verify(damaged.store(), {after}), 1U) << "store " << at;
    EXPECT_EQ(records(damaged.store()), as_damaged);
    const std::uint64_t left = repaired(damaged.store()).first;
    EXPECT_EQ(left == 0, is_mended) << after.str();
    EXPECT_EQ(ctl::verify(damaged.store(), {last}), left) << last.str();
    mended += is_mended ? 1 : 0;
  }
  std::cout << stores << " damaged stores, " << mended << " of them mended\n";
}

/// Whatever bytes a store holds, each command ends, and shows each record.
TEST_F(VerifyTest, RandomBytesMakeNoCommandFail) {
  std::mt19937_64 random(seed());
  const TemporaryFolder file;
  const auto own = records(store_);
  const auto mutate = [&](std::string bytes) {
    for (std::uint64_t changes = random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % (bytes.size() + 1);
      const char byte = static_cast<char>(random());
      switch (random() % 3) {
        case 0:
          bytes.insert(at, 1, byte);
          break;
        case 1:
          if (at < bytes.size()) bytes[at] = byte;
          break;
        default:
          bytes.resize(at);
          break;
      }
    }
    return bytes;
  };
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 20; ++i) {
      const auto& [key, value] = own[random() % own.size()];
      const auto& [other, other_value] = own[random() % own.size()];
      const std::string changed = mutate(key);
      if (!changed.empty()) put(changed, mutate(random() % 2 == 0 ? value : other_value));
    }
    std::ostringstream out;
    if (round % 10 == 9) {
      ctl::Repair repair(store_, file.path() / "removed.jsonl");
      const std::uint64_t left = ctl::verify(store_, {out}, &repair);
      EXPECT_EQ(ctl::verify(store_, {out}), left);
    }
    for (const bool is_json : {false, true}) {
      ctl::verify(store_, {out, is_json});
      ctl::show_info(store_, {out, is_json});
      ctl::show_kinds(store_, {out, is_json});
      ctl::show_indexes(store_, {out, is_json});
      ctl::show_entity(store_, "Flight", "1", {out, is_json});
      ctl::show_shards(store_, "Flight", "1", "seats", {out, is_json});
    }
    ctl::show_entities(store_, "Flight", UINT64_MAX, {out, true});
    std::ostringstream lines;
    ctl::show_records(store_, "", UINT64_MAX, {lines, true});
    std::size_t shown = 0, all = 0;
    for (const char byte : lines.str()) shown += byte == '\n' ? 1 : 0;
    const auto snapshot = store_.snapshot();
    for (const auto cursor = snapshot->scan("", std::string(300, '\xFF')); cursor->valid(); cursor->next())
      ++all;
    EXPECT_EQ(shown, all);
  }
}

}  // namespace
}  // namespace autoshard::test
