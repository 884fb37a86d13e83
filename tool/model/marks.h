#pragma once

/// What annotations with arguments say. The frontend reads them once from the names of attributes and
/// arguments.

#include <optional>
#include <vector>

#include "tool/model/annotation.h"

namespace autoshard::tool {

/// `[[autoshard::shardable(…)]]`. An argument is there where it is given.
struct Shardable {
  Span span;
  bool from_macro = false;  ///< as Annotation::from_macro
  std::optional<Argument> neutral{};
  std::optional<Argument> shards{};
  std::optional<Argument> fold{};
  std::optional<Argument> minimum{};
  std::optional<Argument> maximum{};
  std::optional<Argument> order{};
  std::optional<Argument> last{};
  std::optional<Argument> bucket{};
  std::optional<Argument> trusted{};  ///< why its laws hold, for the reader

  /// Whether the value is that of a window, with or without mistakes.
  bool has_window() const { return last || bucket; }
};

/// `[[autoshard::shard_group(…)]]`
struct ShardGroup {
  Span span;
  std::optional<Argument> shards{};
};

/// `[[autoshard::index(…)]]`
struct Index {
  Span span;
  bool is_unique = false;
  bool is_of_elements = false;  ///< of a collection
  std::optional<Argument> staleness{};
};

/// `[[autoshard::shard_fold(…)]]`
struct ShardFold {
  Span span;
  bool from_macro = false;
  std::vector<Argument> members{};  ///< that it is for; none: all of its type
};

/// What a property is marked as. Several may be there by mistake.
struct PropertyMarks {
  std::optional<Span> id{};
  std::optional<Span> transient{};
  std::optional<Span> expires{};
  std::optional<Shardable> shardable{};
  std::optional<ShardGroup> group{};
  std::optional<Index> index{};
};

/// What a method is marked as. Several may be there by mistake.
struct MethodMarks {
  std::optional<Span> shard_method{};
  std::optional<Span> shard_write{};
  std::optional<Span> before_save{};
  std::optional<Span> after_load{};
  std::optional<ShardFold> fold{};
  std::optional<Argument> trusted{};  ///< of `shard_method` or `shard_write`: why its law holds
};

}  // namespace autoshard::tool
