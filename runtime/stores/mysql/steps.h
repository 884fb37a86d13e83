#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commit.h"
#include "connection.h"

namespace autoshard::mysql_store {

/// A statement of a commit.
struct Step {
  std::string sql;
  std::vector<Connection::Parameter> parameters{};  // views of the accesses
  std::optional<std::uint64_t> expected{};          // rows; with others, what was read has changed
  std::size_t bytes = 0;                            // of the packet with the parameters; not less
};

/// What a server does for a commit, between its beginning and the COMMIT: validates what was only read,
/// removes what was read and is written, if it is still the same, and inserts what is written. What is folded
/// comes last, for others wait for it.
///
/// Nothing else is updated, and reads leave a row that refers to what was read, for the time of the
/// transaction: see mysql_store.h on Galera. On any server the foreign key's check locks the record that was
/// read for as long, and shares it with others.
///
/// Every statement forces the primary key: on a small table, a server would rather look at all records, and
/// wait for those that are none of its business.
class Steps {
 public:
  /// Looks at the accesses as long as it lives. `lane`: a number that only one transaction at a time has.
  /// `longest_packet`: bytes that the server takes in one statement, and that only a step of one record
  /// exceeds.
  Steps(Database& database, const Accesses& accesses, std::uint64_t lane, std::uint64_t longest_packet);

  const std::vector<Step>& all() const { return steps_; }
  std::size_t parameters() const { return parameters_; }
  /// Of what is sent at once, if it is all sent at once; not less.
  std::size_t bytes() const { return bytes_; }
  /// Of the largest step.
  std::size_t largest() const;

 private:
  using Keys = std::span<const Accesses::value_type* const>;

  Step& add(std::string sql, std::size_t repeats, std::string_view repeated, std::string_view between);
  void validate(Keys keys, const std::string& sql, std::optional<std::uint64_t> first);
  void insert(Keys keys, const std::string& sql, std::uint64_t version);
  void remove(Keys keys);
  void fold(Keys keys, const FoldWithin& fold, std::uint64_t version);
  void push(Step& step, Connection::Parameter parameter);

  const std::string& table_;
  std::vector<Step> steps_;
  std::size_t parameters_ = 0, bytes_ = 0;
};

}  // namespace autoshard::mysql_store
