#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "entities/by_hand/log_entry.h"
#include "entities/indexes/member.autoshard.h"
#include "entity_index.h"
#include "entity_scan.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {

using activity::Level;
using activity::LogEntry;
using activity::Member;

using Entries = std::map<std::string, std::string>;  // behind the shard's number, to their values

/// What is there of an index, in whichever shard.
inline Entries entries(const Snapshot& snapshot, const detail::EntityType& type,
                       const detail::IndexType& index) {
  Entries entries;
  for (const std::string& prefix : detail::find_index(type, index).entry_prefixes()) {
    for (const auto cursor = snapshot.scan(prefix, prefix + '\xFF'); cursor->valid(); cursor->next()) {
      if (cursor->key() == prefix) continue;  // the state
      EXPECT_TRUE(entries.emplace(cursor->key().substr(prefix.size()), cursor->value()).second)
          << "twice: " << cursor->key();
    }
  }
  return entries;
}

/// Whether every index has, in one state of the store, one entry for each entity and nothing else.
template <class E>
void expect_right_indexes(const Snapshot& snapshot) {
  const detail::EntityType& type = detail::kEntityType<E>;
  std::vector<Entries> expected(type.indexes.size());
  const std::string kind = detail::kind_key(type.kind);
  detail::EntityScan scan(snapshot, type, detail::kBeforeAllTimes, kind, detail::end_key(kind));
  while (scan.next()) {
    E entity = detail::make_entity<E>(detail::read_id<typename Traits<E>::Id>(scan.key()));
    scan.read(&entity, {}, {});
    for (std::size_t i = 0; i < type.indexes.size(); ++i) {
      std::string suffix, value;
      type.indexes[i].append_key(suffix, &entity);
      type.indexes[i].append_order(suffix, &entity);
      Encoder out(value);
      if (type.indexes[i].is_unique) {
        out.text(detail::id_in(scan.key()));
      } else {
        suffix += detail::id_in(scan.key());
        out.nil();
      }
      EXPECT_TRUE(expected[i].emplace(suffix, value).second) << type.indexes[i].name;
    }
  }
  for (std::size_t i = 0; i < type.indexes.size(); ++i)
    EXPECT_EQ(entries(snapshot, type, type.indexes[i]), expected[i]) << type.indexes[i].name;
}

class IndexTest : public StoreTest {
 protected:
  static Member member(int number, const std::string& name, const std::string& email) {
    Member member(number);
    member.name = name;
    member.email = email;
    return member;
  }
  static LogEntry log_entry(const std::string& user, const std::string& company, int time) {
    return {user, company, activity::Time(std::chrono::milliseconds(time))};
  }
  /// An index of Member.
  static const detail::IndexType& index(std::string_view name) {
    return *std::ranges::find(detail::kEntityType<Member>.indexes, name, &detail::IndexType::name);
  }
  std::size_t entries(std::string_view name) {
    return test::entries(*store_->snapshot(), detail::kEntityType<Member>, index(name)).size();
  }
  template <class E>
  void expect_right() {
    expect_right_indexes<E>(*store_->snapshot());
  }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_,
                 {.retry = {.initial_backoff = std::chrono::microseconds(1)},
                  .compact_every = std::chrono::milliseconds(0)}};
  Mapper other_{*store_, {.compact_every = std::chrono::milliseconds(0)}};  // somebody else's
};

}  // namespace autoshard::test
