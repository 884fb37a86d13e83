#pragma once

#include <autoshard/store.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "changes.h"

namespace autoshard::ctl {

/// Mends what `verify` has found, one record at a time. The records that it removes are in a file before.
class Repair {
 public:
  /// Appends to `file` a line of JSON for each removed record, with key and value in hex. Throws `InvalidUse`
  /// if the file cannot be written.
  Repair(Store& store, const std::filesystem::path& file);

  /// Makes the change if `unchanged` is still as it was seen. Returns whether it is made: not if another
  /// program has changed one of the two. Throws `InvalidUse` if the file cannot be written, and what the
  /// store throws.
  bool make(const Change& unchanged, const Change& change);

 private:
  void keep(const Change& change);
  void write(const std::string& text);

  Store& store_;
  const std::string path_;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace autoshard::ctl
