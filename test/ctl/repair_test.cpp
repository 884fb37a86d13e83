// Which damage `autoshardctl verify --repair` mends, and that it mends nothing else.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entities/indexes/indexed_film.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/temporary_folder.h"
#include "support/test_store.h"
#include "verify_fixture.h"

namespace autoshard::test {
namespace {

using cinema::IndexedFilm;
using ::testing::AllOf;

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
  void put(std::string_view key, std::string_view value) { put_record(store_, key, value); }
  void erase(std::string_view key) { erase_record(store_, key); }

  std::mt19937_64& random_;
  MemoryStore store_;
  int entities_ = 0;
};

/// AUTOSHARD_DAMAGED_STORES: how many are made.
TEST_F(RepairTest, EachDamageIsFoundAndMendedWhereThatIsSafe) {
  std::mt19937_64 random = seeded_generator();
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

}  // namespace
}  // namespace autoshard::test
