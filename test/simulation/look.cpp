/// What there is in the end of a run, and that nothing is left once all is erased.
#include <autoshard/admin.h>
#include <autoshard/query.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actor.h"
#include "keys.h"
#include "seats_watch.h"
#include "simulated_store.h"
#include "use_of_entities.h"

namespace autoshard::simulation {
namespace {

/// By when every entity has expired that is going to.
constexpr std::chrono::hours kFarAway(24 * 365);

/// Between compactions, so that the clock of the store passes the end of each bucket: the first one begins to
/// add to it, and each of the others adds this time.
constexpr std::chrono::seconds kBetween(40);
constexpr int kCompactions = 5;

template <class E>
class Look {
 public:
  Look(Scheduler& scheduler, SimulatedStore& store, History& history)
      : scheduler_(scheduler), store_(store), history_(history), mapper_(store, options(false)) {}

  void run() {
    std::vector<std::optional<E>> entities;
    for (int entity = 0; entity < kEntities; ++entity) entities.push_back(look_at(entity));
    history_.check_saves();
    look_by_index(entities);
    admin::compact(mapper_);
    for (int entity = 0; entity < kEntities; ++entity) {
      const std::optional<E>& before = entities[static_cast<std::size_t>(entity)];
      const std::optional<E> compacted = look_at(entity);
      if (compacted != before && !(before && !compacted && has_ended(*before)))
        fail("compaction changes", entity);
      if (compacted) look_for_loose_records(entity);
    }
    look_by_index(entities);
    if constexpr (detail::kMayExpire<E>) look_later(entities);
    for (int entity = 0; entity < kEntities; ++entity) mapper_.erase<E>(entity);
    for (const int entity : history_.imports) mapper_.erase<E>(entity);
    for (const std::string& key : store_.keys()) {
      if (!SeatsWatch::is_state_of_ranked(key))
        scheduler_.fail("is left when all is erased: " + detail::describe(key));
    }
  }

 private:
  MapperOptions options(bool far_away) {
    MapperOptions options{.compact_every = {}, .adaptive = {.window = {}}};
    options.log = [this](std::string_view line) {
      if (scheduler_.is_verbose()) scheduler_.trace("log: ", line);
    };
    if (far_away) {
      options.clock = [this] {
        return std::chrono::system_clock::time_point(scheduler_.system_time() + kFarAway);
      };
    }
    return options;
  }

  std::optional<E> look_at(int entity) {
    const History::Step begin = history_.now();
    std::optional<E> loaded = mapper_.load<E>(entity);
    if (!loaded) {
      history_.check_absent(entity, begin);
      return loaded;
    }
    const View view = Use<E>::view(*loaded);
    const History::Effect* created = history_.check_loaded(view, begin, begin);
    Use<E>::check(*loaded, history_, *created);
    return loaded;
  }

  /// By now.
  bool has_ended(const E& entity) const {
    if constexpr (detail::kMayExpire<E>)
      return entity.ends() && Time(entity.ends()->time_since_epoch()) <= scheduler_.system_time();
    return false;
  }

  /// An index gives the entities that a walk over all of them gives.
  void look_by_index(const std::vector<std::optional<E>>& entities) {
    if constexpr (Use<E>::kWorld == World::kAlbums) {
      for (int shelf = 0; shelf < 3; ++shelf) {
        std::set<int> expected, found;
        for (const std::optional<E>& entity : entities) {
          if (entity && entity->shelf() == shelf) expected.insert(entity->number());
        }
        const auto query = mapper_.query<E>(Fields<E>::shelf == shelf);
        for (const E& entity : query) {
          if (!history_.imports.contains(entity.number())) found.insert(entity.number());
        }
        if (found == expected) continue;
        for (const int entity : expected) {
          if (!found.contains(entity)) fail("the query by an index misses", entity);
        }
        fail("the query by an index gives what is on another shelf:", *found.begin());
      }
    }
  }

  /// Everything that ends has ended by then, and compaction removes it.
  void look_later(const std::vector<std::optional<E>>& entities) {
    Mapper later(store_, options(true));
    // The first compaction finds buckets that count no more. They end by the clock of the store.
    for (int compactions = 0; compactions < kCompactions; ++compactions) {
      admin::compact(later);
      scheduler_.sleep(kBetween);
    }
    admin::compact(later);
    for (int entity = 0; entity < kEntities; ++entity) {
      const std::optional<E>& known = entities[static_cast<std::size_t>(entity)];
      const bool ends = known && known->ends();
      if (later.exists<E>(entity) != (known && !ends))
        fail(ends ? "has expired, and is still there:" : "has no end, and expires:", entity);
      const detail::EntityKey of = detail::entity_key("Permit", entity);
      for (const std::string& key : store_.keys()) {
        if (!of.has_record(key)) continue;
        if (ends) fail("has expired, and is not removed:", entity);
        const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, key);
        if (shard && detail::read_bucket(*shard)) fail("has a bucket that no clock counts:", entity);
      }
    }
  }

  /// That compaction should have folded.
  void look_for_loose_records(int entity) {
    if constexpr (Use<E>::kWorld == World::kLedgers) {
      const detail::EntityKey of = detail::entity_key("Ledger", entity);
      for (const std::string& key : store_.keys()) {
        if (!of.has_record(key)) continue;
        const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, key);
        if (!shard) continue;
        const std::uint32_t shards = std::max(shards_of(entity, shard->property), 1U);
        if (!shard->shard || *shard->shard >= shards)
          scheduler_.fail("is not compacted: " + detail::describe(key));
      }
    }
  }

  std::uint32_t shards_of(int entity, std::string_view property) {
    if (property == "votes") return admin::shards<E>(mapper_, entity, "votes");
    if (property == "likes") return admin::shards<E>(mapper_, entity, "likes");
    if (property == "views") return admin::shards<E>(mapper_, entity, "views");
    if (property == "notes") return admin::shards<E>(mapper_, entity, "notes");
    if (property == "bookings") return admin::shards<E>(mapper_, entity, "bookings");
    if (property == "likers") return admin::shards<E>(mapper_, entity, "likers");
    if (property == "tally") return admin::shards<E>(mapper_, entity, "tally");
    if (property == "newest") return admin::shards<E>(mapper_, entity, "newest");
    if (property == "noted") return admin::shards<E>(mapper_, entity, "noted");
    return admin::shards<E>(mapper_, entity, "seats");
  }

  [[noreturn]] void fail(const std::string& what, int entity) {
    scheduler_.fail("in the end, " + what + ' ' + std::string(rules_of(Use<E>::kWorld).entity) + ' ' +
                    std::to_string(entity));
  }

  Scheduler& scheduler_;
  SimulatedStore& store_;
  History& history_;
  Mapper mapper_;
};

}  // namespace

void look_at_end(World world, Scheduler& scheduler, SimulatedStore& store, History& history) try {
  switch (world) {
    case World::kAlbums:
      return Look<Album<2>>(scheduler, store, history).run();
    case World::kPermits:
      return Look<Permit<2>>(scheduler, store, history).run();
    case World::kLedgers:
      return Look<Ledger>(scheduler, store, history).run();
  }
} catch (const std::exception& error) {
  scheduler.fail(std::string("in the end, when nothing goes wrong any more: ") + error.what());
}

}  // namespace autoshard::simulation
