#include "commit.h"

#include <autoshard/errors.h>
#include <mariadb/mysqld_error.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include "random.h"
#include "steps.h"

namespace autoshard {
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

bool is_meeting(const MySqlError& error) {
  return error.number() == ER_LOCK_DEADLOCK || error.number() == ER_LOCK_WAIT_TIMEOUT;
}

/// Of an error before the COMMIT. Throws where no server would do it.
Result refused(const MySqlError& error, const MySqlConnection& connection) {
  if (error.state() == kOutdated || error.number() == ER_DUP_ENTRY) return Result::kConflict;
  if (error.number() == ER_BAD_NULL_ERROR || error.number() == ER_DATA_OUT_OF_RANGE)
    return Result::kNotFolded;
  // A node of a cluster on which one waits so long may stand still, or have lost the others.
  if (connection.is_galera() && error.is_of_cluster()) return Result::kRefused;
  if (is_meeting(error)) return Result::kMet;
  if (error.is_of_endpoint()) return Result::kRefused;
  MySqlPool::throw_unavailable(connection, error);
}

/// Of an error of the COMMIT. A deadlock is Galera's refusal; of anything else a cluster does not say whether
/// the others have it.
Result ended(const MySqlError& error) {
  return error.number() == ER_LOCK_DEADLOCK ? Result::kMet : Result::kUnknown;
}

// Locks what is named, and no gaps beside it.
constexpr const char* kStart = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION";

/// All steps as one statement, whose text is the same for all commits of this shape.
void write_at_once(MySqlConnection& connection, const MySqlSteps& steps) {
  std::string sql = std::string("BEGIN NOT ATOMIC ") + kStart + "; ";
  std::vector<MySqlConnection::Parameter> parameters;
  for (const MySqlStep& step : steps.all()) {
    sql += step.sql + "; ";
    parameters.insert(parameters.end(), step.parameters.begin(), step.parameters.end());
    if (!step.expected) continue;
    sql += "IF ROW_COUNT() <> ? THEN SIGNAL SQLSTATE '" + std::string(kOutdated) + "'; END IF; ";
    parameters.emplace_back(*step.expected);
  }
  connection.execute(sql + "END", parameters);
}

void write_in_steps(MySqlConnection& connection, const MySqlSteps& steps) {
  connection.run(kStart);
  for (const MySqlStep& step : steps.all()) {
    const std::uint64_t rows = connection.execute(step.sql, step.parameters);
    if (step.expected && rows != *step.expected)
      throw MySqlError(0, std::string(kOutdated), "what was read has changed", true);
  }
}

/// Leaves the session as it was before the transaction.
void roll_back(MySqlPool::Lease& lease) {
  try {
    lease->run("ROLLBACK");
    lease.give_back();
  } catch (const MySqlError&) {  // the server does so when the connection ends
  }
}

bool has_folds(const MySqlAccesses& accesses) {
  return std::any_of(accesses.begin(), accesses.end(),
                     [](const auto& access) { return access.second.fold.has_value(); });
}

/// `refusals`: of this commit.
Result attempt(MySqlDatabase& database, const MySqlAccesses& accesses, MySqlPool::Attempts& refusals) {
  MySqlPool::Lease lease = database.pool().take(MySqlPool::For::kCommit);
  if (lease->is_galera() && has_folds(accesses)) {  // another server than the first one that was asked
    lease.give_back();
    return Result::kNotFolded;
  }
  const MySqlSteps steps(database, accesses, lease->lane());
  if (steps.bytes() > lease->longest_packet()) {
    const std::uint64_t longest = lease->longest_packet();
    lease.give_back();
    throw StoreUnavailable("the MySQL server takes no more than " + std::to_string(longest) +
                           " bytes in one commit: raise its max_allowed_packet, or write less");
  }
  try {
    // MariaDB 10.11 can miss that Galera wants to abort a transaction while that is in a compound statement,
    // and then its node stands still.
    const bool at_once = database.compound_commits() && lease->is_mariadb() && !lease->is_galera() &&
                         steps.parameters() <= kMostParameters;
    (at_once ? write_at_once : write_in_steps)(*lease, steps);
  } catch (const MySqlError& error) {
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
  } catch (const MySqlError& error) {
    const Result result = ended(error);
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

/// One statement sees one state, the newest.
CommitOutcome validate(MySqlDatabase& database, const MySqlAccesses& accesses) {
  std::vector<const MySqlAccesses::value_type*> reads;
  for (const auto& access : accesses) reads.push_back(&access);
  if (reads.empty()) return CommitOutcome::kCommitted;
  const bool holds = database.pool().read([&](MySqlConnection& connection) {
    std::string sql = "SELECT k, version FROM " + database.table() + " WHERE k IN (";
    std::vector<MySqlConnection::Parameter> keys;
    for (const auto* read : reads) {
      sql += keys.empty() ? "?" : ", ?";
      keys.emplace_back(std::string_view(read->first));
    }
    std::size_t there = 0, unchanged = 0;
    connection.execute(sql + ')', keys, [&](MySqlConnection::Row& row) {
      ++there;
      unchanged += accesses.find(row[0])->second.version == std::stoull(row[1]);
    });
    const auto expected = static_cast<std::size_t>(std::count_if(
        reads.begin(), reads.end(), [](const auto* read) { return read->second.version.has_value(); }));
    return there == expected && unchanged == expected;
  });
  return holds ? CommitOutcome::kCommitted : CommitOutcome::kConflict;
}

}  // namespace

CommitOutcome commit(MySqlDatabase& database, const MySqlAccesses& accesses) {
  const bool writes =
      std::any_of(accesses.begin(), accesses.end(), [](const auto& access) { return access.second.written; });
  if (!writes) return validate(database, accesses);
  MySqlPool::Attempts refusals(database.pool());
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

}  // namespace autoshard
