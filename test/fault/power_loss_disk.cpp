#include "power_loss_disk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace autoshard::test {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostLeft = std::uint64_t{4} << 20;  // of a disk that fills

bool is_log(const std::string& path) { return path.ends_with(".log"); }

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

struct Disk::Node {
  /// A change of a folder that is not synced. `from`: removed, `to`: put there, where they are not empty.
  struct Change {
    std::string from, to;
    Handle node;
  };
  using Entries = std::map<std::string, Handle>;

  explicit Node(std::string path_it_began_with, bool folder)
      : path(std::move(path_it_began_with)), is_folder(folder) {}

  const std::string path;
  const bool is_folder;

  // Of a file. `synced`: what is certain to survive.
  std::string bytes, synced;
  std::set<std::size_t> dirty;     // sectors that were written since
  std::vector<std::size_t> sizes;  // that it had since
  std::set<std::size_t> awaiting;  // sectors that a sync was asked for, and that the next one writes

  // Of a folder.
  Entries entries, synced_entries;
  std::vector<Change> changes;

  static void apply(Entries& entries, const Change& change) {
    if (!change.from.empty()) entries.erase(change.from);
    if (!change.to.empty()) entries[change.to] = change.node;
  }
  void change(Change change) {
    apply(entries, change);
    changes.push_back(std::move(change));
  }
  void note_size() {
    if (sizes.empty() || sizes.back() != bytes.size()) sizes.push_back(bytes.size());
  }
};

Disk::Disk(std::uint64_t seed, Lie lie)
    : lie_(lie), generator_(seed), root_(std::make_shared<Node>("/", true)), free_(kPlenty) {}

void Disk::plan(Fault fault, std::uint64_t operation) {
  const std::lock_guard lock(mutex_);
  plans_.emplace(operations_ + operation, fault);
}

void Disk::power_off() {
  const std::lock_guard lock(mutex_);
  if (!off_) faults_ += "power off after operation " + std::to_string(operations_) + "; ";
  off_ = true;
}

bool Disk::is_off() const {
  const std::lock_guard lock(mutex_);
  return off_;
}

void Disk::make_room() {
  const std::lock_guard lock(mutex_);
  free_ = kPlenty;
  plans_.clear();
}

std::uint64_t Disk::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

std::string Disk::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

/// Begins an operation that changes something. True: it fails.
bool Disk::strikes(Kind kind, const std::string& what) {
  if (off_) return true;
  ++operations_;
  const auto plan = std::find_if(plans_.begin(), plans_.upper_bound(operations_), [&](const auto& each) {
    return each.second != Fault::kSyncFails || kind == Kind::kSync;
  });
  if (plan == plans_.upper_bound(operations_)) return false;
  const Fault fault = plan->second;
  plans_.erase(plan);
  static constexpr const char* kNames[] = {"power off", "failed", "failed", "disk nearly full"};
  faults_ += std::string(kNames[static_cast<int>(fault)]) + " at operation " + std::to_string(operations_) +
             ", " + what + "; ";
  if (fault == Fault::kDiskFills) free_ = below(kMostLeft);
  off_ = fault == Fault::kPowerOff;
  return fault != Fault::kDiskFills;
}

Disk::Handle Disk::find(const std::string& path) const {
  Handle node = root_;
  for (std::size_t at = 0; node && at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) {
      if (!node->is_folder) return nullptr;
      const auto entry = node->entries.find(path.substr(at, end - at));
      node = entry == node->entries.end() ? nullptr : entry->second;
    }
    at = end + 1;
  }
  return node;
}

Disk::Handle Disk::parent(const std::string& path) const {
  const Handle folder = find(path.substr(0, path.rfind('/')));
  return folder && folder->is_folder ? folder : nullptr;
}

int Disk::create(const std::string& path, Handle& file) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "create " + path)) return EIO;
  const Handle folder = parent(path);
  if (!folder) return ENOENT;
  if (const Handle there = find(path)) {  // goes on as the same file
    if (there->is_folder) return EISDIR;
    there->bytes.clear();
    there->note_size();
    file = there;
    return 0;
  }
  file = std::make_shared<Node>(path, false);
  folder->change({"", name_in(path), file});
  return 0;
}

int Disk::open(const std::string& path, Handle& node) const {
  const std::lock_guard lock(mutex_);
  if (off_) return EIO;
  node = find(path);
  return node ? 0 : ENOENT;
}

int Disk::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "remove " + path)) return EIO;
  const Handle node = find(path);
  if (!node) return ENOENT;
  if (node->is_folder && !node->entries.empty()) return ENOTEMPTY;
  parent(path)->change({name_in(path), "", nullptr});
  return 0;
}

int Disk::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "rename " + from + " to " + to)) return EIO;
  const Handle node = find(from), folder = parent(to);
  if (!node || !folder) return ENOENT;
  if (folder != parent(from)) return EXDEV;
  folder->change({name_in(from), name_in(to), node});
  return 0;
}

int Disk::make_folder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "make folder " + path)) return EIO;
  const Handle folder = parent(path);
  if (!folder) return ENOENT;
  if (find(path)) return EEXIST;
  folder->change({"", name_in(path), std::make_shared<Node>(path, true)});
  return 0;
}

int Disk::list(const std::string& path, std::vector<std::string>& names) const {
  const std::lock_guard lock(mutex_);
  if (off_) return EIO;
  names.clear();
  const Handle folder = find(path);
  if (!folder) return ENOENT;
  if (!folder->is_folder) return ENOTDIR;
  for (const auto& [name, node] : folder->entries) names.push_back(name);
  return 0;
}

int Disk::sync_folder(const Handle& folder) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "sync folder " + folder->path)) return EIO;
  if (lie_ == Lie::kFolderSyncDoesNothing) return 0;
  folder->synced_entries = folder->entries;
  folder->changes.clear();
  return 0;
}

int Disk::write(const Handle& file, std::uint64_t offset, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (off_) return EIO;
  std::uint64_t end = offset + bytes.size();
  int error = 0;
  if (strikes(Kind::kOther, "write " + std::to_string(bytes.size()) + " bytes at " + std::to_string(offset) +
                                " of " + file->path)) {
    error = EIO;
    end = offset + below(bytes.size() + 1);
  } else if (end > file->bytes.size() + free_) {
    error = ENOSPC;
    end = file->bytes.size() + free_;
  }
  if (error != 0) end = std::max(offset, end - end % kPage);  // system calls write page by page
  bytes = bytes.substr(0, end - offset);
  if (bytes.empty()) return error;
  if (end > file->bytes.size()) {
    if (free_ < kPlenty) free_ -= end - file->bytes.size();
    file->bytes.resize(end);
  }
  file->bytes.replace(offset, bytes.size(), bytes);
  file->note_size();
  for (std::size_t sector = offset / kSector; sector <= (end - 1) / kSector; ++sector)
    file->dirty.insert(file->dirty.end(), sector);
  return error;
}

int Disk::append(const Handle& file, std::uint64_t& offset, std::string_view bytes) {
  const int error = write(file, offset, bytes);
  if (error == 0) offset += bytes.size();
  return error;
}

int Disk::truncate(const Handle& file, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  if (strikes(Kind::kOther, "truncate " + file->path + " to " + std::to_string(size))) return EIO;
  for (std::size_t sector = size / kSector; sector * kSector < file->bytes.size(); ++sector)
    file->dirty.insert(sector);
  file->bytes.resize(size);
  file->note_size();
  return 0;
}

void Disk::write_sectors(Node& file, const std::set<std::size_t>& sectors) {
  for (const std::size_t sector : sectors) {
    const std::size_t begin = sector * kSector;
    if (begin >= file.synced.size() || begin >= file.bytes.size()) continue;
    const std::size_t size = std::min({kSector, file.synced.size() - begin, file.bytes.size() - begin});
    file.synced.replace(begin, size, file.bytes, begin, size);
  }
}

int Disk::sync(const Handle& handle) {
  const std::lock_guard lock(mutex_);
  Node& file = *handle;
  const bool fails = strikes(Kind::kSync, "sync " + file.path);
  if (off_) return EIO;
  const bool log = is_log(file.path);
  if (lie_ == Lie::kSyncDoesNothing || (lie_ == Lie::kSyncOfLogsDoesNothing && log)) return 0;
  std::set<std::size_t> sectors = file.dirty;
  if (fails) {
    std::erase_if(sectors, [&](std::size_t) { return chance(0.5); });
  } else if (lie_ == Lie::kSyncOfLogsIsLate && log) {
    std::swap(sectors, file.awaiting);
  } else if (lie_ == Lie::kSyncOfLogsLacksASector && log && !sectors.empty()) {
    sectors.erase(std::prev(sectors.end()));
  }
  file.synced.resize(file.bytes.size());
  write_sectors(file, sectors);
  if (lie_ == Lie::kSyncOfLogsIsLate && log) {
    for (const std::size_t sector : sectors) {
      if (!file.awaiting.contains(sector)) file.dirty.erase(sector);
    }
  } else {
    file.dirty.clear();
    file.sizes.clear();
  }
  return fails ? EIO : 0;
}

int Disk::read(const Handle& file, std::uint64_t offset, std::size_t& size, char* bytes) const {
  const std::lock_guard lock(mutex_);
  if (off_) return EIO;
  size = offset >= file->bytes.size() ? 0 : std::min<std::size_t>(size, file->bytes.size() - offset);
  std::memcpy(bytes, file->bytes.data() + std::min<std::size_t>(offset, file->bytes.size()), size);
  return 0;
}

std::uint64_t Disk::size(const Handle& file) const {
  const std::lock_guard lock(mutex_);
  return file->bytes.size();
}

bool Disk::is_folder(const Node& node) { return node.is_folder; }

std::uint64_t Disk::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return free_;
}

bool Disk::lock(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return locked_.insert(path).second;
}

void Disk::unlock(const std::string& path) {
  const std::lock_guard lock(mutex_);
  locked_.erase(path);
}

bool Disk::chance(double probability) { return std::bernoulli_distribution(probability)(generator_); }

std::size_t Disk::below(std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator_);
}

std::string Disk::lose_power() {
  const std::lock_guard lock(mutex_);
  lost_.clear();
  survive(*root_);
  off_ = false;
  free_ = kPlenty;
  plans_.clear();
  faults_.clear();
  locked_.clear();
  return lost_;
}

/// Has all changes survive, or the first ones, except some removals.
void Disk::survive(Node& folder) {
  Node::Entries entries = folder.synced_entries;
  std::set<std::string> lost;  // names whose changes did not survive
  const std::size_t first_ones = chance(0.5) ? folder.changes.size() : below(folder.changes.size() + 1);
  const double removal = std::array{0.0, 0.5, 1.0}.at(below(3));
  for (std::size_t i = 0; i < folder.changes.size(); ++i) {
    const Node::Change& change = folder.changes[i];
    const bool depends = lost.contains(change.from) || lost.contains(change.to);
    if (depends || i >= first_ones || (change.to.empty() && !chance(removal))) {
      for (const std::string& name : {change.from, change.to}) {
        if (!name.empty() && lost.insert(name).second) lost_ += "changes of " + name + "; ";
      }
    } else {
      Node::apply(entries, change);
    }
  }
  folder.entries = folder.synced_entries = std::move(entries);
  folder.changes.clear();
  for (const auto& [name, node] : folder.entries) node->is_folder ? survive(*node) : survive_file(*node);
}

/// Has all, none, the first ones, some pages, some sectors, or all but one sector survive.
void Disk::survive_file(Node& file) {
  enum { kAll, kNothing, kFirst, kPages, kSectors, kAllButOne, kWays };
  const std::size_t way = below(kWays);
  const double probability = std::array{0.1, 0.5, 0.9}.at(below(3));
  file.note_size();
  file.sizes.push_back(file.synced.size());
  std::size_t size = file.bytes.size();
  if (way == kNothing) size = file.synced.size();
  if (way > kNothing && chance(0.5)) size = file.sizes[below(file.sizes.size())];
  std::set<std::size_t> sectors = file.dirty;
  const std::size_t chosen =
      sectors.empty() ? 0 : *std::next(sectors.begin(), static_cast<std::ptrdiff_t>(below(sectors.size())));
  std::optional<std::pair<std::size_t, bool>> page;  // the last one, and whether it is lost
  std::erase_if(sectors, [&](std::size_t sector) {
    switch (way) {
      case kAll:
        return false;
      case kNothing:
        return true;
      case kFirst:
        return sector >= chosen;
      case kAllButOne:
        return sector == chosen;
      case kPages:
        if (const std::size_t number = sector * kSector / kPage; !page || page->first != number)
          page = {number, !chance(probability)};
        return page->second;
      default:
        return !chance(probability);
    }
  });
  if (sectors.size() < file.dirty.size() || size < file.bytes.size()) {
    lost_ += file.path + ": " + std::to_string(size) + " of " + std::to_string(file.bytes.size()) +
             " bytes, " + std::to_string(file.synced.size()) + " synced, without sectors";
    for (const std::size_t sector : file.dirty) {
      if (!sectors.contains(sector)) lost_ += " " + std::to_string(sector);
    }
    lost_ += " of " + std::to_string(file.dirty.size()) + " from " +
             std::to_string(file.dirty.empty() ? 0 : *file.dirty.begin()) + "; ";
  }
  file.synced.resize(size);
  write_sectors(file, sectors);
  file.bytes = file.synced;
  file.dirty.clear();
  file.awaiting.clear();
  file.sizes.clear();
}

}  // namespace autoshard::test
