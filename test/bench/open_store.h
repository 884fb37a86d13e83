#pragma once

#include <autoshard/mapper.h>
#include <autoshard/rocksdb_store.h>

#include <algorithm>
#include <filesystem>

namespace autoshard::bench {

/// A store for what is measured without fsync, and a mapper of it.
struct OpenStore {
  explicit OpenStore(const std::filesystem::path& folder, const MapperOptions& options = {})
      : store(folder, {.sync = false, .minimum_free_bytes = 0}), mapper(store, options) {}

  RocksDbStore store;
  Mapper mapper;
};

/// New questions of these ids, many a commit.
template <class Question>
void add_questions(Mapper& mapper, int from, int to) {
  constexpr int kEachCommit = 100;
  for (int id = from; id < to; id += kEachCommit) {
    mapper.transact([&](EntityTransaction& transaction) {
      for (int next = id; next < std::min(id + kEachCommit, to); ++next) {
        Question question(next, "Who is next?", "Phil R");
        transaction.save(question);
      }
    });
  }
}

}  // namespace autoshard::bench
