#include "tool/laws/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/emit/emit.h"
#include "tool/laws/blame.h"
#include "tool/model/staleness.h"
#include "tool/text/terminal.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

std::string key_of(const Entity& entity) {
  return fmt::format("02 {} 00 01  id  ", string_literal(entity.kind));
}

std::string element_records(const Property& property, const std::string& key) {
  const std::string place = is_sequence(property.type)
                                ? fmt::format("one of {}", count(property.sharding->shards, "partition"))
                                : "a partition that its bytes determine";
  return wrapped(4, key + "nn nn  element") +
         wrapped(6,
                 fmt::format("an element record for each element of {}, in {}", property.stored_name, place));
}

std::string shard_records(const Entity& entity, const Property& property) {
  const Sharding& sharding = *property.sharding;
  const std::string& name = property.stored_name;
  const std::string key = fmt::format("{}02 {} 00 01  ", key_of(entity), string_literal(name));
  const std::string part = fmt::format(", each with its part of the {}", property.type.qualified);
  if (sharding.kind == Sharding::Kind::kGroup) return element_records(property, key);
  if (sharding.kind == Sharding::Kind::kDynamic) {
    return wrapped(4, key + "FF FF  time  random (8 bytes each)") +
           wrapped(6, fmt::format("deltas of {}, one for each update until compaction{}", name, part)) +
           wrapped(4, key + "00 00") +
           wrapped(6, fmt::format("the shard record of {} that compaction folds them into", name));
  }
  const std::string shards = fmt::format("up to {} of {}", count(sharding.shards, "shard record"), name);
  if (sharding.is_window())
    return wrapped(4, key + "nn nn  begin (8 bytes)") +
           wrapped(6, shards + " for each bucket of time" + part);
  return wrapped(4, key + "nn nn") +
         wrapped(6, shards + part +
                        (sharding.is_bounded() ? ", and the least and the most that this may be" : ""));
}

std::string index_key_of(const Entity& entity, const std::string& index) {
  return fmt::format("00 02 {} 00 01 {} 00 01  dd dd dd dd", string_literal(entity.kind),
                     string_literal(index));
}

std::string index_records(const Entity& entity) {
  std::string text;
  for (const ShardedIndex& index : entity.sharded_indexes) {
    std::string key = index_key_of(entity, index.name) + (index.shards > 1 ? "  nn nn" : "");
    for (const std::vector<Name>* members : {&index.key, &index.order}) {
      for (const Name& member : *members) key += "  " + stored_name(member.name);
    }
    const std::string shard =
        index.shards > 1 ? fmt::format(", in one of {}", count(index.shards, "shard")) : "";
    text += wrapped(4, key + "  id") + wrapped(6, fmt::format("an index record in {}{}", index.name, shard));
  }
  for (const Property* property : entity.all_properties()) {
    if (!property->is_indexed()) continue;
    const std::string& name = property->stored_name;
    if (property->is_sharded()) {
      const std::string key = index_key_of(entity, name);
      text += wrapped(4, fmt::format("{}  03  {}  id", key, name)) +
              wrapped(6, fmt::format("an entry of the index of {}, ordered by the folded value", name)) +
              wrapped(4, key + "  02  id") + wrapped(6, "the value that this entity's entry has") +
              wrapped(4, key + "  01  id") +
              wrapped(6, fmt::format(
                             "a note that the entry may be out of date: from an update until the index is "
                             "refreshed, for about {}",
                             count(static_cast<std::uint32_t>(staleness_of(*property)), "second")));
      continue;
    }
    if (property->has_elements_index()) {
      text += wrapped(4, index_key_of(entity, name) + "  element  id") +
              wrapped(6, fmt::format("an index record for each element of {}", name));
      continue;
    }
    const bool is_unique = property->is_unique();
    text += wrapped(4, fmt::format("{}  {}{}", index_key_of(entity, name), name, is_unique ? "" : "  id")) +
            wrapped(6, fmt::format("an index record of {}{}", name,
                                   is_unique ? ", which no two entities share" : ""));
  }
  return text;
}

std::string records(const Entity& entity) {
  std::vector<std::string> properties;
  std::string shards;
  for (const Property* property : entity.all_properties()) {
    if (property->is_id() || property->is_transient()) continue;
    if (!property->is_sharded()) {
      properties.push_back(property->stored_name);
      continue;
    }
    shards += shard_records(entity, *property);
  }
  return "  records\n" + wrapped(4, key_of(entity) + "01") +
         wrapped(6, properties.empty() ? "the main record, which has no property"
                                       : fmt::format("the main record: {}", list(properties))) +
         shards + index_records(entity);
}

std::string strategy(const Sharding& sharding) {
  switch (sharding.kind) {
    case Sharding::Kind::kStatic:
      break;
    case Sharding::Kind::kDynamic:
      return "dynamic sharding: a record for each update, until compaction";
    case Sharding::Kind::kAdaptive:
      return fmt::format("adaptive sharding over {} to {}, as many as the load needs", sharding.least,
                         count(sharding.shards, "record"));
    case Sharding::Kind::kGroup:
      return fmt::format("group sharding over {}: a record for each element",
                         count(sharding.shards, "partition"));
  }
  return fmt::format("static sharding over {}", count(sharding.shards, "record"));
}

std::string bounds(const Sharding& sharding) {
  std::string text;
  if (!sharding.minimum.empty()) text += fmt::format("; never less than {}", sharding.minimum);
  if (!sharding.maximum.empty()) text += fmt::format("; never more than {}", sharding.maximum);
  return text;
}

/// Describes the value of a window; empty if `property` is no window.
std::string window(const Property& property) {
  const Sharding& sharding = *property.sharding;
  if (!sharding.is_window()) return "";
  const std::uint32_t before = sharding.last / sharding.bucket - 1;
  return fmt::format(
      "; a window of the last {}: the value is the fold of the updates of the current bucket{}; older "
      "buckets "
      "fall out of every load at once, by MapperOptions::clock, and maintenance removes their records",
      property.marks.shardable->last->value,
      before == 0 ? "" : fmt::format(" and of the {} before it", count(before, "bucket")));
}

/// The shard methods that touch `property`. `writes` selects shard writes or the others.
std::string updates_of(const EntityLaws& all, const Property& property, bool writes) {
  std::vector<std::string> names;
  for (const Law& law : all.laws) {
    const bool touches = std::ranges::find(law.touches, property.name) != law.touches.end();
    if (!touches || law.method->is_shard_write() != writes) continue;
    if (std::ranges::find(names, law.method->name) == names.end()) names.push_back(law.method->name);
  }
  if (names.empty()) return "";
  return fmt::format("; {} by {}", writes ? "replaced" : "updated", list(names));
}

std::string strategies(const EntityLaws& all) {
  std::string text;
  for (const Property& property : all.entity->properties) {
    if (!property.is_sharded()) continue;
    const Sharding& sharding = *property.sharding;
    std::string line = fmt::format("{}: {}", property.name, strategy(sharding));
    if (sharding.is_window())
      line += fmt::format(", in each bucket of {}", property.marks.shardable->bucket->value);
    if (!property.is_group()) line += fmt::format("; neutral {}; fold {}", sharding.neutral, sharding.fold);
    line += bounds(sharding) + window(property);
    if (sharding.any_order && !property.is_group()) line += "; its elements in any order";
    const std::string updates = updates_of(all, property, false) + updates_of(all, property, true);
    text += wrapped(4, line + (updates.empty() ? "; no shard method updates it" : updates));
  }
  return text.empty() ? "" : "  strategies\n" + text;
}

std::string name_of(const Entity& entity, const Law& law) {
  if (law.kind == Law::Kind::kCommutes) return fmt::format("{} commutes with the fold", law.method->name);
  if (law.kind == Law::Kind::kReplaces)
    return fmt::format("{} replaces the value, whatever it was", law.method->name);
  const std::string fold = fmt::format("{}: {}", law.property->name, written_fold(entity, *law.property));
  if (law.kind == Law::Kind::kCommutative) return fold + " is commutative";
  if (law.kind == Law::Kind::kAssociative) return fold + " is associative";
  if (law.kind == Law::Kind::kAdds) return fold + " adds, as its bounds require";
  return fmt::format("{}: {} is neutral", law.property->name, law.property->sharding->neutral);
}

std::string way_of(const Law& law) {
  switch (law.how) {
    case Law::How::kForm:
      return "follows from how it is written";
    case Law::How::kSolver:
      return "by the solver";
    case Law::How::kByKey:
      return "by the solver, for each key";
    default:
      return "by the solver, for all values that updates can reach";
  }
}

/// Whether only the annotation says that `law` holds.
bool is_trusted(const Law& law) {
  return law.verdict != Law::Verdict::kBroken && !law.is_proved() && law.trusted();
}

template <class Predicate>
std::string laws_that(const EntityLaws& all, const char* title, Predicate is_one) {
  std::string text;
  for (const Law& law : all.laws) {
    if (!is_one(law)) continue;
    std::string line = name_of(*all.entity, law);
    if (law.is_proved()) line += fmt::format(": {}", way_of(law));
    if (law.tried > 0 && !law.counterexample) {
      const std::string part = law.tried < law.combinations ? fmt::format("{} of ", law.tried) : "";
      line += fmt::format(" ({}{} of values)", part, count(law.combinations, "combination"));
    }
    if (law.counterexample) line += fmt::format(": {}", law.counterexample->message);
    if (!law.reason.empty()) line += fmt::format(": {}", law.reason);
    if (!law.obstacle.empty() && !law.counterexample && !law.is_proved())
      line += fmt::format("; not proved: {}", law.obstacle);
    if (is_trusted(law)) line += fmt::format("; trusted: {}", law.trusted()->value);
    text += wrapped(4, line);
  }
  return text.empty() ? "" : fmt::format("  {}\n{}", title, text);
}

auto has(Law::Verdict verdict) {
  return [verdict](const Law& law) { return law.verdict == verdict && !is_trusted(law); };
}

std::string explain(const EntityLaws& all) {
  const Entity& entity = *all.entity;
  return wrapped(0, fmt::format("{}, kind {}", entity.qualified_name, string_literal(entity.kind))) +
         records(entity) + strategies(all) +
         laws_that(all, "laws that do not hold", has(Law::Verdict::kBroken)) +
         laws_that(all, "laws that are proved", [](const Law& law) { return law.is_proved(); }) +
         laws_that(all, "laws that are trusted", is_trusted) +
         laws_that(all, "laws that were tried on some values",
                   [](const Law& law) { return has(Law::Verdict::kHolds)(law) && !law.is_proved(); }) +
         laws_that(all, "laws left to the law tests", has(Law::Verdict::kLeftToTests)) +
         laws_that(all, "laws that could not be judged", has(Law::Verdict::kNotJudged));
}

}  // namespace

std::string explain(const std::vector<EntityLaws>& laws) {
  std::string text;
  for (const EntityLaws& entity : laws) text += (text.empty() ? "" : "\n") + explain(entity);
  return text;
}

}  // namespace autoshard::tool
