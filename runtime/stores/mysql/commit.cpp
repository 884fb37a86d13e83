#include "commit.h"

#include <autoshard/errors.h>
#include <mariadb/mysqld_error.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "check.h"
#include "random.h"
#include "statement_limits.h"
#include "steps.h"

namespace autoshard::mysql_store {
namespace {

/// How an attempt to commit ended.
enum class Result {
  kCommitted,
  kConflict,
  kNotFolded,
  kLockConflict,  // nothing was written, for another transaction holds a lock; the reads may still be valid
  kRefused,       // nothing was written; another server may take the commit
  kUnknown,
};

// The state of the error by which a compound statement reports a conflict.
constexpr std::string_view kOutdated = "AS000";

/// A prepared statement has at most 65,535 parameters. Beyond some hundreds, one statement for all steps
/// saves no time.
constexpr std::size_t kMostParameters = 2'000;

// How often a commit that meets locks of other transactions tries again, and after how long.
constexpr unsigned kMostLockConflicts = 30;
constexpr std::chrono::microseconds kFirstPause(200), kLongestPause(20'000);

/// Returns whether the statement has met another transaction under way. A statement may be killed while it
/// waits for the removal of a reference, or for the record of a reference. Its error then is that there is a
/// reference, or that there is no record.
bool is_lock_conflict(const ServerError& error) {
  switch (error.number()) {
    case ER_LOCK_DEADLOCK:
    case ER_LOCK_WAIT_TIMEOUT:
    case ER_CHECKREAD:
    case ER_ROW_IS_REFERENCED:
    case ER_ROW_IS_REFERENCED_2:
    case ER_NO_REFERENCED_ROW:
    case ER_NO_REFERENCED_ROW_2:
      return true;
    default:
      return false;
  }
}

[[noreturn]] void throw_too_large(const Connection& connection, const std::string& why) {
  throw CommitTooLarge("the MySQL server " + connection.endpoint().name +
                       " refuses a commit of this size: " + why);
}

/// Returns the result of a commit that fails before the COMMIT. Throws if no server would take it.
Result refused(const ServerError& error, const Connection& connection) {
  if (error.state() == kOutdated || error.number() == ER_DUP_ENTRY) return Result::kConflict;
  if (error.number() == ER_BAD_NULL_ERROR || error.number() == ER_DATA_OUT_OF_RANGE)
    return Result::kNotFolded;
  // A node of a cluster on which a statement waits so long may have stalled, or lost the other nodes.
  if (connection.is_galera() && error.is_of_cluster()) return Result::kRefused;
  if (is_lock_conflict(error)) return Result::kLockConflict;
  if (error.is_of_endpoint() || error.is_interruption() || error.is_of_statements()) return Result::kRefused;
  if (error.is_too_large()) throw_too_large(connection, error.what());
  Pool::throw_unavailable(connection, error);
}

/// Returns the result of a commit whose COMMIT fails. A deadlock is a refusal of Galera. After another error
/// of a cluster, the other nodes may have the commit or not.
Result ended(const ServerError& error, const Connection& connection) {
  if (error.is_too_large_for_cluster()) throw_too_large(connection, error.what());
  return error.number() == ER_LOCK_DEADLOCK ? Result::kLockConflict : Result::kUnknown;
}

// Statements lock the rows that they name, and no gaps between rows.
constexpr const char *kIsolation = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                     *kStart = "START TRANSACTION";

/// Runs all steps as one statement. Commits of one shape have the same text.
void write_at_once(Connection& connection, const Steps& steps) {
  std::string sql = std::string("BEGIN NOT ATOMIC ") + kIsolation + "; " + kStart + "; ";
  std::vector<Connection::Parameter> parameters;
  for (const Step& step : steps.all()) {
    sql += step.sql + "; ";
    parameters.insert(parameters.end(), step.parameters.begin(), step.parameters.end());
    if (!step.expected) continue;
    sql += "IF ROW_COUNT() <> ? THEN SIGNAL SQLSTATE '" + std::string(kOutdated) + "'; END IF; ";
    parameters.emplace_back(*step.expected);
  }
  connection.execute(sql + "END", parameters);
}

void write_in_steps(Connection& connection, const Steps& steps) {
  // Two statements: if the first one of a text with both is killed, a server may leave the second one
  // unanswered.
  connection.run(kIsolation);
  connection.run(kStart);
  for (const Step& step : steps.all()) {
    const std::uint64_t rows = connection.execute(step.sql, step.parameters);
    if (step.expected && rows != *step.expected)
      throw ServerError(0, std::string(kOutdated), "a record that was read has changed", true);
  }
}

/// Rolls back, and gives the connection back if that succeeds.
void roll_back(Pool::Lease& lease) {
  try {
    lease->run("ROLLBACK");
    lease.give_back();
  } catch (const ServerError&) {  // the server rolls back when the connection ends
  }
}

/// Commits. Throws only `CommitTooLarge`: from an exception, the caller concludes that nothing was written.
Result end(Pool::Lease& lease) try {
  try {
    lease->run("COMMIT");
  } catch (const ServerError& error) {
    const Result result = ended(error, *lease);
    if (result == Result::kLockConflict) {
      roll_back(lease);
    } else if (error.is_of_endpoint()) {
      lease.give_up(error);
    }
    return result;
  }
  lease.give_back();
  return Result::kCommitted;
} catch (const CommitTooLarge&) {
  throw;
} catch (...) {  // of the application's log, or because memory is short
  return Result::kUnknown;
}

bool has_folds(const Accesses& accesses) {
  return std::any_of(accesses.begin(), accesses.end(),
                     [](const auto& access) { return access.second.fold.has_value(); });
}

/// `refusals`: the refusals of this commit so far.
Result attempt(Database& database, const Accesses& accesses, Pool::Attempts& refusals) {
  Pool::Lease lease = database.pool().take(Pool::For::kCommit);
  if (lease->is_galera() && has_folds(accesses)) {  // the traits of the store are those of another server
    lease.give_back();
    return Result::kNotFolded;
  }
  const Steps steps(database, accesses, lease->lane(), lease->longest_packet());
  if (steps.largest() > lease->longest_packet()) {
    throw_too_large(*lease, "a record is longer than max_allowed_packet, " +
                                std::to_string(lease->longest_packet()) + " bytes: raise max_allowed_packet");
  }
  try {
    // MariaDB 10.11 can miss that Galera aborts a transaction in a compound statement. Then the node stalls.
    const bool at_once = database.compound_commits() && lease->is_mariadb() && !lease->is_galera() &&
                         steps.parameters() <= kMostParameters && steps.bytes() <= lease->longest_packet();
    (at_once ? write_at_once : write_in_steps)(*lease, steps);
  } catch (const ServerError& error) {
    const Result result = refused(error, *lease);
    if (result == Result::kRefused) {
      refusals.give_up(lease, error);
    } else {
      roll_back(lease);
    }
    return result;
  }
  return end(lease);
}

void pause(unsigned lock_conflicts) {
  const auto bound = std::min(kFirstPause * (1 << std::min(lock_conflicts, 10U)), kLongestPause);
  std::this_thread::sleep_for(
      std::chrono::microseconds(detail::random_below(static_cast<std::uint64_t>(bound.count()) + 1)));
}

/// Returns how many of these records have the versions that were read.
std::size_t unchanged(Database& database, Connection& connection, const Accesses& accesses,
                      std::span<const Accesses::value_type* const> reads) {
  std::string sql = "SELECT k, version FROM " + database.table() + " WHERE k IN (";
  std::vector<Connection::Parameter> keys;
  for (const auto* read : reads) {
    sql += keys.empty() ? "?" : ", ?";
    keys.emplace_back(std::string_view(read->first));
  }
  const auto is_absent = [](const auto* read) { return !read->second.version; };
  auto unchanged = static_cast<std::size_t>(std::count_if(reads.begin(), reads.end(), is_absent));
  connection.execute(sql + ')', keys, [&](Connection::Row& row) {
    const std::optional<std::uint64_t>& version = accesses.find(row[0])->second.version;
    if (!version) --unchanged;
    if (version == std::stoull(row[1])) ++unchanged;
  });
  return unchanged;
}

/// Validates the reads in one state, the newest one: one statement sees one state, and several statements
/// share a snapshot.
CommitOutcome validate(Database& database, const Accesses& accesses) {
  std::vector<const Accesses::value_type*> reads;
  for (const auto& access : accesses) reads.push_back(&access);
  const std::size_t still_true = database.pool().read([&](Connection& connection) {
    std::size_t number = 0, parts = 0;
    in_parts(
        std::span<const Accesses::value_type* const>(reads), kMostKeyBytes,
        [](const auto* read) { return read->first.size(); },
        [&](auto some) {
          if (parts++ == 0 && some.size() < reads.size()) connection.run(kStartSnapshot);
          number += unchanged(database, connection, accesses, some);
        });
    if (parts > 1) connection.run("COMMIT");
    return number;
  });
  AUTOSHARD_CHECK(still_true <= reads.size(), {"unchanged", still_true}, {"reads", reads.size()});
  return still_true == reads.size() ? CommitOutcome::kCommitted : CommitOutcome::kConflict;
}

}  // namespace

CommitOutcome commit(Database& database, const Accesses& accesses) {
  const bool writes =
      std::any_of(accesses.begin(), accesses.end(), [](const auto& access) { return access.second.written; });
  if (!writes) return validate(database, accesses);
  Pool::Attempts refusals(database.pool());
  const auto deadline = std::chrono::steady_clock::now() + database.pool().patience();
  for (unsigned lock_conflicts = 0;;) {
    switch (attempt(database, accesses, refusals)) {
      case Result::kCommitted:
        return CommitOutcome::kCommitted;
      case Result::kConflict:
        return CommitOutcome::kConflict;
      case Result::kNotFolded:
        return CommitOutcome::kNotFolded;
      case Result::kUnknown:
        return CommitOutcome::kUnknown;
      case Result::kLockConflict:
        if (++lock_conflicts == kMostLockConflicts || std::chrono::steady_clock::now() >= deadline)
          return CommitOutcome::kConflict;
        pause(lock_conflicts);
        break;
      case Result::kRefused:
        break;
    }
  }
}

}  // namespace autoshard::mysql_store
