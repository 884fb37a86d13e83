/// How many shards there are, and what is folded into fewer records.

#include <autoshard/errors.h>

#include <exception>
#include <string>
#include <utility>

#include "compaction.h"
#include "engine.h"
#include "escrow.h"
#include "keys.h"
#include "record.h"
#include "updated_entity.h"

namespace autoshard::detail {
std::uint32_t Engine::set_shards(const EntityType& type, const std::string& key, std::size_t place,
                                 const WantedShards& wanted) {
  UpdatedEntity entity;
  StagedWrites writes;
  Layout layout;
  for (Attempts attempts = this->attempts("setting the shards of", key);;) {
    const std::unique_ptr<Transaction> transaction = begin();
    entity.read(store_, *transaction, type, key);
    layout = entity.head.layouts[place];
    const std::uint32_t now = std::exchange(layout.shards, wanted(layout.shards));
    if (layout.shards == now) break;
    writes.shrink(0);
    entity.set_layout(place, layout, writes);
    if (type.sharded[place].bounds) {
      Escrow escrow;
      escrow.begin(entity, place, 0);
      escrow.look_at_all();
      escrow.put(writes);
    }
    writes.write(0, *transaction);
    if (attempts.commit(*transaction)) break;
  }
  if (!compact_or_log(type, key)) statistics_.loose.note(type, key);
  return layout.shards;
}

std::uint32_t Engine::shards(const EntityType& type, const std::string& key, std::size_t place) {
  const std::string main = main_key(key);
  std::string record;
  if (!store_.snapshot()->get(main, record) || is_tombstone(record)) throw_not_found(key);
  MainHead head;
  read_head(type, main, record, head);
  return head.layouts[place].shards;
}

std::uint64_t Engine::compact(const EntityType& type, const std::string& key) {
  commit_what_is_buffered(key);
  return detail::compact(store_, options_, statistics_, type, key);
}

std::uint64_t Engine::compact(const EntityType& type) {
  commit_what_is_buffered();
  return compact_kind(store_, options_, statistics_, type);
}

std::uint64_t Engine::compact() {
  std::uint64_t removed = 0;
  for (const EntityType* type : entity_types()) removed += compact(*type);
  return removed;
}

/// What others are at now is noted for the next time; what fails, when it is noticed again.
void Engine::compact_noted() {
  LooseEntities::Entities noted = statistics_.loose.take();
  if (noted.empty()) return;
  try {
    for (; !noted.empty() && compaction_.take(); noted.erase(noted.begin()))
      compact_or_log(*noted.begin()->second, noted.begin()->first);
    compaction_.give_up();
  } catch (const std::exception& error) {
    log(std::string("compaction has to wait: ") + error.what());
  }
  for (const auto& [key, type] : noted) statistics_.loose.note(*type, key);
}

/// For those to whom that is not what matters: one entity that cannot be compacted is not to keep the others
/// from it. False if it was not.
bool Engine::compact_or_log(const EntityType& type, const std::string& key) {
  try {
    detail::compact(store_, options_, statistics_, type, key);
    return true;
  } catch (const std::exception& error) {
    log(describe(key) + " is not compacted: " + error.what());
  } catch (...) {  // out of a fold
    log(describe(key) + " is not compacted: its fold throws something that is no std::exception");
  }
  return false;
}

}  // namespace autoshard::detail
