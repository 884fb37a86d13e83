#pragma once

#include <rocksdb/env.h>

#include <cstdarg>

namespace autoshard::rocksdb_store {

/// Keeps RocksDB from writing a file LOG to a folder that is only read.
class NoLog final : public rocksdb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

}  // namespace autoshard::rocksdb_store
