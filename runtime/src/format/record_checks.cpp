#include "record_checks.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>

#include "checked_values.h"

namespace autoshard::detail {
namespace {

bool is_named(const EntityType& type, std::string_view name, std::string_view today) {
  return name == today ||
         std::any_of(type.former_names.begin(), type.former_names.end(),
                     [&](const FormerName& former) { return former.former == name && former.name == today; });
}

/// Empty for a value that no store folds: a number out of range, or not an integer.
std::optional<std::int64_t> foldable_integer(std::string_view value) try {
  return Decoder({}, value).integer();
} catch (const CorruptRecord&) {
  return std::nullopt;
}

}  // namespace

bool has_version(std::string_view record, std::uint64_t version) {
  const std::optional<CheckedMain> read = read_checked_main({}, record);
  return !read || read->version == version;
}

bool keeps_others(const EntityType& type, std::string_view record, std::string_view changed,
                  std::string_view property) {
  const std::optional<CheckedMain> before = read_checked_main({}, record),
                                   after = read_checked_main({}, changed);
  if (!before || !after) return !before;
  const auto without = [&](auto entries) {
    std::erase_if(entries, [&](const auto& entry) { return is_named(type, entry.first, property); });
    return entries;
  };
  return before->expires == after->expires && without(before->layouts) == without(after->layouts) &&
         without(before->entries) == without(after->entries);
}

bool has_layout(std::string_view record, const ShardedPropertyType& property, const Layout& layout) {
  const std::optional<CheckedMain> read = read_checked_main({}, record);
  if (!read) return true;
  const auto found = read->layouts.find(std::string(property.name));
  return found != read->layouts.end() &&
         found->second == std::pair<std::uint64_t, std::uint64_t>(layout.shards, layout.epoch);
}

bool holds_shard(std::string_view record, std::uint64_t epoch, const std::optional<Share>& share) {
  const std::optional<CheckedShard> read = read_checked_shard({}, record);
  if (!read) return true;
  return read->epoch == epoch && read->share.has_value() == share.has_value() &&
         (!share || *read->share == std::pair(share->least, share->most));
}

bool holds_integer(std::string_view record, std::int64_t value) {
  const std::optional<CheckedShard> read = read_checked_shard({}, record);
  return read && foldable_integer(read->value) == value;
}

bool holds_value(std::string_view record, const ShardedPropertyType& property, const void* value) {
  NumberFold number;
  return !property.to_fold || !property.to_fold(value, number) || holds_integer(record, number.number);
}

bool holds_folded(std::string_view record, const ShardedPropertyType& property, const void* value,
                  std::string_view stored) {
  NumberFold number;
  if (!property.to_fold || !property.to_fold(value, number)) return true;
  const std::optional<CheckedShard> read = read_checked_shard({}, stored);
  const std::optional<std::int64_t> before = read ? foldable_integer(read->value) : std::nullopt;
  if (!before) return true;
  std::int64_t folded = 0;
  if (number.fold == Fold::kMinimum) {
    folded = std::min(*before, number.number);
  } else if (number.fold == Fold::kMaximum) {
    folded = std::max(*before, number.number);
  } else if (__builtin_add_overflow(*before, number.number, &folded)) {
    return true;
  }
  return folded < number.least || folded > number.most || holds_integer(record, folded);
}

bool keeps_all(std::string_view record, std::string_view changed) {
  const std::optional<CheckedMain> before = read_checked_main({}, record),
                                   after = read_checked_main({}, changed);
  if (!before || !after) return !before;
  return before->expires == after->expires && before->layouts == after->layouts &&
         std::includes(after->entries.begin(), after->entries.end(), before->entries.begin(),
                       before->entries.end());
}

}  // namespace autoshard::detail
