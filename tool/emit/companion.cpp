#include <algorithm>
#include <string>
#include <string_view>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// Above the one member that a companion has more than the user's class.
constexpr std::string_view kNotes = "/// The mapper's notes, no part of the value.";

/// Whether a member of this kind holds garbage unless it is initialised.
bool needs_initialiser(const Property& property) {
  if (property.has_initialiser) return false;
  switch (property.type.kind) {
    case TypeKind::kString:
    case TypeKind::kOptional:
    case TypeKind::kUniquePtr:
    case TypeKind::kVector:
    case TypeKind::kDeque:
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
    case TypeKind::kTuple:
    case TypeKind::kVariant:
    case TypeKind::kMonostate:
    case TypeKind::kRef:
      return false;
    default:
      return true;
  }
}

/// For the traits. Without one, a class that has no constructors keeps the one that the compiler makes.
std::string loading_constructor(const Entity& entity) {
  if (entity.has_implicit_default_constructor) return {};
  std::string initialisers;
  const auto initialise = [&](const std::string& name) {
    initialisers += (initialisers.empty() ? " : " : ", ") + name + "()";
  };
  for (const std::string& base : entity.mapped_bases) initialise(base);
  for (const Property& property : entity.properties) {
    if (needs_initialiser(property)) initialise(property.name);
  }
  return fill("explicit $entity$(::autoshard::Loading)$initialisers$ {}\n",
              {{"entity", entity.name}, {"initialisers", initialisers}});
}

/// The class, from within: a data member may have its name.
std::string own_name(const Entity& entity) {
  return (entity.property(entity.name) ? "struct " : "") + entity.name;
}

std::string friend_of(const Entity& entity) {
  return "friend struct ::autoshard::Traits<" + own_name(entity) + ">;\n";
}

/// By which ranges name the indexes of the class.
std::string names_of_indexes(const Entity& entity) {
  std::string text;
  for (std::size_t place = 0; place < entity.sharded_indexes.size(); ++place) {
    const ShardedIndex& index = entity.sharded_indexes[place];
    const auto list = [](const std::vector<Name>& members) {
      std::string names;
      for (const Name& member : members) names += (names.empty() ? "" : ", ") + stored_name(member.name);
      return names;
    };
    text += fill(
        "/// By $key$, in the order of $order$.\nusing $name$ = ::autoshard::IndexOf<$entity$, $place$>;\n",
        {{"key", list(index.key)},
         {"order", list(index.order)},
         {"name", index.name},
         {"entity", own_name(entity)},
         {"place", std::to_string(place)}});
  }
  return text.empty() ? text : text + "\n";
}

/// Of an aggregate, all but some methods may be public.
bool has_hidden_hook(const Entity& entity) {
  return std::ranges::any_of(entity.methods, [](const Method& method) {
    return method.access != Access::kPublic &&
           (method.annotation("before_save") || method.annotation("after_load"));
  });
}

}  // namespace

std::string companion_members(const Entity& entity, const std::vector<SourceFile>& files) {
  const bool sharded = entity.is_sharded();
  const std::string state = sharded ? "Shard" : "";
  const std::string indexes = names_of_indexes(entity);
  if (entity.is_aggregate) {
    // Public and last, so that the class stays an aggregate and its initialisers keep their places.
    return fill(R"(

$public$
$indexes$
$friend$
$notes$
::autoshard::State<> autoshard_ = {};
)",
                {{"notes", kNotes},
                 {"public", indexes.empty() && !has_hidden_hook(entity) ? "" : " public:"},
                 {"indexes", indexes},
                 {"friend", has_hidden_hook(entity) ? friend_of(entity) + "\n" : ""}});
  }
  return fill(R"(

$public$
$indexes$
$shard$

 private:
$friend$
$loading$

  $notes$
  ::autoshard::State<$state$> autoshard_ = {};
)",
              {{"notes", kNotes},
               {"public", sharded || !indexes.empty() ? " public:" : ""},
               {"indexes", indexes},
               {"friend", friend_of(entity)},
               {"shard", sharded ? shard_struct(entity, files, "Shard", Bodies::kFromInsideTheClass) : ""},
               {"loading", loading_constructor(entity)},
               {"state", state}});
}

std::string friend_declarations(const Entity& entity) {
  std::string text;
  bool declared = false;
  for (const Friend& befriended : entity.friends) {
    if (befriended.is_function && !declared) {
      text += "inline namespace sharded {\n" + std::string(entity.is_aggregate ? "struct " : "class ") +
              entity.name + ";\n}\n";
      declared = true;
    }
    text += befriended.declaration + "\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string part_members() {
  return R"(

  /// The mapper reaches the members through the traits of entities.
  template <class>
  friend struct ::autoshard::Traits;
)";
}

}  // namespace autoshard::tool
