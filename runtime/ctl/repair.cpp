#include "repair.h"

#include <autoshard/errors.h>
#include <fcntl.h>
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

/// Makes sure that a new file is found after a loss of power.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  const bool is_synced = descriptor >= 0 && fsync(descriptor) == 0;
  if (descriptor >= 0) close(descriptor);
  if (!is_synced) throw_cannot_write(folder.string());
}

}  // namespace

Repair::Repair(Store& store, const std::filesystem::path& file)
    : store_(store), path_(file.string()), file_(std::fopen(file.c_str(), "a+"), std::fclose) {
  if (!file_) throw_cannot_write(path_);
  // The last line may be half a line, if the process was killed.
  if (std::fseek(file_.get(), -1, SEEK_END) == 0 && std::fgetc(file_.get()) != '\n') write("\n");
  sync_folder(std::filesystem::absolute(file).parent_path());
}

bool Repair::make(const Change& unchanged, const Change& change) {
  if (!change.wanted) keep(change);
  const std::array<Change, 2> changes{unchanged, change};
  return !commit_changes(store_, changes);
}

void Repair::keep(const Change& change) {
  const nlohmann::json line{{"key", detail::to_hex(change.key)}, {"value", detail::to_hex(*change.present)}};
  write(line.dump() + '\n');
}

void Repair::write(const std::string& text) {
  if (std::fputs(text.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0 ||
      fsync(fileno(file_.get())) != 0)
    throw_cannot_write(path_);
}

}  // namespace autoshard::ctl
