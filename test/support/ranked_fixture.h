#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "entities/versions/talk/former.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "entity_index.h"
#include "entity_scan.h"
#include "keys.h"
#include "ranked_index.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {

using conference::FormerTalk;
using conference::Talk;
using t = Fields<Talk>;

inline void add_talks(Mapper& mapper) {
  for (int number = 1; number <= 5; ++number) mapper.save(Talk(number, number * 100));
}

/// What is there of a ranked index in a state of the store.
struct RankedIndexRecords {
  std::map<std::string, std::vector<std::string>> entries;  // by ids: the forms of the values
  std::set<std::string> dirty;                              // ids

  RankedIndexRecords(const Snapshot& snapshot, const detail::IndexType& declared) {
    const detail::EntityIndex& index = detail::find_index(detail::kEntityType<Talk>, declared);
    const std::string before_entries = index.entry_prefixes().front();
    for (const auto cursor = snapshot.scan(before_entries, detail::end_key(before_entries)); cursor->valid();
         cursor->next()) {
      const std::string_view suffix = cursor->key().substr(before_entries.size());
      const std::size_t values = index.size_of_values(suffix);
      entries[std::string(suffix.substr(values))].emplace_back(suffix.substr(0, values));
    }
    const std::string before_dirty = dynamic_cast<const detail::RankedIndex&>(index).dirty_prefix();
    for (const auto cursor = snapshot.scan(before_dirty, detail::end_key(before_dirty)); cursor->valid();
         cursor->next())
      dirty.emplace(cursor->key().substr(before_dirty.size()));
  }
};

/// Whether in one state of the store every talk that is not dirty has its one entry, no talk has several, and
/// nothing else has any. Returns how many are dirty, in all ranked indexes.
inline std::size_t expect_right_ranked(const Snapshot& snapshot) {
  const detail::EntityType& type = detail::kEntityType<Talk>;
  std::size_t dirty = 0;
  for (const detail::IndexType& index : type.indexes) {
    if (index.kind != detail::IndexType::Kind::kRanked) continue;
    SCOPED_TRACE(index.name);
    RankedIndexRecords records(snapshot, index);
    dirty += records.dirty.size();
    const std::string kind = detail::kind_key(type.kind);
    detail::EntityScan scan(snapshot, type, detail::kBeforeAllTimes, kind, detail::end_key(kind));
    while (scan.next()) {
      Talk talk(detail::read_id<int>(scan.key()));
      scan.read(&talk, {}, {});
      std::string form;
      index.append_key(form, &talk);
      const std::string id(detail::id_in(scan.key()));
      const std::vector<std::string> entries = records.entries[id];
      if (records.dirty.erase(id) == 0) {
        EXPECT_EQ(entries, std::vector{form}) << talk.number();
      } else {
        EXPECT_LE(entries.size(), 1U) << talk.number();
      }
      records.entries.erase(id);
    }
    EXPECT_EQ(records.entries.size(), 0U) << "of talks that there are not";
    EXPECT_EQ(records.dirty.size(), 0U) << "of talks that there are not";
  }
  return dirty;
}

class RankedIndexTest : public StoreTest {
 protected:
  static MapperOptions options() {
    return {.retry = {.initial_backoff = std::chrono::microseconds(1)},
            .choice = ShardChoice::kRandom,
            .combine = false,
            .compact_every = std::chrono::milliseconds(0),
            .adaptive = {.window = std::chrono::milliseconds(0)}};
  }
  template <class Query>
  static std::vector<int> numbers(const Query& query) {
    std::vector<int> numbers;
    for (const auto& talk : query) numbers.push_back(talk.number());
    return numbers;
  }
  /// How many are dirty.
  std::size_t expect_right() { return expect_right_ranked(*store_->snapshot()); }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, options()};
  Mapper other_{*store_, options()};  // somebody else's
};

}  // namespace autoshard::test
