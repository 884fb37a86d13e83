#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>

namespace autoshard::ctl {

/// Opens a store to read it: `rocksdb:PATH`, also while a program has it open, or `mysql:TABLE`, with the
/// servers and credentials of the environment (`MySqlOptions::from_environment`). `mysql:` means the table of
/// the environment. Throws `InvalidUse` for another name, and what the store throws.
std::unique_ptr<Store> open_to_look(const std::string& name);

}  // namespace autoshard::ctl
