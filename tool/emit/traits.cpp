#include <algorithm>
#include <string>
#include <string_view>

#include "tool/emit/emit.h"
#include "tool/model/staleness.h"
#include "tool/text/template.h"
#include "tool/text/word.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// `name`, which is qualified, found whatever the namespace `autoshard` declares: `::a::Id<::b::Tag>`.
std::string from_anywhere(std::string_view name) {
  constexpr std::string_view kOwn[] = {"std", "autoshard"};
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    const std::string_view word = word_at(name, at);
    const bool is_first = !result.ends_with(':');
    if (is_first && !word.empty() && name.substr(at + word.size()).starts_with("::") &&
        std::ranges::find(kOwn, word) == std::end(kOwn))
      result += "::";
    const std::size_t length = std::max<std::size_t>(word.size(), 1);
    result += name.substr(at, length);
    at += length;
  }
  return result;
}

std::string from_anywhere(const Type& type) {
  std::string name = from_anywhere(type.qualified);
  const bool is_users = type.kind == TypeKind::kEnum || type.kind == TypeKind::kStruct;
  return is_users && !name.starts_with("::") ? "::" + name : name;
}

/// A pointer to the member, which may be one of a base class.
std::string pointer_to(const Property& property) {
  if (property.owner.empty()) return "&Entity::" + property.name;
  const std::string owner = from_anywhere(property.owner);
  return "&" + (owner.starts_with("::") ? owner : "::" + owner) + "::" + property.name;
}

std::string properties(const Entity& entity) {
  std::string list;
  for (const Property* property : entity.all_properties()) {
    if (property->is_id() || property->is_transient() || property->is_sharded()) continue;
    list += fill("Property{$stored$, $pointer$},\n",
                 {{"stored", string_literal(property->stored_name)}, {"pointer", pointer_to(*property)}});
  }
  return list;
}

std::string shards(const Sharding& sharding) {
  switch (sharding.kind) {
    case Sharding::Kind::kDynamic:
      return "kDynamic";
    case Sharding::Kind::kAdaptive:
      return "adaptive(" + std::to_string(sharding.least) + ", " + std::to_string(sharding.shards) + ")";
    case Sharding::Kind::kGroup:
      return "group(" + std::to_string(sharding.shards) + ")";
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

/// What only some sharded properties have.
std::string more_of(const Entity& entity, const Property& property) {
  const std::string own = "_" + property.name + ")";
  std::string text = folds_by(property.sharding->known_fold);
  if (is_replaceable(entity, property)) text += ".replaced_by(&Shard::replaced" + own;
  if (!property.sharding->minimum.empty()) text += ".at_least(&Shard::min" + own;
  if (!property.sharding->maximum.empty()) text += ".at_most(&Shard::max" + own;
  if (property.sharding->is_window())
    text += ".windowed({.last = " + with_separators(property.sharding->last) +
            ", .bucket = " + with_separators(property.sharding->bucket) + "})";
  return text;
}

std::string sharded_properties(const Entity& entity) {
  std::string list;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    list += fill(
        "ShardedProperty{$stored$, $shards$, &Entity::$name$, &Shard::$name$, "
        "$fold$$order$}$more$,\n",
        {{"stored", string_literal(property.stored_name)},
         {"shards", shards(*property.sharding)},
         {"name", property.name},
         {"fold", property.is_group() ? "unite" : "&Shard::fold_" + property.name},
         {"order", property.sharding->any_order ? ", kAnyOrder" : ""},
         {"more", more_of(entity, property)}});
  }
  return list;
}

/// What no member of the struct `Fields` can be called: its own name, keywords of C++20, and what headers of
/// the system or the compiler define as macros.
constexpr std::string_view kTaken[] = {"Fields",        "Entity",      "field",
                                       "errno",         "linux",       "unix",
                                       "alignas",       "alignof",     "and",
                                       "and_eq",        "asm",         "auto",
                                       "bitand",        "bitor",       "bool",
                                       "break",         "case",        "catch",
                                       "char",          "char16_t",    "char32_t",
                                       "char8_t",       "class",       "co_await",
                                       "co_return",     "co_yield",    "compl",
                                       "concept",       "const",       "const_cast",
                                       "consteval",     "constexpr",   "constinit",
                                       "continue",      "decltype",    "default",
                                       "delete",        "do",          "double",
                                       "dynamic_cast",  "else",        "enum",
                                       "explicit",      "export",      "extern",
                                       "false",         "float",       "for",
                                       "friend",        "goto",        "if",
                                       "inline",        "int",         "long",
                                       "mutable",       "namespace",   "new",
                                       "noexcept",      "not",         "not_eq",
                                       "nullptr",       "operator",    "or",
                                       "or_eq",         "private",     "protected",
                                       "public",        "register",    "reinterpret_cast",
                                       "requires",      "return",      "short",
                                       "signed",        "sizeof",      "static",
                                       "static_assert", "static_cast", "struct",
                                       "switch",        "template",    "this",
                                       "thread_local",  "throw",       "true",
                                       "try",           "typedef",     "typeid",
                                       "typename",      "union",       "unsigned",
                                       "using",         "virtual",     "void",
                                       "volatile",      "wchar_t",     "while",
                                       "xor",           "xor_eq"};

/// Of a property, in the struct `Fields`.
std::string field_name(const Property& property) {
  const std::string& name = property.stored_name;
  return std::ranges::find(kTaken, name) == std::end(kTaken) ? name : name + '_';
}

std::string fields(const Entity& entity) {
  std::string list;
  for (const Property* property : entity.all_properties()) {
    if (property->is_transient()) continue;
    list += fill("static constexpr auto $name$ = field<Entity>($stored$, $pointer$);\n",
                 {{"name", field_name(*property)},
                  {"stored", string_literal(property->stored_name)},
                  {"pointer", pointer_to(*property)}});
  }
  return list;
}

std::string former_names(const Entity& entity) {
  std::string list;
  for (const Property* property : entity.all_properties()) {
    for (const Name& former : property->former_names) {
      list += fill("{$former$, $stored$},\n", {{"former", string_literal(former.name)},
                                               {"stored", string_literal(property->stored_name)}});
    }
  }
  if (list.empty()) return {};
  return fill(R"(

static constexpr FormerName kFormerNames[] = {
$list$
};
)",
              {{"list", list}});
}

/// What an index is made of: `Property{"company", &Entity::company_}`.
std::string part_of_index(const Property& property) {
  return "Property{" + string_literal(property.stored_name) + ", " + pointer_to(property) + "}";
}

std::string tuple_of(const Entity& entity, const std::vector<Name>& members) {
  std::string list;
  for (const Name& member : members)
    list += (list.empty() ? "" : ", ") + part_of_index(*entity.any_property(member.name));
  return "std::tuple{" + list + "}";
}

/// First those that `IndexOf` counts, in their order.
std::string indexes(const Entity& entity) {
  std::string list;
  for (const ShardedIndex& index : entity.sharded_indexes) {
    list += fill("Index{$name$, $key$, $order$, $shards$},\n", {{"name", string_literal(index.name)},
                                                                {"key", tuple_of(entity, index.key)},
                                                                {"order", tuple_of(entity, index.order)},
                                                                {"shards", std::to_string(index.shards)}});
  }
  for (const Property* property : entity.all_properties()) {
    if (!property->is_indexed()) continue;
    const std::string name = string_literal(property->stored_name), key = part_of_index(*property);
    if (property->is_sharded()) {
      list += fill("ranked_index($name$, $key$, $staleness$),\n",
                   {{"name", name}, {"key", key}, {"staleness", std::to_string(staleness_of(*property))}});
      continue;
    }
    list += fill("$index$($name$, $key$),\n", {{"index", property->is_unique()            ? "unique_index"
                                                         : property->has_elements_index() ? "elements_index"
                                                                                          : "index"},
                                               {"name", name},
                                               {"key", key}});
  }
  if (list.empty()) return {};
  return fill(R"(

static constexpr auto indexes() {
  return std::tuple{
$list$
  };
}
)",
              {{"list", list}});
}

/// What runs the methods that are marked as `hook`.
std::string run_hooks(const Entity& entity, const std::string& hook) {
  std::string calls;
  for (const Method& method : entity.methods) {
    if (method.annotation(hook)) calls += "entity." + method.name + "();\n";
  }
  if (calls.empty()) return {};
  return "static void " + hook + "(Entity& entity) {\n" + calls + "}\n";
}

/// What happens to an entity besides its updates.
std::string life(const Entity& entity) {
  std::string text = run_hooks(entity, "before_save") + run_hooks(entity, "after_load");
  for (const Property* property : entity.all_properties()) {
    if (property->annotation("expires"))
      text += "static constexpr auto kExpires = " + pointer_to(*property) + ";\n";
  }
  return text.empty() ? text : "\n\n" + text;
}

std::string members(const Type& type) {
  std::string list;
  for (const Field& field : type.fields) {
    list += fill("Property{$stored$, &$struct$::$name$},\n", {{"stored", string_literal(field.stored_name)},
                                                              {"struct", from_anywhere(type)},
                                                              {"name", field.name}});
  }
  return fill(R"(

static constexpr auto members(const $struct$*) {
  return std::tuple{
$list$
  };
}
)",
              {{"struct", from_anywhere(type)}, {"list", list}});
}

/// An assignment is one of several: those that copy and move are declared anyway.
bool is_overloaded(const Entity& entity, const Method& method) {
  if (method.name == "operator=") return true;
  return std::ranges::count(entity.methods, method.name, &Method::name) > 1;
}

/// Chooses the shard method that an `apply` names.
std::string run(const Entity& entity) {
  std::string branches;
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method()) continue;
    const std::string address = "&Entity::" + method.name;
    const std::string call = "shard." + method.name + "(std::forward<Args>(args)...)";
    branches +=
        fill(R"(
if constexpr (kSameMethod<kMethod, $pointer$>) {
  $call$;
} else )",
             {{"pointer",
               is_overloaded(entity, method) ? "static_cast<" + method.type + ">(" + address + ")" : address},
              {"call", may_be_nodiscard(method) ? "static_cast<void>(" + call + ")" : call}});
  }
  const std::string_view refusal = R"(
static_assert(kNotAShardMethod<kMethod>, $message$);
)";
  const std::string refused = fill(
      refusal,
      {{"message", string_literal("this is no [[autoshard::shard_method]] of " + entity.qualified_name)}});
  if (branches.empty()) {
    return fill(R"(

template <auto kMethod, class... Args>
static void run(Shard&, Args&&...) {
  $refused$
}
)",
                {{"refused", refused}});
  }
  return fill(R"(

template <auto kMethod, class... Args>
static void run(Shard& shard, Args&&... args) {
  $branches${
    $refused$
  }
}
)",
              {{"branches", branches}, {"refused", refused}});
}

/// For law tests, which may not name the private enumerations of `entity`.
std::string private_enumerators(const Entity& entity) {
  std::string functions;
  for (const Type* type : types_of_updates(entity)) {
    if (type->enumerators.empty() || !type->is_private) continue;
    std::string list;
    for (const std::string& enumerator : type->enumerators)
      list += (list.empty() ? "::" : ", ::") + enumerator;
    functions += fill("static constexpr auto enumerators(const $enum$*) { return std::array{$list$}; }\n",
                      {{"enum", from_anywhere(*type)}, {"list", list}});
  }
  return functions.empty() ? functions : "\n\n" + functions;
}

/// Nobody is told that what the mapper uses is deprecated.
std::string quietly(const Entity& entity, std::string text) {
  if (!entity.is_deprecated) return text;
  return "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"" +
         text + "#pragma GCC diagnostic pop\n";
}

bool makes_itself(const Entity& entity) {
  return entity.is_aggregate || entity.has_implicit_default_constructor;
}

struct Id {
  std::string type;
  std::string members;  ///< pointers to them
};

/// Several members make a tuple.
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
  std::string structs;
  for (const Type* type : structs_of(entity)) structs += members(*type);
  const Id id = id_of(entity);

  return quietly(entity, fill(R"(

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
$properties$
    };
  }

  static constexpr auto sharded_properties() {
    return std::tuple{
$sharded$
    };
  }
$indexes$
$former_names$
$life$
$structs$
$enumerators$

  /// For queries: `using q = autoshard::Fields<$qualified$>;`
  struct Fields {
$fields$
  };

  static Entity make() { return $make$; }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }
$run$
};
)",
                              {{"qualified", entity.qualified_name},
                               {"shard", entity.is_sharded() ? "Entity::Shard" : "NoShard"},
                               {"id_type", id.type},
                               {"kind", string_literal(entity.kind)},
                               {"id", id.members},
                               {"properties", properties(entity)},
                               {"sharded", sharded_properties(entity)},
                               {"indexes", indexes(entity)},
                               {"former_names", former_names(entity)},
                               {"life", life(entity)},
                               {"fields", fields(entity)},
                               {"structs", structs},
                               {"enumerators", private_enumerators(entity)},
                               {"make", makes_itself(entity) ? "Entity{}" : "Entity(Loading{})"},
                               {"run", run(entity)}}));
}

}  // namespace autoshard::tool
