#include <fmt/format.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>

#include <cstring>
#include <stdexcept>

#include "contestants.h"
#include "database.h"

namespace autoshard::bench {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

void check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

Slice slice(const std::uint64_t& number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

std::uint64_t number(const Slice& bytes) {
  std::uint64_t result = 0;
  if (bytes.size() != sizeof result) throw std::runtime_error("a counter of another size");
  std::memcpy(&result, bytes.data(), sizeof result);
  return result;
}

class Add final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* stored, const Slice& operand, std::string* result,
             rocksdb::Logger*) const override {
    const std::uint64_t sum = number(operand) + (stored ? number(*stored) : 0);
    result->assign(slice(sum).data(), sizeof sum);
    return true;
  }
  const char* Name() const override { return "Add"; }
};

/// As AutoShard opens it.
rocksdb::Options options(bool sync) {
  rocksdb::Options options = rocksdb_store::tuned_options({.sync = sync});
  options.create_if_missing = true;
  options.merge_operator = std::make_shared<Add>();
  return options;
}

/// Counters in RocksDB: the sum of every record there is.
class RocksDbCounters : public Counters {
 public:
  std::uint64_t total() override {
    std::uint64_t sum = 0;
    const std::unique_ptr<rocksdb::Iterator> iterator(db_->NewIterator(rocksdb::ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) sum += number(iterator->value());
    check(iterator->status());
    return sum;
  }

 protected:
  RocksDbCounters(std::unique_ptr<rocksdb::DB> db, bool sync) : db_(std::move(db)) { write_.sync = sync; }

  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_;
};

class Merged final : public RocksDbCounters {
 public:
  explicit Merged(const Setting& setting) : RocksDbCounters(open(setting), setting.sync) {}

  void run(Lap& lap) override {
    run_blocking(lap, [this](int entity) {
      check(db_->Merge(write_, fmt::format("votes/{}", entity), slice(1)));
      return true;
    });
  }

 private:
  static std::unique_ptr<rocksdb::DB> open(const Setting& setting) {
    rocksdb::DB* db = nullptr;
    check(rocksdb::DB::Open(options(setting.sync), setting.folder.string(), &db));
    return std::unique_ptr<rocksdb::DB>(db);
  }
};

/// Reads, adds and writes in an optimistic transaction, on one of `shards` records.
class Transactional final : public RocksDbCounters {
 public:
  Transactional(const Setting& setting, unsigned shards, bool retry)
      : RocksDbCounters(open(setting), setting.sync), shards_(shards), retry_(retry) {}

  void run(Lap& lap) override {
    run_blocking(lap, [&](int entity) {
      do {
        if (count_up(fmt::format("votes/{}/{}", entity, shards_ == 1 ? 0 : lap.random(shards_)))) return true;
      } while (retry_);
      return false;
    });
  }

 private:
  static std::unique_ptr<rocksdb::DB> open(const Setting& setting) {
    rocksdb::OptimisticTransactionDB* db = nullptr;
    check(rocksdb::OptimisticTransactionDB::Open(options(setting.sync), setting.folder.string(), &db));
    return std::unique_ptr<rocksdb::DB>(db);
  }

  bool count_up(const std::string& key) {
    auto& db = static_cast<rocksdb::OptimisticTransactionDB&>(*db_);
    const std::unique_ptr<rocksdb::Transaction> transaction(db.BeginTransaction(write_));
    std::string stored;
    const Status found = transaction->GetForUpdate(rocksdb::ReadOptions(), key, &stored);
    if (!found.IsNotFound()) check(found);
    check(transaction->Put(key, slice((found.ok() ? number(stored) : 0) + 1)));
    const Status committed = transaction->Commit();
    if (committed.IsBusy() || committed.IsTryAgain()) return false;
    check(committed);
    return true;
  }

  const unsigned shards_;
  const bool retry_;
};

Contestant transactional(std::string name, std::string what, unsigned shards, bool retry) {
  return {std::move(name), std::move(what), [=](const Setting& setting) -> std::unique_ptr<Counters> {
            return std::make_unique<Transactional>(setting, shards, retry);
          }};
}

}  // namespace

std::vector<Contestant> rocksdb_peers() {
  return {
      transactional("peer-occ", "RocksDB transaction, one record", 1, false),
      transactional("peer-occ-retry", "RocksDB transaction, retried", 1, true),
      transactional("peer-shards-16", "RocksDB transaction, 16 records", 16, true),
      transactional("peer-shards-64", "RocksDB transaction, 64 records", 64, true),
      {"peer-merge", "RocksDB merge operator",
       [](const Setting& setting) -> std::unique_ptr<Counters> { return std::make_unique<Merged>(setting); }},
  };
}

}  // namespace autoshard::bench
