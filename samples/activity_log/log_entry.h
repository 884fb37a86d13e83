#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace activity {

/// What a user did, and when. Everybody writes at the end of time: an index of time alone would take all
/// writes at one place.
class [[autoshard::entity, autoshard::sharded_index(name = ByCompany, key = company_, order = timestamp_,
                                                    shards = 10)]] LogEntry {
 public:
  LogEntry(std::string user, std::string company, std::int64_t timestamp, std::string action)
      : user_(std::move(user)),
        company_(std::move(company)),
        timestamp_(timestamp),
        action_(std::move(action)) {}

  const std::string& user() const { return user_; }
  const std::string& company() const { return company_; }
  std::int64_t timestamp() const { return timestamp_; }
  const std::string& action() const { return action_; }

 private:
  [[autoshard::id]] std::string user_;
  [[autoshard::id]] std::string company_;
  [[autoshard::id]] std::int64_t timestamp_;
  std::string action_;
};

/// The same with an index that is not spread, for comparison.
class [[autoshard::entity, autoshard::sharded_index(name = ByCompany, key = company_, order = timestamp_,
                                                    shards = 1)]] PlainLogEntry {
 public:
  PlainLogEntry(std::string user, std::string company, std::int64_t timestamp, std::string action)
      : user_(std::move(user)),
        company_(std::move(company)),
        timestamp_(timestamp),
        action_(std::move(action)) {}

 private:
  [[autoshard::id]] std::string user_;
  [[autoshard::id]] std::string company_;
  [[autoshard::id]] std::int64_t timestamp_;
  std::string action_;
};

}  // namespace activity
