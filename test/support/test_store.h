#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/memory_store.h>
#include <autoshard/rocksdb_store.h>
#include <autoshard/store.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace autoshard::test {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)  // as GCC has it
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

/// Programs of tests have several versions of a class.
inline const bool kVersionsAreAllowed = (detail::allow_versions_of_classes(true), true);

/// A store that a test suite runs on.
struct StoreKind {
  std::string name;
  std::unique_ptr<Store> (*open)(const std::filesystem::path& folder);

  friend void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
};

#ifdef AUTOSHARD_TEST_STORES_OF_ITS_OWN
std::vector<StoreKind> all_stores();  // which the program defines
#else
inline std::vector<StoreKind> all_stores() {
  return {
      {"Memory",
       [](const std::filesystem::path&) -> std::unique_ptr<Store> {
         return std::make_unique<MemoryStore>();
       }},
#ifdef AUTOSHARD_TEST_ROCKSDB
      {"RocksDb",
       [](const std::filesystem::path& folder) -> std::unique_ptr<Store> {
         return std::make_unique<RocksDbStore>(
             folder / "store",
             RocksDbOptions{.sync = false, .minimum_free_bytes = 0, .largest_commit = std::size_t{16} << 20});
       }},
#endif
  };
}
#endif

/// Those that are compiled with the tests: ThreadSanitizer takes the synchronisation inside RocksDB for
/// missing.
inline std::vector<StoreKind> stores_for_threads() {
  std::vector<StoreKind> stores = all_stores();
  if (kUnderThreadSanitizer)
    std::erase_if(stores, [](const StoreKind& kind) { return kind.name == "RocksDb"; });
  return stores;
}

/// A fixture with a fresh store of the kind that is the test's parameter.
class StoreTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().open(folder_.path());
};

inline std::string store_name(const ::testing::TestParamInfo<StoreKind>& info) { return info.param.name; }

/// A generator for a random test, which says how to repeat it.
inline std::mt19937_64 seeded_generator() {
  const char* given = std::getenv("AUTOSHARD_TEST_SEED");
  const std::uint64_t seed = given ? std::stoull(given) : std::random_device()();
  std::cout << "AUTOSHARD_TEST_SEED=" << seed << '\n';
  return std::mt19937_64(seed);
}

/// In [0, bound).
inline std::size_t below(std::mt19937_64& generator, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator);
}

/// Whether the record holds the generation of a kind's indexes (runtime/FORMAT.md): there is one of each kind
/// that was written, which is no entity's. The kinds of tests have no zeros.
inline bool is_generation(std::string_view key) {
  return key.starts_with(std::string_view("\0\2", 2)) && key.find('\0', 2) == key.size() - 2;
}

/// Every record between two keys, as a snapshot shows them, but those of generations.
inline std::vector<std::pair<std::string, std::string>> records(Store& store,
                                                                std::string_view begin = {"\0\1", 2},
                                                                std::string_view end = "\xFF") {
  std::vector<std::pair<std::string, std::string>> all;
  const auto snapshot = store.snapshot();
  for (const auto cursor = snapshot->scan(begin, end); cursor->valid(); cursor->next()) {
    if (!is_generation(cursor->key())) all.emplace_back(cursor->key(), cursor->value());
  }
  return all;
}

inline std::vector<std::pair<std::string, std::string>> records(Store& store, detail::EntityKeyView entity) {
  return records(store, entity.bytes(), std::string(entity.bytes()) + '\xFF');
}

}  // namespace autoshard::test
