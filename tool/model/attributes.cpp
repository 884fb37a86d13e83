#include "tool/model/attributes.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

using Kind = ArgumentSpec::Kind;

constexpr ArgumentSpec kEntityArguments[] = {{.name = "", .kind = Kind::kString}};

constexpr ArgumentSpec kAlsoLoadArguments[] = {{.name = "", .kind = Kind::kString, .repeatable = true}};

constexpr ArgumentSpec kShardableArguments[] = {
    {.name = "neutral",
     .kind = Kind::kExpression,
     .required = true,
     .hint =
         "the value that changes nothing when it is folded with another, such as 'neutral = 0' for a sum"},
    {.name = "shards", .kind = Kind::kShards},
    {.name = "fold", .kind = Kind::kExpression},
    {.name = "min", .kind = Kind::kInteger},
    {.name = "max", .kind = Kind::kInteger},
    {.name = "order", .kind = Kind::kExpression},
    {.name = "last",
     .kind = Kind::kDuration,
     .required = true,
     .required_with = "bucket",
     .hint = "the time that the window covers, such as 'last = 24h'"},
    {.name = "bucket",
     .kind = Kind::kDuration,
     .required = true,
     .required_with = "last",
     .hint = "the steps in which the window moves on, such as 'bucket = 1h'"},
    {.name = "trusted", .kind = Kind::kString},
};

constexpr ArgumentSpec kUpdateArguments[] = {{.name = "trusted", .kind = Kind::kString}};

constexpr ArgumentSpec kShardGroupArguments[] = {
    {.name = "shards",
     .kind = Kind::kInteger,
     .required = true,
     .hint = "the number of partitions of its elements, such as 'shards = 8'"},
};

constexpr ArgumentSpec kShardFoldArguments[] = {{.name = "", .kind = Kind::kMember, .repeatable = true}};

constexpr std::string_view kIndexWords[] = {"unique", "elements"};
constexpr ArgumentSpec kIndexArguments[] = {
    {.name = "", .kind = Kind::kWord, .words = kIndexWords},
    {.name = "staleness", .kind = Kind::kInteger},
};

constexpr ArgumentSpec kShardedIndexArguments[] = {
    {.name = "name",
     .kind = Kind::kName,
     .required = true,
     .hint = "the name by which queries find it, such as 'name = ByCompany'"},
    {.name = "key",
     .kind = Kind::kMember,
     .required = true,
     .hint = "the member that is looked for, such as 'key = company_'"},
    {.name = "order",
     .kind = Kind::kMember,
     .required = true,
     .hint = "the member that sorts those of one key, such as 'order = timestamp_'"},
    {.name = "shards",
     .kind = Kind::kInteger,
     .required = true,
     .hint = "the number of parts that it is spread over, such as 'shards = 10'"},
};

// Attributes that exclude each other. Each pair is listed once.
constexpr std::string_view kBesideNoId[] = {"shardable", "shard_group", "transient", "index", "expires"};
constexpr std::string_view kBesideNoShardable[] = {"shard_group", "transient", "expires"};
constexpr std::string_view kBesideNoShardGroup[] = {"transient", "index", "expires"};
constexpr std::string_view kBesideNoTransient[] = {"index", "expires"};
constexpr std::string_view kBesideNoShardMethod[] = {"shard_write", "shard_fold"};
constexpr std::string_view kBesideNoShardWrite[] = {"shard_fold"};

constexpr AttributeSpec kAttributes[] = {
    {.name = "entity",
     .home = Home::kClass,
     .home_text = "the definition of a class",
     .arguments = kEntityArguments,
     .summary = "Objects of this class are stored; the argument is its kind in the store, unless that is the "
                "name of the class."},
    {.name = "id",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .roles = kInEntity | kInMapped,
     .excludes = kBesideNoId,
     .summary = "The member is the key of the entity, or a part of the key where several members are "
                "marked."},
    {.name = "shardable",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .arguments = kShardableArguments,
     .excludes = kBesideNoShardable,
     .summary = "The value of the member is the fold of several records, so that updates of it do not "
                "conflict."},
    {.name = "shard_method",
     .home = Home::kMethod,
     .home_text = "a method of an entity",
     .arguments = kUpdateArguments,
     .excludes = kBesideNoShardMethod,
     .summary = "The method is an update of sharded members; it runs on the shard and on the folded value."},
    {.name = "shard_write",
     .home = Home::kMethod,
     .home_text = "a method of an entity",
     .arguments = kUpdateArguments,
     .excludes = kBesideNoShardWrite,
     .summary = "The method is an update that replaces the value of sharded members, whatever it was "
                "before."},
    {.name = "shard_fold",
     .home = Home::kStaticMethod,
     .home_text = "a static method of an entity",
     .arguments = kShardFoldArguments,
     .summary = "The method makes one value out of the values of two shards, for the members named or for "
                "all of its type."},
    {.name = "transient",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .roles = kInEntity | kInMapped | kInEmbedded,
     .excludes = kBesideNoTransient,
     .summary = "The member is not stored; a load leaves it with its initialiser or its default value."},
    {.name = "also_load",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .roles = kInEntity | kInMapped,
     .arguments = kAlsoLoadArguments,
     .repeatable = true,
     .summary = "The member had these names before, under which stored records may still hold it."},
    {.name = "mapped",
     .home = Home::kClass,
     .home_text = "the definition of a base class of entities",
     .roles = kInMapped,
     .summary = "The members of this base class are stored with the entities that derive from it."},
    {.name = "embedded",
     .home = Home::kClass,
     .home_text = "the definition of a class that is the type of properties",
     .roles = kInEmbedded,
     .summary = "Objects of this class may be stored as members of an entity, although its own members are "
                "private."},
    {.name = "shard_group",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .arguments = kShardGroupArguments,
     .excludes = kBesideNoShardGroup,
     .summary = "Each element of the member is a record of its own, in one of several groups."},
    {.name = "index",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .roles = kInEntity | kInMapped,
     .arguments = kIndexArguments,
     .summary = "Queries find entities by the value of the member, or by its elements."},
    {.name = "sharded_index",
     .home = Home::kClass,
     .home_text = "the definition of an entity",
     .arguments = kShardedIndexArguments,
     .repeatable = true,
     .summary = "Queries find the entities of one key in an order of their own; the index is spread over "
                "several parts."},
    {.name = "before_save",
     .home = Home::kMethod,
     .home_text = "a method of an entity",
     .summary = "The method is called before each save."},
    {.name = "after_load",
     .home = Home::kMethod,
     .home_text = "a method of an entity",
     .summary = "The method is called after each load."},
    {.name = "expires",
     .home = Home::kMember,
     .home_text = "a data member of an entity",
     .roles = kInEntity | kInMapped,
     .summary = "The member is the time at which the entity ends."},
};

}  // namespace

const ArgumentSpec* AttributeSpec::argument(std::string_view argument_name) const {
  const auto found = std::ranges::find(arguments, argument_name, &ArgumentSpec::name);
  return found == arguments.end() ? nullptr : &*found;
}

std::vector<std::string_view> AttributeSpec::argument_names() const {
  std::vector<std::string_view> names;
  for (const ArgumentSpec& one : arguments) {
    if (!one.name.empty()) names.push_back(one.name);
  }
  return names;
}

std::span<const AttributeSpec> attributes() { return kAttributes; }

const AttributeSpec* find_attribute(std::string_view name) {
  const auto* const found = std::ranges::find(kAttributes, name, &AttributeSpec::name);
  return found == std::end(kAttributes) ? nullptr : found;
}

std::vector<std::string_view> attribute_names() {
  std::vector<std::string_view> names;
  for (const AttributeSpec& one : kAttributes) names.push_back(one.name);
  return names;
}

const ArgumentSpec* spec_of(const Annotation& annotation, const Argument& argument) {
  const AttributeSpec* attribute = find_attribute(annotation.name);
  return attribute ? attribute->argument(argument.name) : nullptr;
}

}  // namespace autoshard::tool
