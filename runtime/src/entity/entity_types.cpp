#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {
namespace {

struct Noted {
  Mutex mutex;
  std::vector<const EntityType*> sharded AUTOSHARD_GUARDED_BY(mutex);
  std::vector<const EntityType*> expiring AUTOSHARD_GUARDED_BY(mutex);
  /// The class that was registered first for each kind.
  std::map<std::string, const EntityType*, std::less<>> kinds AUTOSHARD_GUARDED_BY(mutex);
  bool versions_are_allowed AUTOSHARD_GUARDED_BY(mutex) = false;
};

Noted& noted() {
  static Noted& noted = *new Noted;  // never destroyed, for mappers that outlive static objects
  return noted;
}

/// Returns the name of a class as its developer wrote it: without the inline namespace of companions.
std::string name_of(const std::type_info& type) {
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  // unreachable: the compiler's own names can be read as long as there is memory
  std::string name = demangled ? demangled.get() : type.name();
  constexpr std::string_view kInline = "sharded::";
  const std::size_t last = name.rfind("::", name.find('<'));
  const std::size_t unqualified = last == std::string::npos ? 0 : last + 2;
  const std::string_view scope = std::string_view(name).substr(0, unqualified);
  if (scope == kInline || scope.ends_with("::sharded::"))
    name.erase(unqualified - kInline.size(), kInline.size());
  return name;
}

/// Returns whether the class may be used: it is the first class of its kind. To be called under the lock.
bool is_usable(const Noted& all, const EntityType& type) AUTOSHARD_REQUIRES(all.mutex) {
  const auto first = all.kinds.find(type.kind);
  return all.versions_are_allowed || first == all.kinds.end() ||
         *first->second->entity_class == *type.entity_class;
}

/// Background work of a second class would mix its records with those of the first one.
std::vector<const EntityType*> usable_types(const Noted& all, const std::vector<const EntityType*>& types)
    AUTOSHARD_REQUIRES(all.mutex) {
  std::vector<const EntityType*> usable;
  for (const EntityType* type : types) {
    if (is_usable(all, *type)) usable.push_back(type);
  }
  return usable;
}

}  // namespace

bool note_kind(const EntityType& type) {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  const auto [first, is_new] = all.kinds.try_emplace(std::string(type.kind), &type);
  return is_new || *first->second->entity_class == *type.entity_class;
}

void refuse_second_class(const EntityType& type) {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  if (is_usable(all, type)) return;
  throw InvalidUse("the classes " + name_of(*all.kinds.find(type.kind)->second->entity_class) + " and " +
                   name_of(*type.entity_class) + " have the same kind " + std::string(type.kind) +
                   ", and their records would be mixed: give one of them another kind with "
                   "[[autoshard::entity(\"…\")]]");
}

void allow_versions_of_classes(bool are_allowed) {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  all.versions_are_allowed = are_allowed;
}

bool note_entity_type(const EntityType& type) {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  if (!type.sharded.empty()) all.sharded.push_back(&type);
  if (type.expires_at) all.expiring.push_back(&type);
  return true;
}

std::vector<const EntityType*> entity_types() {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  return usable_types(all, all.sharded);
}

std::vector<const EntityType*> expiring_types() {
  Noted& all = noted();
  const MutexLock lock(all.mutex);
  return usable_types(all, all.expiring);
}

}  // namespace autoshard::detail
