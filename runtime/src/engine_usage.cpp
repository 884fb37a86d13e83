#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <set>
#include <string>

#include "engine.h"
#include "keys.h"
#include "lane.h"
#include "record.h"

namespace autoshard::detail {

void Engine::adapt(Time now) {
  const std::lock_guard lock(adapt_mutex_);
  adaptation_.close_window(now, [this](const Resize& resize) { return this->resize(resize); });
}

/// Returns how many there are then, 0 if there is no such entity.
std::uint32_t Engine::resize(const Resize& resize) {
  const PropertyId& id = resize.id;
  const std::optional<std::size_t> place = find_sharded(*resize.type, id.property);
  if (!place) return resize.from;
  // What other processes say of the annotation may be of another one, or nonsense.
  const Shards& allowed = resize.type->sharded[*place].shards;
  const std::uint32_t from = resize.from, to = std::clamp(resize.to, allowed.least, allowed.most);
  const std::string what = describe(id.entity) + ", " + id.property;
  const auto note_failure = [&](std::string_view why) {
    log(what + ": there are to be " + std::to_string(to) + " shards instead of " + std::to_string(from) +
        ", which has to wait: " + std::string(why));
    return from;
  };
  try {
    bool is_due = false;
    const std::uint32_t there_are = set_shards(*resize.type, id.entity, *place, [&](std::uint32_t now) {
      is_due = now == from && now != to;
      return is_due ? to : now;
    });
    if (!is_due) return there_are;
    log(what + ": " + std::to_string(to) + " shards instead of " + std::to_string(from) + ", because " +
        std::string(resize.why));
    return there_are;
  } catch (const NotFound&) {
    return 0;
  } catch (const std::exception& error) {
    return note_failure(error.what());
  } catch (...) {
    return note_failure("a fold throws something that is no std::exception");
  }
}

void Engine::note_saved(std::string_view key) {
  context_.usage.put({.entity = key, .writer = number_of_thread()});
}

/// Of properties that both have changed, to the same value or not, and of those that one has changed.
void Engine::note_conflict(std::string_view key, const std::string* before, std::string_view mine,
                           std::string_view there_now) {
  const std::uint32_t writer = number_of_thread();
  const std::string main = main_key(key);
  context_.usage.conflict({.entity = key, .writer = writer});
  std::set<std::string> names;
  const auto add = [&](std::string_view one, std::string_view other) {
    names.merge(differing_properties(nullptr, main, one, other));
  };
  before ? (add(*before, mine), add(*before, there_now)) : add(mine, there_now);
  for (const std::string& name : names)
    context_.usage.conflict({.entity = key, .name = name, .writer = writer});
}

void Engine::note_stale(const EntityRef& entity, const StoredMain& main, const std::string& there_now) {
  const std::optional<std::string> before = context_.recent.find(entity.key, *entity.version);
  note_conflict(entity.key, before ? &*before : nullptr,
                encode_main(entity.type, entity.entity, *entity.version, main), there_now);
  context_.recent.watch(entity.key);
}

/// Notes those main records that others have changed since the transaction read them.
void Engine::note_conflicts(const EntityTransaction& transaction) {
  const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
  for (const auto& [key, mine] : transaction.mains_) {
    const auto written = transaction.before_.find(key);
    const std::string* before = written == transaction.before_.end() ? nullptr : &written->second;
    std::string there_now;
    if (!mine || is_tombstone(*mine) || !snapshot->get(main_key(key), there_now) || is_tombstone(there_now))
      continue;
    if (there_now != (before ? *before : *mine)) note_conflict(key, before, *mine, there_now);
  }
}

void Engine::note_loaded(const EntityRef& entity, const MainHead& head) {
  for (std::size_t place = 0; place < entity.type.sharded.size(); ++place) {
    if (const auto property =
            adaptive_property(entity.type, place, entity.key, head.layouts[place].shards, 0))
      context_.usage.get(*property);
  }
}

}  // namespace autoshard::detail
