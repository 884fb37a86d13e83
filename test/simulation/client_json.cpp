/// Exports and imports of a client, as JSON.
#include <autoshard/errors.h>
#include <autoshard/json.h>

#include <sstream>
#include <string>

#include "client.h"

namespace autoshard::simulation {
namespace {

/// No plan speaks of entities from here on.
constexpr int kFirstImport = 1'000;

/// The same entity under another id.
std::string with_id(int id, const std::string& text) {
  return "{\"@id\": " + std::to_string(id) + text.substr(text.find(','));
}

}  // namespace

/// What is exported of each entity is what a load shows.
template <class E>
void Client<E>::export_all(const Operation& operation) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    attempt(operation, {}, [&] {
      const History::Step begin = history_.now();
      std::stringstream lines;
      export_json<E>(mapper_, lines);
      bool is_there = false;
      for (std::string line; std::getline(lines, line);) {
        const E entity = from_json<E>(line);
        if (history_.imports.contains(entity.number())) continue;
        check(entity, begin, begin);
        if (entity.number() != operation.entity) continue;
        history_.exports[operation.entity] = line;
        is_there = true;
      }
      if (!is_there) history_.check_absent(operation.entity, begin);
    });
  }
}

/// Some entities are imported, erased and imported again.
template <class E>
void Client<E>::import_one(const Operation& operation) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    const auto exported = history_.exports.find(operation.entity);
    if (exported == history_.exports.end()) return;
    const int id = kFirstImport + static_cast<int>(operation.id);
    const std::string text = with_id(id, exported->second);
    history_.imports.insert(id);
    if (!import_as_exported(operation, id, text) || operation.number % 2 == 0) return;
    const bool is_erased = attempt(operation, {}, [&] {
      if (!mapper_.erase<E>(id))
        history_.fail("was imported, and is not there to be erased", id, operation.id);
    });
    if (is_erased) import_as_exported(operation, id, text);
  }
}

/// Imports an entity of that id, and loads it. Returns false after an expected error.
template <class E>
bool Client<E>::import_as_exported(const Operation& operation, int id, const std::string& text) {
  bool is_imported = false;
  attempt(operation, {}, [&] {
    std::istringstream lines(text);
    try {
      import_json<E>(mapper_, lines);
    } catch (const ImportFailed& failed) {
      const bool may_be = may_give_up() || plan_.faults.most_writes > 0 || plan_.faults.largest_commit > 0;
      if (!may_be) scheduler_.fail("unexpected, of " + words(operation) + ": " + failed.what());
      return;
    }
    const std::optional<E> loaded = mapper_.load<E>(id);
    const std::string now = loaded ? to_json(*loaded) : "nothing";
    if (now != text) history_.fail("has imported " + text + " and loads " + now, id, operation.id);
    is_imported = true;
  });
  return is_imported;
}

template void Client<Ledger>::export_all(const Operation&);
template void Client<Ledger>::import_one(const Operation&);
template void Client<Album<1>>::export_all(const Operation&);
template void Client<Album<1>>::import_one(const Operation&);
template void Client<Album<2>>::export_all(const Operation&);
template void Client<Album<2>>::import_one(const Operation&);
template void Client<Permit<1>>::export_all(const Operation&);
template void Client<Permit<1>>::import_one(const Operation&);
template void Client<Permit<2>>::export_all(const Operation&);
template void Client<Permit<2>>::import_one(const Operation&);

}  // namespace autoshard::simulation
