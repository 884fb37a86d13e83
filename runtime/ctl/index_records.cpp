#include "index_records.h"

#include <algorithm>

#include "checked_values.h"

namespace autoshard::ctl {
namespace {

constexpr char kDirty = '\1', kPlace = '\2', kEntry = '\3';  // of a ranked index

bool is_composite(std::string_view member) { return member.starts_with('\3'); }

/// Whether all but the last of these members are parts. A composite id can only be the last one.
bool are_parts_and_id(const std::vector<std::string_view>& members) {
  return !members.empty() && std::none_of(members.begin(), members.end() - 1, is_composite);
}

/// Returns the one id that these bytes are.
std::optional<std::string> whole_id(std::string_view bytes) {
  if (detail::checked_members(bytes).size() != 1) return std::nullopt;
  return std::string(bytes);
}

/// Returns the id in a record of a ranked index.
std::optional<std::string> ranked_id(std::string_view rest, std::string_view key, std::string_view value) {
  const std::string_view behind = rest.substr(1);
  switch (rest.front()) {
    case kDirty:
      if (!detail::is_checked_nil(value) && !detail::is_checked_integer(key, value)) return std::nullopt;
      return whole_id(behind);
    case kPlace:
      if (!detail::read_checked_text(key, value)) return std::nullopt;
      return whole_id(behind);
    case kEntry: {
      const std::vector<std::string_view> members = detail::checked_members(behind);
      if (!detail::is_checked_nil(value) || members.size() != 2 || !are_parts_and_id(members))
        return std::nullopt;
      return std::string(members.back());
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> IndexRecords::id_in(std::size_t form, Form& state, std::string_view rest,
                                               std::string_view key, std::string_view value) {
  if (form == kRanked) return ranked_id(rest, key, value);
  if (form == kShardedEntries || form == kShardedUnique)
    rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
  const std::vector<std::string_view> members = detail::checked_members(rest);
  if (!are_parts_and_id(members)) return std::nullopt;
  if (state.members != 0 && state.members != members.size()) return std::nullopt;
  state.members = members.size();
  if (form == kUnique || form == kShardedUnique) {
    if (is_composite(members.back())) return std::nullopt;
    const std::optional<std::string> id = detail::read_checked_text(key, value);
    return id ? whole_id(*id) : std::nullopt;
  }
  if (members.size() < 2 || !detail::is_checked_nil(value)) return std::nullopt;
  return std::string(members.back());
}

void IndexRecords::see(const detail::CheckedKey& parsed, std::string_view key, std::string_view value) {
  for (std::size_t form = 0; form < kForms; ++form) {
    Form& state = forms_[form];
    if (!state.is_possible) continue;
    const std::optional<std::string> id = id_in(form, state, parsed.rest, key, value);
    state.is_possible = id.has_value();
    if (id == id_) state.records.emplace_back(key, value);
  }
}

std::optional<std::vector<std::pair<std::string, std::string>>> IndexRecords::of_entity() const {
  std::optional<std::vector<std::pair<std::string, std::string>>> records;
  for (const Form& form : forms_) {
    if (!form.is_possible) continue;
    if (records && records != form.records) return std::nullopt;
    records = form.records;
  }
  return records;
}

std::vector<std::string> IndexRecords::written_by_updates() const {
  if (!forms_[kRanked].is_possible) return {};
  return {kDirty + id_, kPlace + id_};
}

}  // namespace autoshard::ctl
