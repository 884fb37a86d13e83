#include "repair.h"

#include <autoshard/errors.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "hex.h"

namespace autoshard::ctl {
namespace {

[[noreturn]] void throw_cannot_write(const std::string& path) {
  throw InvalidUse("the file for removed records cannot be written: " + path + ": " +
                   std::generic_category().message(errno));
}

}  // namespace

Repair::Repair(Store& store, const std::filesystem::path& file)
    : store_(store), path_(file.string()), file_(std::fopen(file.c_str(), "a"), std::fclose) {
  if (!file_) throw_cannot_write(path_);
}

bool Repair::make(const Change& unchanged, const Change& change) {
  if (!change.wanted) keep(change);
  const std::array<Change, 2> changes{unchanged, change};
  return !commit_changes(store_, changes);
}

void Repair::keep(const Change& change) {
  const nlohmann::json line{{"key", detail::to_hex(change.key)}, {"value", detail::to_hex(*change.present)}};
  if (std::fputs((line.dump() + '\n').c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0 ||
      fsync(fileno(file_.get())) != 0)
    throw_cannot_write(path_);
}

}  // namespace autoshard::ctl
