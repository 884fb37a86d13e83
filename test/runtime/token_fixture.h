#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "keys.h"
#include "store_clock.h"
#include "support/test_store.h"

namespace autoshard::test {

/// Of the key under which a token of a question is remembered.
inline std::size_t key_size(int question, const std::string& bytes) {
  return detail::token_key(detail::entity_key("Question", question), bytes).size();
}

/// Tokens that there are of all entities, on a store that loses no acknowledgements.
inline std::size_t tokens(Store& store) {
  return records(store, detail::begin_of_expiring(), detail::end_of_expiring()).size();
}

/// As if mappers had the store open for so much longer.
inline void let_pass(Store& store, std::chrono::milliseconds time) {
  for (CommitOutcome outcome = CommitOutcome::kConflict; outcome != CommitOutcome::kCommitted;) {
    const auto transaction = store.begin();
    std::string record;
    detail::StoreClock::encode(record, detail::StoreClock::read(*transaction).value_or(0) +
                                           static_cast<std::uint64_t>(time.count()));
    transaction->put(detail::store_clock_key(), record);
    outcome = transaction->commit();
  }
}

}  // namespace autoshard::test
