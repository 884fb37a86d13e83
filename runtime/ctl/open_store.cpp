#include "open_store.h"

#include <autoshard/errors.h>
#ifdef AUTOSHARD_HAS_ROCKSDB
#include <autoshard/rocksdb_view.h>
#endif

#include <string_view>

namespace autoshard::ctl {

std::unique_ptr<Store> open_to_look(const std::string& name) {
  constexpr std::string_view kRocksDb = "rocksdb:";
  if (!name.starts_with(kRocksDb))
    throw InvalidUse("the store '" + name + "' is none that autoshardctl can open: write rocksdb:PATH");
#ifdef AUTOSHARD_HAS_ROCKSDB
  return view_rocksdb(name.substr(kRocksDb.size()));
#else
  throw InvalidUse("this autoshardctl was built without the component rocksdb");
#endif
}

}  // namespace autoshard::ctl
