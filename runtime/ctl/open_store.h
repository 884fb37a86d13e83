#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>

namespace autoshard::ctl {

/// Opens a store to read it: `rocksdb:PATH`, also while a program has it open. Throws `InvalidUse` for
/// another name, and what `view_rocksdb` throws.
std::unique_ptr<Store> open_to_look(const std::string& name);

}  // namespace autoshard::ctl
