#pragma once

#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "adaptive/adaptation.h"
#include "attempts.h"
#include "checks/check.h"
#include "checks/checked_store.h"
#include "combiner.h"
#include "entity_expiry.h"
#include "expiry.h"
#include "failures.h"
#include "index_states.h"
#include "lease.h"
#include "periodic.h"
#include "platform.h"
#include "record.h"
#include "request.h"
#include "staged_writes.h"
#include "store_clock.h"
#include "writer.h"

namespace autoshard::detail {

/// What a mapper does, on entities of any type.
///
/// Two rules keep an update from being counted by a later entity of the same id:
/// - Whoever writes a shard reads the main record in the same transaction, so that the commit fails if the
///   entity was erased, or is another, by then.
/// - Erasing replaces the main record by a tombstone first. Once a transaction sees it, no shard can be
///   written any more; only then are they looked for and removed, and the tombstone with them. Where that was
///   cut short, somebody completes it: see remains.h.
class Engine {
 public:
  Engine(Store& store, MapperOptions options);
  ~Engine();
  /// Waits for what is under way, with its callbacks, which may still use this.
  void stop();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void save(const EntityRef& entity);
  bool load(const EntityRef& entity);
  /// The entity, an object of that class, if `load_cached` has kept it in this process recently enough.
  std::shared_ptr<const void> kept(const EntityType& type, std::string_view key, cached how);
  /// Loads it from a shared cache or from the store. `make` makes a new entity for that, in the place of the
  /// one before; `copy` is called for one from the store, and makes a copy of it, to be kept.
  using MakeEntity = std::function<EntityRef()>;
  using CopyEntity = std::function<std::shared_ptr<const void>()>;
  bool load_cached(const EntityType& type, cached how, const MakeEntity& make, const CopyEntity& copy);
  /// With a version, only if the entity was not saved since.
  bool erase(const EntityType& type, const std::string& key, std::uint64_t version = 0);
  bool exists(const EntityType& type, const std::string& key);

  // Of many entities at once, see engine_batch.cpp.

  /// Which of them there are; all of one snapshot.
  std::vector<bool> load(std::span<const EntityRef> entities);
  /// Which of them are not saved, or not with all their updates, by their places here.
  std::vector<BatchFailed::Failure> save(std::span<const EntityRef> entities);
  /// How many there were.
  std::uint64_t erase(const EntityType& type, std::span<const std::string> keys);

  void transact(const std::function<void(EntityTransaction&)>& work);

  /// Folds the parts of `shard` that are not neutral into one shard record each. `version` is one of the
  /// entity that they belong to; 0 if they belong to whichever there is. With a token, unless that was
  /// counted.
  void update(const EntityType& type, std::string_view key, const void* shard, std::uint64_t version = 0,
              std::string_view token = {});

  /// For an entity that there is, as `MapperOptions::durability` says. May move from the shard.
  void apply(const EntityType& type, std::string_view key, void* shard, std::string_view token);
  void flush();

  /// As `update`, later. Moves from the shard.
  Completion update_async(const EntityType& type, std::string_view key, void* shard, std::string_view token);

  /// Gives a property another number of shards: what `wanted` makes of the one that it has. 0: each update is
  /// a record of its own. Returns how many there are then, once what lies in others is folded into them, as
  /// far as that can be done now.
  using WantedShards = std::function<std::uint32_t(std::uint32_t now)>;
  std::uint32_t set_shards(const EntityType& type, const std::string& key, std::size_t place,
                           const WantedShards& wanted);
  std::uint32_t shards(const EntityType& type, const std::string& key, std::size_t place);

  /// See compaction.h.
  std::uint64_t compact(const EntityType& type, const std::string& key);
  std::uint64_t compact(const EntityType& type);
  std::uint64_t compact();

  /// See index_build.h.
  std::uint64_t build_indexes(const EntityType& type);
  /// Also those that are complete.
  std::uint64_t rebuild_indexes(const EntityType& type);

  /// See rollup_refresh.h.
  std::uint64_t refresh_indexes(const EntityType& type);
  std::uint64_t refresh_indexes();

  /// Closes a window of statistics, and sets numbers of shards as the rules say.
  void adapt(Time now);
  std::vector<HotSpot> hot_spots() const { return adaptation_.hot_spots(); }

  MapperCounters counters() const;

  /// Of a group; `id` is an `ElementId`'s text. Each false if there is no such element, or entity.
  bool erase_element(const EntityType& type, const std::string& key, std::size_t place, std::string_view id);
  /// By the only element of the container.
  bool replace_element(const EntityType& type, const std::string& key, std::size_t place, std::string_view id,
                       const void* container);

  // The parts that `EntityTransaction` shares.

  std::unique_ptr<Transaction> begin() { return context_.store.begin(); }

  /// A state with all that this mapper has acknowledged.
  std::unique_ptr<Snapshot> snapshot();

  /// What was put into a transaction to save an entity.
  struct Put {
    std::uint64_t version;  ///< of the entity, once that is committed
    std::size_t bytes;      ///< of its records, without those of indexes
  };

  /// Puts the records of a new entity where the transaction has read `stored`; throws `StaleEntity` if that
  /// is an entity.
  Put create(Transaction& transaction, const EntityRef& entity, const std::optional<std::string>& stored,
             Now now);

  /// Whether there is no entity any more: it was erased, or its time has come.
  bool is_gone(const EntityType& type, std::string_view key, std::string_view main_record, Now now) const;
  /// Whether there is one, be its main record damaged.
  bool can_be_erased(const EntityType& type, std::string_view key, std::string_view main_record,
                     Now now) const;
  /// Erases the records of indexes and of its end that lead to the entity, whose main record that is.
  void erase_references(Transaction& transaction, const EntityType& type, const std::string& key,
                        const std::string& main_record, Now now);
  /// Removes one whose time has come, for another one of its id.
  void remove_if_expired(const EntityType& type, const std::string& key, Now now);
  /// Waits until updates of the entity that were asked for before are done, which may be asynchronous ones.
  /// To be called before the entity is erased and before another one of this id is created.
  void settle_updates(std::string_view key);
  /// Asks the clock: once for each call. Given a class, only if its entities can expire.
  Now now() const { return ask_clock(context_.options); }
  Now now(const EntityType& type) const { return ask_clock(context_.options, type); }
  /// Puts what the indexes are to say once the transaction has written the main record: see
  /// `put_index_records`.
  void put_indexes(Transaction& transaction, const EntityType& type, const std::string& key,
                   const std::string* stored, const void* entity, Now now);
  EntryLimits entry_limits(Now now) const {
    return {.now = now, .longest_key = context_.store.traits().longest_key};
  }

  /// Folds the shard records as they are committed into the entity.
  void fold_shards(const EntityRef& entity, Now now);

  /// The entity cannot be saved, because it was saved since it was loaded; `main` is what `there_now` holds.
  void note_stale(const EntityRef& entity, const StoredMain& main, const std::string& there_now);
  /// `mine` could not be written, because of what is there now. `before`: the record of which `mine` was
  /// made; null if it is not known.
  void note_conflict(std::string_view key, const std::string* before, std::string_view mine,
                     std::string_view there_now);

 private:
  Attempts attempts(std::string_view doing, std::string_view key) { return {context_, doing, key}; }
  void log(const std::string& message) const;
  /// Of what is done again later. While the store is unavailable, only the first failure is logged.
  void log_failure(const std::string& what, const std::exception& error);

  bool is_buffered() const {
    return std::holds_alternative<durability::buffered>(context_.options.durability);
  }
  void buffer(const EntityType& type, std::string_view key, void* shard, std::string_view token);
  void save(const EntityRef& entity, Now now);
  /// `main_record`: is set to the main record that was read, if it is not null.
  bool load(const EntityRef& entity, std::string* main_record, Now now);
  bool read(Cursor& cursor, const EntityRef& entity, std::string* main_record, Now now);
  void commit_what_is_buffered(std::string_view key = {});
  void commit(Request& request);
  std::string get_main(Transaction& transaction, const EntityType& type, const std::string& key,
                       Now now) const;
  Put put_saved(Transaction& transaction, const EntityRef& entity, Now now);
  void note_saved(const EntityRef& entity, std::uint64_t version);
  struct BatchSave;
  void save_some(std::span<const EntityRef> entities, BatchSave& batch);
  void prefetch(Transaction& transaction, const EntityType& type, std::vector<std::string> keys) const;
  bool save_together(std::span<const EntityRef> entities, Now now, std::size_t& put);
  void update_together(std::span<const EntityRef> entities, BatchSave& batch);
  bool erase(const EntityType& type, const std::string& key, std::uint64_t version, Now now);
  bool bury(Transaction& transaction, const EntityType& type, const std::string& key, std::uint64_t version,
            Now now);
  std::optional<std::uint64_t> erase_some(const EntityType& type, std::span<const std::string> keys, Now now);
  void clear_all(std::span<const std::string> keys);
  bool clear_together(std::span<const std::string> keys);
  bool commit_once(Transaction& transaction, std::string_view doing, std::string* too_large = nullptr);
  using ChangeElement =
      std::function<void(const std::string& record_key, const Layout& layout, StagedWrites& writes)>;
  bool change_element(const EntityType& type, const std::string& key, std::size_t place, std::string_view id,
                      const ChangeElement& change);
  void clear_or_log(const std::string& key);
  void finish(EntityTransaction& transaction);
  void compact_noted();
  std::uint64_t remove_expired_entities(const EntityType& type, Now now, Failures* failures);
  std::optional<std::uint64_t> remove_due(const EntityType& type, std::span<const std::string> due, Now now,
                                          Failures* failures);
  void remove_noticed_entities();
  std::uint64_t remove_expired();
  void remove_expired_when_due();
  void note_token(std::string_view token) noexcept;
  void refresh_indexes_when_due();
  void run_background();
  void in_background(const std::string& complaint, const std::function<void()>& work);
  struct NotCompacted {
    std::string why{};  // empty if it is compacted
    bool made_progress = false;
  };
  NotCompacted try_to_compact(const EntityType& type, const std::string& key,
                              const std::function<bool()>& goes_on);
  std::uint32_t resize(const Resize& resize);
  void note_saved(std::string_view key);
  void note_loaded(const EntityRef& entity, const MainHead& head);
  void note_conflicts(const EntityTransaction& transaction);

  MapperContext context_;
  const std::shared_ptr<const AsyncRequest::Log> log_;
  IndexStates index_states_;
  std::optional<Combiner> combiner_;
  platform::Mutex adapt_mutex_;
  Adaptation adaptation_;
  StoreClock store_clock_;
  SeenMarks seen_marks_;
  Lease compaction_;                                                     // of the thread below
  platform::Clock::time_point expiry_due_{};                             // of the thread that compacts
  std::map<const IndexType*, platform::Clock::time_point> refresh_due_;  // likewise
  Failures failures_;                                                    // likewise
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> outages_{0};  // how often the store was unavailable for what is done again later
  std::atomic<bool> outage_is_logged_{false};
  std::optional<Periodic> adapting_, compacting_;
};

/// Whether it matters which of two updates comes first.
bool may_replace(const EntityType& type);

}  // namespace autoshard::detail
