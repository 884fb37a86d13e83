#include <algorithm>
#include <string>
#include <vector>

#include "tool/emit/emit.h"
#include "tool/emit/sharded_members.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// Whether a member has an indeterminate value unless it is initialised.
bool needs_initialiser(const Property& property) {
  return !property.has_initialiser && !spec_of(property.type.kind).is_initialised;
}

/// The bases and members that the constructor for the traits initialises.
std::vector<std::string> initialised(const Entity& entity) {
  std::vector<std::string> names = entity.mapped_bases;
  for (const Property& property : entity.properties) {
    if (needs_initialiser(property)) names.push_back(property.name);
  }
  return names;
}

/// The constructor that the traits call. It is empty if the class has no constructors: then the class keeps
/// the one that the compiler makes.
std::string loading_constructor(const Entity& entity) {
  if (entity.has_implicit_default_constructor) return {};
  const std::vector<std::string> names = initialised(entity);
  const std::string initialisers = joined(names, ", ", [](const std::string& name) { return name + "()"; });
  return fill("explicit $entity$(::autoshard::Loading)$initialisers$ {}\n",
              {{"entity", entity.name}, {"initialisers", names.empty() ? "" : " : " + initialisers}});
}

/// The name of the class for use inside it. `struct` precedes the name if a data member has the same name.
std::string own_name(const Entity& entity) {
  return (entity.property(entity.name) ? "struct " : "") + entity.name;
}

/// The indexes that ranges name by `IndexOf`.
Rounds indexes(const Entity& entity) {
  Rounds rounds;
  const auto stored = [](const Name& member) { return stored_name(member.name); };
  for (const ShardedIndex& index : entity.sharded_indexes) {
    rounds.push_back({{"index", index.name},
                      {"key", joined(index.key, ", ", stored)},
                      {"order", joined(index.order, ", ", stored)},
                      {"place", std::to_string(rounds.size())}});
  }
  return rounds;
}

/// Whether a hook is not public. This is the only part of an aggregate that needs a friend.
bool has_hidden_hook(const Entity& entity) {
  return std::ranges::any_of(entity.methods, [](const Method& method) {
    return method.access != Access::kPublic && (method.marks.before_save || method.marks.after_load);
  });
}

}  // namespace

std::string companion_members(const Entity& entity, const std::vector<SourceFile>& files) {
  const bool is_sharded = entity.is_sharded();
  const bool has_public = is_sharded || !entity.sharded_indexes.empty();
  const bool has_friend = !entity.is_aggregate || has_hidden_hook(entity);
  // The members of an aggregate are public and last, so that the class stays an aggregate and its
  // initialisers keep their places.
  return fill(R"(

$public$
$for index$
/// By $key$, in the order of $order$.
using $index$ = ::autoshard::IndexOf<$own_name$, $place$>;
$end$
$if index$

$end$
$shard$
$private$
$if friend$
friend struct ::autoshard::Traits<$own_name$>;
$end$
$loading$
$if friend$

$end$
$if members$
$members$

$end$
/// Bookkeeping of the mapper; not part of the entity's value.
::autoshard::State<$state$> autoshard_ = {};
)",
              {{"own_name", own_name(entity)},
               {"public", has_public || (entity.is_aggregate && has_friend) ? " public:" : ""},
               {"private", entity.is_aggregate ? "" : "\n private:"},
               {"shard", is_sharded ? shard_struct(entity, files, "Shard", Bodies::kFromInsideTheClass) : ""},
               {"friend", has_friend ? "yes" : ""},
               {"loading", entity.is_aggregate ? "" : loading_constructor(entity)},
               {"members", is_sharded ? sharded_members(entity) : ""},
               {"state", is_sharded ? "Shard" : ""}},
              {{"index", indexes(entity)}});
}

std::string friend_declarations(const Entity& entity) {
  if (entity.friends.empty()) return {};
  Rounds friends;
  for (const Friend& befriended : entity.friends)
    friends.push_back({{"declaration", befriended.declaration}});
  const bool needs_entity = std::ranges::any_of(entity.friends, &Friend::is_function);
  return fill(R"(
$if needs_entity$
inline namespace sharded {
$key$ $entity$;
}
$end$
$for friend$
$declaration$
$end$

)",
              {{"needs_entity", needs_entity ? "yes" : ""},
               {"key", entity.is_aggregate ? "struct" : "class"},
               {"entity", entity.name}},
              {{"friend", friends}});
}

std::string part_members() {
  return R"(

  /// The mapper reaches the members through the traits of entities.
  template <class>
  friend struct ::autoshard::Traits;
)";
}

}  // namespace autoshard::tool
