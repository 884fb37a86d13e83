#include "commit.h"

#include <autoshard/errors.h>
#include <mariadb/mysqld_error.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

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
  kMet,      // nothing was written, because of another transaction under way; what was read may still hold
  kRefused,  // nothing was written; another server might
  kUnknown,
};

// The state of the error that a compound statement ends with.
constexpr std::string_view kOutdated = "AS000";

/// A prepared statement has at most 65,535; beyond some hundreds, one for all steps does not pay any more.
constexpr std::size_t kMostParameters = 2'000;

// How often, and after how long, two commits that merely met try again.
constexpr unsigned kMeetings = 30;
constexpr std::chrono::microseconds kFirstPause(200), kLongestPause(20'000);

/// Whether another transaction under way was met. A statement that is killed while it waits for a reference
/// to go, or for the record that it refers to, says that there is one, or none.
bool is_meeting(const ServerError& error) {
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
                       " does not take so much in one commit: " + why);
}

/// Of an error before the COMMIT. Throws where no server would do it.
Result refused(const ServerError& error, const Connection& connection) {
  if (error.state() == kOutdated || error.number() == ER_DUP_ENTRY) return Result::kConflict;
  if (error.number() == ER_BAD_NULL_ERROR || error.number() == ER_DATA_OUT_OF_RANGE)
    return Result::kNotFolded;
  // A node of a cluster on which one waits so long may stand still, or have lost the others.
  if (connection.is_galera() && error.is_of_cluster()) return Result::kRefused;
  if (is_meeting(error)) return Result::kMet;
  if (error.is_of_endpoint() || error.is_interruption() || error.is_of_statements()) return Result::kRefused;
  if (error.is_too_large()) throw_too_large(connection, error.what());
  Pool::throw_unavailable(connection, error);
}

/// Of an error of the COMMIT. A deadlock is Galera's refusal; of anything else a cluster does not say whether
/// the others have it.
Result ended(const ServerError& error, const Connection& connection) {
  if (error.is_too_large_for_cluster()) throw_too_large(connection, error.what());
  return error.number() == ER_LOCK_DEADLOCK ? Result::kMet : Result::kUnknown;
}

// Locks what is named, and no gaps beside it.
constexpr const char *kIsolation = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                     *kStart = "START TRANSACTION";

/// All steps as one statement, whose text is the same for all commits of this shape.
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
  // Two statements: where the first of a text with both is killed, a server may leave the second unanswered.
  connection.run(kIsolation);
  connection.run(kStart);
  for (const Step& step : steps.all()) {
    const std::uint64_t rows = connection.execute(step.sql, step.parameters);
    if (step.expected && rows != *step.expected)
      throw ServerError(0, std::string(kOutdated), "what was read has changed", true);
  }
}

/// Leaves the session as it was before the transaction.
void roll_back(Pool::Lease& lease) {
  try {
    lease->run("ROLLBACK");
    lease.give_back();
  } catch (const ServerError&) {  // the server does so when the connection ends
  }
}

bool has_folds(const Accesses& accesses) {
  return std::any_of(accesses.begin(), accesses.end(),
                     [](const auto& access) { return access.second.fold.has_value(); });
}

/// `refusals`: of this commit.
Result attempt(Database& database, const Accesses& accesses, Pool::Attempts& refusals) {
  Pool::Lease lease = database.pool().take(Pool::For::kCommit);
  if (lease->is_galera() && has_folds(accesses)) {  // another server than the first one that was asked
    lease.give_back();
    return Result::kNotFolded;
  }
  const Steps steps(database, accesses, lease->lane(), lease->longest_packet());
  if (steps.largest() > lease->longest_packet()) {
    throw_too_large(*lease, "a record is longer than its max_allowed_packet of " +
                                std::to_string(lease->longest_packet()) + " bytes: raise that");
  }
  try {
    // MariaDB 10.11 can miss that Galera wants to abort a transaction while that is in a compound statement,
    // and then its node stands still.
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
  try {
    lease->run("COMMIT");
  } catch (const ServerError& error) {
    const Result result = ended(error, *lease);
    if (result == Result::kMet) {
      roll_back(lease);
    } else if (error.is_of_endpoint()) {
      lease.give_up(error);
    }
    return result;
  }
  lease.give_back();
  return Result::kCommitted;
}

void pause(unsigned meetings) {
  const auto bound = std::min(kFirstPause * (1 << std::min(meetings, 10U)), kLongestPause);
  std::this_thread::sleep_for(
      std::chrono::microseconds(detail::random_below(static_cast<std::uint64_t>(bound.count()) + 1)));
}

/// How many of these records have the versions that were read.
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

/// In one state, the newest, which one statement sees, or the snapshot of several.
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
  return still_true == reads.size() ? CommitOutcome::kCommitted : CommitOutcome::kConflict;
}

}  // namespace

CommitOutcome commit(Database& database, const Accesses& accesses) {
  const bool writes =
      std::any_of(accesses.begin(), accesses.end(), [](const auto& access) { return access.second.written; });
  if (!writes) return validate(database, accesses);
  Pool::Attempts refusals(database.pool());
  const auto deadline = std::chrono::steady_clock::now() + database.pool().patience();
  for (unsigned meetings = 0;;) {
    switch (attempt(database, accesses, refusals)) {
      case Result::kCommitted:
        return CommitOutcome::kCommitted;
      case Result::kConflict:
        return CommitOutcome::kConflict;
      case Result::kNotFolded:
        return CommitOutcome::kNotFolded;
      case Result::kUnknown:
        return CommitOutcome::kUnknown;
      case Result::kMet:
        if (++meetings == kMeetings || std::chrono::steady_clock::now() >= deadline)
          return CommitOutcome::kConflict;
        pause(meetings);
        break;
      case Result::kRefused:
        break;
    }
  }
}

}  // namespace autoshard::mysql_store
