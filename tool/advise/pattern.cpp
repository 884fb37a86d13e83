#include "tool/advise/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tool/check/folding.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

Pattern shardable(const Folding& folding) {
  Pattern pattern{.noun = folding.noun,
                  .reason = folding.reason,
                  .attribute = "shardable",
                  .arguments = {"neutral = " + folding.neutral, "shards = 10"},
                  .gives_up = folding.gives_up};
  if (folding.any_order) pattern.arguments.emplace_back("order = any");
  pattern.arguments.push_back("fold = " + folding.fold);
  return pattern;
}

/// A group, for a container to which updates add elements; nothing for any other member.
std::optional<Pattern> group(const Type& type, const Way& way) {
  const bool grows =
      !way.by_key && ((way.operation == Operation::kAppend && is_sequence(type)) ||
                      (way.operation == Operation::kInsert && has_keys(type) && !is_map(type)) ||
                      (way.operation == Operation::kPut && is_map(type)));
  if (!grows || type.kind == TypeKind::kUnsupported) return std::nullopt;
  return Pattern{.noun = "a collection that only grows",
                 .reason = "each element has a record of its own",
                 .attribute = "shard_group",
                 .arguments = {"shards = 8"},
                 .gives_up = "a load reads a record for each element; pages read a part"};
}

/// Folds a struct field by field.
class StructFolder {
 public:
  explicit StructFolder(const std::vector<Way>& ways) : ways_(ways) {}

  std::variant<Folding, std::string> run(const Type& type, const std::string& type_name) {
    if (type.kind == TypeKind::kUnsupported)
      return fmt::format("its type {} cannot be stored: {}", quoted(type.qualified), type.unsupported_reason);
    if (type.kind != TypeKind::kStruct || type.embedded)
      return fmt::format("a fold cannot be written for the parts of {}", quoted(type.qualified));
    const std::string neutral = type_name + add(type, "");
    if (!problem_.empty()) return problem_;
    return Folding{.noun = "a struct of independent fields",
                   .reason = "each field comes to the same in any order",
                   .neutral = neutral,
                   .fold = "[](auto x, const auto& y) { " + statements_ + "return x; }",
                   .gives_up = gives_up_};
  }

 private:
  /// Adds the statements for the fields of `type`, and returns its neutral value, less the name of the type.
  std::string add(const Type& type, const std::string& path) {
    std::vector<std::string> values;
    for (const Field& field : type.fields) {
      const std::string name = path + (path.empty() ? "" : ".") + field.name;
      values.push_back(fmt::format(".{} = {}", field.name, neutral_of(field.type.front(), name)));
    }
    return fmt::format("{{{}}}", list(values));
  }

  std::string neutral_of(const Type& type, const std::string& name) {
    if (type.embedded) problem_ = fmt::format("a fold cannot reach all of its field {}", quoted(name));
    const auto way = std::ranges::find(ways_, name, &Way::field);
    if (way == ways_.end() && type.kind == TypeKind::kStruct && !type.fields.empty()) return add(type, name);
    if (way == ways_.end()) {
      const bool has_update =
          std::ranges::any_of(ways_, [&](const Way& one) { return one.field.starts_with(name + "."); });
      problem_ = has_update
                     ? fmt::format("a fold cannot be written for the parts of its field {}", quoted(name))
                     : fmt::format("no update of its field {} is known", quoted(name));
      return {};
    }
    const auto found = folding_of(type, type.qualified, way->operation, way->by_key);
    if (const auto* why = std::get_if<std::string>(&found)) {
      problem_ = fmt::format("of its field {}: {}", quoted(name), *why);
      return {};
    }
    const Folding& folding = std::get<Folding>(found);
    if (folding.any_order) problem_ = fmt::format("the elements of its field {} have an order", quoted(name));
    statements_ += folding_statement(type, way->operation, way->by_key, "x." + name, "y." + name) + " ";
    if (!folding.gives_up.empty())
      gives_up_ = fmt::format("{}, in its field {}", folding.gives_up, quoted(name));
    return folding.neutral;
  }

  const std::vector<Way>& ways_;
  std::string statements_;
  std::string gives_up_, problem_;
};

}  // namespace

std::string verb(const Way& way) {
  std::string it = way.by_key ? "its values" : "it";
  if (!way.field.empty()) it = (way.by_key ? "values in its field " : "its field ") + quoted(way.field);
  switch (way.operation) {
    case Operation::kAdd:
      return "adds to " + it;
    case Operation::kMultiply:
      return "scales " + it;
    case Operation::kMaximum:
      return "raises " + it;
    case Operation::kMinimum:
      return "lowers " + it;
    case Operation::kBitOr:
      return "sets bits of " + it;
    case Operation::kBitAnd:
      return "clears bits of " + it;
    case Operation::kBitXor:
      return "flips bits of " + it;
    case Operation::kInsert:
      return "inserts into " + it;
    case Operation::kAppend:
      return "appends to " + it;
    case Operation::kPrepend:
      return "puts elements in front of " + it;
    case Operation::kPut:
      return "puts values into " + it;
  }
  return {};
}

std::variant<std::vector<Pattern>, std::string> patterns_of(const Property& property,
                                                            const std::vector<Way>& ways) {
  const Type& type = property.type;
  const Way& way = ways.front();
  std::vector<Pattern> patterns;
  if (std::optional<Pattern> found = group(type, way)) patterns.push_back(std::move(*found));
  const auto folding = way.field.empty() ? folding_of(type, property.type_text, way.operation, way.by_key)
                                         : StructFolder(ways).run(type, property.type_text);
  if (const auto* found = std::get_if<Folding>(&folding)) {
    patterns.push_back(shardable(*found));
    patterns.back().may_keep_bounds =
        way.operation == Operation::kAdd && type.kind == TypeKind::kInteger && !way.by_key;
  } else if (patterns.empty()) {
    return std::get<std::string>(folding);
  }
  return patterns;
}

}  // namespace autoshard::tool
