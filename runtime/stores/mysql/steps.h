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
  std::vector<Connection::Parameter> parameters{};  // which view the accesses
  std::optional<std::uint64_t> expected{};          // rows; otherwise, a record that was read has changed
  std::size_t bytes = 0;                            // upper limit of the packet with its parameters
};

/// The statements of a commit between START TRANSACTION and COMMIT. They validate records that were only
/// read, remove records that were read and are written if these have not changed, and insert written records.
/// Folds come last, because other commits wait for them.
///
/// No other row is updated. For each record that was only read, a row refers to it until the end of the
/// transaction: see mysql_store.h on Galera. On any server, the check of the foreign key locks the record
/// that long, and shares it with other transactions.
///
/// Every statement forces the primary key. On a small table, a server otherwise reads all records, and waits
/// for records that the statement does not need.
class Steps {
 public:
  /// The accesses must outlive the steps. `lane`: a number that no other transaction has at the same time.
  /// `longest_packet`: how many bytes the server takes in one statement; only a step of one record has more.
  Steps(Database& database, const Accesses& accesses, std::uint64_t lane, std::uint64_t longest_packet);

  const std::vector<Step>& all() const { return steps_; }
  std::size_t parameters() const { return parameters_; }
  /// Upper limit of the bytes of one statement with all steps.
  std::size_t bytes() const { return bytes_; }
  /// Upper limit of the bytes of the largest step.
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
