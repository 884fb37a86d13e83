#pragma once

#include "test_store.h"

namespace autoshard::test {

/// The suites of store_contract_test.cpp, to be instantiated with stores.
using StoreContract = StoreTest;
using StoreThreads = StoreTest;

}  // namespace autoshard::test
