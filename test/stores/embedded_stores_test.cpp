// The stores that run in this process keep the contract.

#include "store_contract.h"

namespace autoshard::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(all_stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, ::testing::ValuesIn(stores_for_threads()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StorePrefetch, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
