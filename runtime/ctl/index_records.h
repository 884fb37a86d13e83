#pragma once

/// Which records of an index lead to an entity, as far as the records themselves tell.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checked_keys.h"

namespace autoshard::ctl {

/// Finds the records of one index that lead to an entity. Only the class says which form the records have:
/// entries, unique entries, each with the number of a shard or without, or those of a ranked index. All
/// records of an index have one form. So a form counts until a record does not have it.
class IndexRecords {
 public:
  /// `id`: that of the entity, in the form of keys.
  explicit IndexRecords(std::string id) : id_(std::move(id)) {}

  /// Looks at the next record of the index.
  void see(const detail::CheckedKey& parsed, std::string_view key, std::string_view value);

  /// Returns the keys and values of the records that lead to the entity, in their order. Empty if the records
  /// have none of the forms, or several that do not agree.
  std::optional<std::vector<std::pair<std::string, std::string>>> of_entity() const;

  /// Returns the ends of the keys of records that an update or a refresh may write at any time, whose absence
  /// therefore has to be validated. None if the index is not ranked.
  std::vector<std::string> written_by_updates() const;

 private:
  struct Form {
    bool is_possible = true;
    std::size_t members = 0;  ///< in the key of an entry; 0: none was seen
    std::vector<std::pair<std::string, std::string>> records{};
  };
  enum : std::size_t { kEntries, kShardedEntries, kUnique, kShardedUnique, kRanked, kForms };

  /// The id to which a record leads; empty if the record does not have the form.
  static std::optional<std::string> id_in(std::size_t form, Form& state, std::string_view rest,
                                          std::string_view key, std::string_view value);

  std::string id_;
  std::array<Form, kForms> forms_;
};

}  // namespace autoshard::ctl
