#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "effects.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// The class whose entities a run is about. Every class but Ledger has an older and a newer version.
enum class World { kLedgers, kAlbums, kPermits };

inline constexpr int kEntities = 3;
/// The window of a Permit, and its buckets. Clocks that jump by seconds are as far apart.
inline constexpr Time kWindow = std::chrono::seconds(3), kBucket = std::chrono::seconds(1);
/// Keys of the maps of an Album.
inline constexpr OperationId kKeys = 3;

// The parts of an update, as bits.
enum LedgerPart : std::uint32_t { kVote = 1, kLike = 2, kView = 4, kNote = 8, kRewrite = 16, kBook = 32 };
enum AlbumPart : std::uint32_t {
  kPost = 1,
  kSay = 2,
  kDraw = 4,
  kSell = 8,
  kRefill = 16,
  kTag = 32,
  kMark = 64
};
enum PermitPart : std::uint32_t { kUse = 1, kSeal = 2, kSign = 4, kPass = 8, kRestart = 16 };

/// How the parts of updates of one class behave.
struct PartRules {
  std::string_view entity;  ///< the name of the class
  std::array<std::string_view, 7> names;
  std::uint32_t all;            ///< all parts
  std::uint32_t asynchronous;   ///< those that `apply_async` is used for
  std::uint32_t replacing = 0;  ///< voids earlier ones of `replaced`
  std::uint32_t replaced = 0;   ///< includes `replacing`
  std::uint32_t bounded = 0;    ///< those that bounds may refuse
  std::uint32_t entries = 0;    ///< puts an entry into a map, in the place of an earlier one of the same key
  /// Of `entries`: those that the older version folds by ids, also when it compacts what the newer one put.
  std::uint32_t outranked = 0;
  /// Of `entries`: elements that `erase_element` and `replace_element` change. The operation has one of them.
  std::uint32_t elements = 0;
  std::uint32_t timed = 0;       ///< those that a window counts: for a while only
  std::uint32_t newer = 0;       ///< those that the older version has no method for
  std::uint32_t moved = 0;       ///< those whose records the older version does not find once they were moved
  int most_at_first, most_ever;  ///< of the bounded number, when an entity is created
};

constexpr PartRules rules_of(World world) {
  switch (world) {
    case World::kAlbums:
      return {.entity = "Album",
              .names = {"post", "say", "draw", "sell", "refill", "tag", "mark"},
              .all = 127,
              .asynchronous = kPost | kSay | kSell | kRefill | kTag | kMark,
              .replacing = kRefill,
              .replaced = kSell | kRefill,
              .bounded = kSell | kRefill,
              .entries = kTag | kMark,
              .outranked = kMark,
              .elements = kTag | kMark,
              .newer = kDraw | kRefill,
              .moved = kSay | kDraw | kTag | kMark,
              .most_at_first = 40,
              .most_ever = 100};
    case World::kPermits:
      return {.entity = "Permit",
              .names = {"use", "seal", "sign", "pass", "restart"},
              .all = 31,
              .asynchronous = kUse | kSeal | kSign | kPass,
              .replacing = kRestart,
              .replaced = kPass | kRestart,
              .timed = kPass | kRestart,
              .most_at_first = 40,
              .most_ever = 40};
    case World::kLedgers:
      break;
  }
  return {.entity = "Ledger",
          .names = {"vote", "like", "view", "note", "rewrite", "book"},
          .all = 63,
          .asynchronous = kVote | kLike | kView | kBook,
          .replacing = kRewrite,
          .replaced = kNote | kRewrite,
          .bounded = kBook,
          .most_at_first = 40,
          .most_ever = 40};
}

/// The bytes of a long token, and the longest key of a store that has no room for one.
inline constexpr std::size_t kLongToken = 128, kLongestKey = 110;

struct Operation {
  enum Kind {
    kUpdate,
    kUpdateAsync,  ///< of one part; waited for at once, or never before the client ends, or by a callback
    kRepeat,       ///< makes the last update with a token once more
    kLoad,
    kLoadCached,
    kHold,  ///< loads an entity to be saved later
    kSave,  ///< changes the one that is held, and saves it
    kCreate,
    kErase,
    kTransact,
    kCompact,
    kCompactAll,
    kSetShards,
    kIncreaseShards,
    kAdapt,
    kFlush,
    kQuery,
    kBuildIndexes,
    kPause,
    kEraseElement,    ///< that of the operation's key, in a map whose entries are elements
    kReplaceElement,  ///< likewise, by the entry that an update by this operation would put
    kSaveParts,       ///< saves the entity that is held, of which only sharded members have changed
    kHotSpots,        ///< ends a window of statistics, and asks for hot spots
    kExport,          ///< of all entities; keeps the text of this one
    kImport,          ///< of the text that was kept last, under an id that no plan uses
  };

  OperationId id = 0;
  Kind kind = kLoad;
  int entity = 0, other_entity = 0;
  std::uint32_t parts = 0;
  int amount = 0;               // that is booked or sold, or that there is first
  std::uint32_t number = 0;     // of shards; or which way to wait
  Time time{0};                 // to pause, how old a load may be, or how long the entity lives
  bool has_token = false;       // of an update
  bool has_long_token = false;  // for which the store may have no room
  bool catches = false;         // within a transaction, what single calls throw
  bool waits_for_end = false;   // of an entity that expires, before another is created in its place
};

/// For a trace.
void print(std::ostream& out, const PartRules& rules, const Operation& operation);

}  // namespace autoshard::simulation
