#include <autoshard/mysql_store.h>

#include "database.h"

namespace autoshard {

MySqlStore::MySqlStore(const Options& options)
    : database_(std::make_unique<mysql_store::Database>(options)) {}

MySqlStore::~MySqlStore() = default;

StoreTraits MySqlStore::traits() const {
  StoreTraits traits;
  traits.atomic_scope = StoreTraits::AtomicScope::kStore;
  traits.durable_acknowledgement = database_->is_durable();
  traits.snapshot_reads = true;
  traits.many_writing_processes = true;
  traits.acknowledgements_may_be_lost = true;
  traits.longest_key = mysql_store::kLongestKey;
  traits.prefetches = true;
  traits.folds_sum = traits.folds_minimum = traits.folds_maximum = !database_->is_galera();
  return traits;
}

std::unique_ptr<Transaction> MySqlStore::begin() { return mysql_store::begin_transaction(*database_); }

std::unique_ptr<Cursor> MySqlStore::scan(std::string_view begin, std::string_view end) {
  return mysql_store::scan_once(*database_, begin, end);
}

std::unique_ptr<Snapshot> MySqlStore::snapshot() { return mysql_store::open_snapshot(*database_); }

}  // namespace autoshard
