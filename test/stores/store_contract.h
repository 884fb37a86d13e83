#pragma once

#include "test_store.h"

namespace autoshard::test {

/// The suites of store_contract_test.cpp, store_scans_test.cpp and store_prefetch_test.cpp, to be
/// instantiated with stores.
using StoreContract = StoreTest;
using StoreThreads = StoreTest;
using StorePrefetch = StoreTest;

/// That of store_folds_test.cpp, with stores that fold.
using StoreFolds = StoreTest;

}  // namespace autoshard::test
