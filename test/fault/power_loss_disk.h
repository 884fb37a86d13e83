#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::test {

/// What goes wrong.
enum class Fault {
  kPowerOff,     ///< the operation and all later ones fail, until `lose_power`
  kSyncFails,    ///< a sync of a file fails: it writes some sectors, and no later sync writes the others
  kChangeFails,  ///< an operation that changes something fails; a write, after some pages
  kDiskFills,    ///< only some more bytes fit, until `make_room`
};

/// How a disk deceives those who use it.
enum class Lie {
  kNone,
  kSyncDoesNothing,
  kSyncOfLogsDoesNothing,
  kSyncOfLogsIsLate,        ///< takes effect with the next one
  kSyncOfLogsLacksASector,  ///< of those that were written
  kFolderSyncDoesNothing,
};

/// Files and folders in memory, of a machine whose power can be cut off. Thread-safe. Errors are those of
/// errno, 0 is none.
///
/// What is certain to survive a loss of power: the bytes that a file had when it was synced last, and the
/// entries that a folder had when it was synced last. What was changed since then survives in part: of a file
/// any of its sectors and any of the sizes that it had; of a folder the first changes of entries, as journals
/// of file systems have it, but not all removals among them. A sector is written whole or not at all. Bytes
/// that were not written read as they were before, or as zeros.
class Disk {
 public:
  static constexpr std::size_t kSector = 512, kPage = 4096;

  struct Node;
  using Handle = std::shared_ptr<Node>;

  explicit Disk(std::uint64_t seed, Lie lie = Lie::kNone);

  /// Has something go wrong at the n-th operation from now on that changes something, or at the first one
  /// from there on that the fault is about.
  void plan(Fault fault, std::uint64_t operation);
  void power_off();
  bool is_off() const;
  /// Ends `kDiskFills`. No fault is planned any more.
  void make_room();
  /// Leaves what survives, and turns the power on. Handles from before must not be used any more. Returns
  /// what did not survive.
  std::string lose_power();

  /// How many operations there were that changed something.
  std::uint64_t operations() const;
  /// Those at which something went wrong since power was lost, one after the other.
  std::string faults() const;

  int create(const std::string& path, Handle& file);
  int open(const std::string& path, Handle& node) const;
  int remove(const std::string& path);
  int rename(const std::string& from, const std::string& to);
  int make_folder(const std::string& path);
  int list(const std::string& path, std::vector<std::string>& names) const;
  int sync_folder(const Handle& folder);

  int write(const Handle& file, std::uint64_t offset, std::string_view bytes);
  int append(const Handle& file, std::uint64_t& offset, std::string_view bytes);
  int truncate(const Handle& file, std::uint64_t size);
  int sync(const Handle& file);
  /// Puts the bytes there are from an offset on into `bytes`, `size` of them at most.
  int read(const Handle& file, std::uint64_t offset, std::size_t& size, char* bytes) const;
  std::uint64_t size(const Handle& file) const;
  static bool is_folder(const Node& node);

  std::uint64_t free_bytes() const;
  /// False if it is locked already.
  bool lock(const std::string& path);
  void unlock(const std::string& path);

 private:
  enum class Kind { kOther, kSync };

  bool strikes(Kind kind, const std::string& what);
  Handle find(const std::string& path) const;
  /// The folder that an entry is in.
  Handle parent(const std::string& path) const;
  void write_sectors(Node& file, const std::set<std::size_t>& sectors);
  bool chance(double probability);
  std::size_t below(std::size_t bound);
  void survive(Node& folder);
  void survive_file(Node& file);

  const Lie lie_;
  mutable std::mutex mutex_;  // guards all that follows
  std::mt19937_64 generator_;
  Handle root_;
  std::set<std::string> locked_;
  std::uint64_t operations_ = 0;
  std::multimap<std::uint64_t, Fault> plans_;  // by the operation
  bool off_ = false;
  std::uint64_t free_ = 0;
  std::string faults_, lost_;
};

}  // namespace autoshard::test
