#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tool/emit/emit.h"
#include "tool/emit/names.h"
#include "tool/emit/run_function.h"
#include "tool/model/shard_names.h"
#include "tool/model/staleness.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

Rounds properties(const Entity& entity) {
  Rounds rounds;
  for (const Property* property : entity.all_properties()) {
    if (property->is_id() || property->is_transient() || property->is_sharded()) continue;
    rounds.push_back({{"stored", string_literal(property->stored_name)}, {"pointer", pointer_to(*property)}});
  }
  return rounds;
}

std::string shards(const Sharding& sharding) {
  switch (sharding.kind) {
    case Sharding::Kind::kDynamic:
      return "kDynamic";
    case Sharding::Kind::kAdaptive:
      return fmt::format("adaptive({}, {})", sharding.least, sharding.shards);
    case Sharding::Kind::kGroup:
      return fmt::format("group({})", sharding.shards);
    case Sharding::Kind::kStatic:
      break;
  }
  return std::to_string(sharding.shards);
}

std::string folds_by(Sharding::Fold fold) {
  switch (fold) {
    case Sharding::Fold::kSum:
      return ".folds_by(Fold::kSum)";
    case Sharding::Fold::kMinimum:
      return ".folds_by(Fold::kMinimum)";
    case Sharding::Fold::kMaximum:
      return ".folds_by(Fold::kMaximum)";
    case Sharding::Fold::kOther:
      break;
  }
  return {};
}

/// `86'400`
std::string with_separators(std::uint32_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, '\'');
  return text;
}

/// The calls that only some sharded properties need, such as bounds.
std::string more_of(const Entity& entity, const Property& property) {
  const Sharding& sharding = *property.sharding;
  std::string text = folds_by(sharding.known_fold);
  if (is_replaceable(entity, property))
    text += fmt::format(".replaced_by(&Shard::{})", replaced_name(property));
  if (!sharding.minimum.empty()) text += fmt::format(".at_least(&Shard::{})", minimum_name(property));
  if (!sharding.maximum.empty()) text += fmt::format(".at_most(&Shard::{})", maximum_name(property));
  if (sharding.is_window())
    text += fmt::format(".windowed({{.last = {}, .bucket = {}}})", with_separators(sharding.last),
                        with_separators(sharding.bucket));
  return text;
}

Rounds sharded_properties(const Entity& entity) {
  Rounds rounds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    rounds.push_back({{"stored", string_literal(property.stored_name)},
                      {"shards", shards(*property.sharding)},
                      {"name", property.name},
                      {"fold", property.is_group() ? "unite" : "&Shard::" + fold_name(property)},
                      {"order", property.sharding->any_order ? ", kAnyOrder" : ""},
                      {"more", more_of(entity, property)}});
  }
  return rounds;
}

Rounds fields(const Entity& entity) {
  Rounds rounds;
  for (const Property* property : entity.all_properties()) {
    if (property->is_transient()) continue;
    rounds.push_back({{"name", name_of_field(*property)},
                      {"stored", string_literal(property->stored_name)},
                      {"pointer", pointer_to(*property)}});
  }
  return rounds;
}

Rounds former_names(const Entity& entity) {
  Rounds rounds;
  for (const Property* property : entity.all_properties()) {
    for (const Name& former : property->former_names) {
      rounds.push_back(
          {{"former", string_literal(former.name)}, {"stored", string_literal(property->stored_name)}});
    }
  }
  return rounds;
}

/// A part of an index: `Property{"company", &Entity::company_}`.
std::string part_of_index(const Property& property) {
  return fmt::format("Property{{{}, {}}}", string_literal(property.stored_name), pointer_to(property));
}

std::string tuple_of(const Entity& entity, const std::vector<Name>& members) {
  const auto part = [&](const Name& member) { return part_of_index(*entity.any_property(member.name)); };
  return fmt::format("std::tuple{{{}}}", joined(members, ", ", part));
}

std::string index_of(const Entity& entity, const ShardedIndex& index) {
  return fmt::format("Index{{{}, {}, {}, {}}}", string_literal(index.name), tuple_of(entity, index.key),
                     tuple_of(entity, index.order), index.shards);
}

std::string index_of(const Property& property) {
  const std::string name = string_literal(property.stored_name);
  const std::string part = part_of_index(property);
  if (property.is_sharded())
    return fmt::format("ranked_index({}, {}, {})", name, part, staleness_of(property));
  if (property.is_unique()) return fmt::format("unique_index({}, {})", name, part);
  if (property.has_elements_index()) return fmt::format("elements_index({}, {})", name, part);
  return fmt::format("index({}, {})", name, part);
}

/// The indexes of the entity. The ones that `IndexOf` counts come first, in their order.
Rounds indexes(const Entity& entity) {
  Rounds rounds;
  for (const ShardedIndex& index : entity.sharded_indexes)
    rounds.push_back({{"index", index_of(entity, index)}});
  for (const Property* property : entity.all_properties()) {
    if (property->is_indexed()) rounds.push_back({{"index", index_of(*property)}});
  }
  return rounds;
}

/// The methods that have the mark `hook`.
Rounds hooks(const Entity& entity, std::optional<Span> MethodMarks::*hook) {
  Rounds rounds;
  for (const Method& method : entity.methods) {
    if (method.marks.*hook) rounds.push_back({{"method", method.name}});
  }
  return rounds;
}

Rounds ends_of_life(const Entity& entity) {
  Rounds rounds;
  for (const Property* property : entity.all_properties()) {
    if (property->marks.expires) rounds.push_back({{"pointer", pointer_to(*property)}});
  }
  return rounds;
}

Rounds structs(const Entity& entity) {
  Rounds rounds;
  for (const Type* type : structs_of(entity)) {
    const std::string name = from_anywhere(*type);
    const auto member = [&](const Field& field) {
      return fmt::format("Property{{{}, &{}::{}}},\n", string_literal(field.stored_name), name, field.name);
    };
    rounds.push_back({{"struct", name}, {"members", joined(type->fields, "", member)}});
  }
  return rounds;
}

/// The private enumerations among the types of updates. Law tests may not name them.
Rounds private_enumerations(const Entity& entity) {
  Rounds rounds;
  for (const Type* type : types_of_updates(entity)) {
    if (type->enumerators.empty() || !type->is_private) continue;
    const auto enumerator = [](const std::string& name) { return "::" + name; };
    rounds.push_back({{"enumeration", from_anywhere(*type)},
                      {"enumerators", joined(type->enumerators, ", ", enumerator)}});
  }
  return rounds;
}

bool makes_itself(const Entity& entity) {
  return entity.is_aggregate || entity.has_implicit_default_constructor;
}

struct Id {
  std::string type;
  std::string members;  ///< pointers to the members
};

/// The id of the entity. Several members make a tuple.
Id id_of(const Entity& entity) {
  Id id;
  int count = 0;
  for (const Property* property : entity.all_properties()) {
    if (!property->is_id()) continue;
    const std::string separator = count++ == 0 ? "" : ", ";
    id.type += separator + from_anywhere(property->type);
    id.members += separator + pointer_to(*property);
  }
  return count == 1 ? id : Id{"std::tuple<" + id.type + ">", "std::tuple{" + id.members + "}"};
}

}  // namespace

std::string traits(const Entity& entity) {
  const Id id = id_of(entity);
  return fill(R"(

$if deprecated$
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
$end$
/// How the mapper reads and writes $qualified$.
template <>
struct autoshard::Traits<::$qualified$> {
  using Entity = ::$qualified$;
  using Shard = $shard$;
  using Id = $id_type$;

  static constexpr std::string_view kKind = $kind$;
  static constexpr auto kId = $id$;
  static_assert(kIsTypeOf<Id, decltype(kId)>,
                "the generator has read another type of id; run it with the flags of this compilation");

  static constexpr auto properties() {
    return std::tuple{
      $for property$
      Property{$stored$, $pointer$},
      $end$
    };
  }

  static constexpr auto sharded_properties() {
    return std::tuple{
      $for sharded$
      ShardedProperty{$stored$, $shards$, &Entity::$name$, &Shard::$name$, $fold$$order$}$more$,
      $end$
    };
  }
  $if index$

  static constexpr auto indexes() {
    return std::tuple{
      $for index$
      $index$,
      $end$
    };
  }
  $end$
  $if former_name$

  static constexpr FormerName kFormerNames[] = {
    $for former_name$
    {$former$, $stored$},
    $end$
  };
  $end$
  $if before_save$

  static void before_save(Entity& entity) {
    $for before_save$
    entity.$method$();
    $end$
  }
  $end$
  $if after_load$

  static void after_load(Entity& entity) {
    $for after_load$
    entity.$method$();
    $end$
  }
  $end$
  $for expires$

  static constexpr auto kExpires = $pointer$;
  $end$
  $for struct$

  static constexpr auto members(const $struct$*) {
    return std::tuple{
      $members$
    };
  }
  $end$
  $for enumeration$

  static constexpr auto enumerators(const $enumeration$*) { return std::array{$enumerators$}; }
  $end$

  /// For queries: `using q = autoshard::Fields<$qualified$>;`
  struct Fields {
    $for field$
    static constexpr auto $name$ = field<Entity>($stored$, $pointer$);
    $end$
  };

  static Entity make() { return $make$; }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  $run$
};
$if deprecated$
#pragma GCC diagnostic pop
$end$
)",
              {{"qualified", entity.qualified_name},
               {"shard", entity.is_sharded() ? "Entity::Shard" : "NoShard"},
               {"id_type", id.type},
               {"kind", string_literal(entity.kind)},
               {"id", id.members},
               {"make", makes_itself(entity) ? "Entity{}" : "Entity(Loading{})"},
               {"run", run_function(entity)},
               {"deprecated", entity.is_deprecated ? "members that the traits use" : ""}},
              {{"property", properties(entity)},
               {"sharded", sharded_properties(entity)},
               {"index", indexes(entity)},
               {"former_name", former_names(entity)},
               {"before_save", hooks(entity, &MethodMarks::before_save)},
               {"after_load", hooks(entity, &MethodMarks::after_load)},
               {"expires", ends_of_life(entity)},
               {"struct", structs(entity)},
               {"enumeration", private_enumerations(entity)},
               {"field", fields(entity)}});
}

}  // namespace autoshard::tool
