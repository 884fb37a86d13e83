#pragma once

#include <string>
#include <string_view>

#include "support/test_store.h"

namespace autoshard::test {

// What one transaction does, or one look.

inline CommitOutcome put(Store& store, std::string_view key, std::string_view value) {
  const auto transaction = store.begin();
  transaction->put(key, value);
  return transaction->commit();
}

inline CommitOutcome erase(Store& store, std::string_view key) {
  const auto transaction = store.begin();
  transaction->erase(key);
  return transaction->commit();
}

inline std::string get(Store& store, std::string_view key) {
  std::string value;
  return store.snapshot()->get(key, value) ? value : "absent";
}

/// The suites of store_contract_test.cpp, store_scans_test.cpp and store_prefetch_test.cpp, to be
/// instantiated with stores.
using StoreContract = StoreTest;
using StoreThreads = StoreTest;
using StorePrefetch = StoreTest;

/// That of store_folds_test.cpp, with stores that fold.
using StoreFolds = StoreTest;

}  // namespace autoshard::test
