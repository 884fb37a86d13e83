#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "database.h"
#include "mutex.h"

namespace autoshard::mysql_store {
namespace {

using Parameter = Connection::Parameter;

// How many records a cursor reads at once. Many scans need few records. A page of large records has about
// `kPageBytes`.
constexpr std::uint64_t kFirstPage = 64, kLargestPage = 1'024, kPageBytes = 4 << 20;

// The most records of a scan without a snapshot, which is one statement. Most entities have fewer records.
constexpr std::uint64_t kWithoutSnapshot = 256;

/// Forces the primary key: on a small table, a server otherwise reads all records.
std::string select(const Database& database) {
  return "SELECT k, v FROM " + database.table() + " FORCE INDEX (PRIMARY) WHERE ";
}

/// A transaction on a connection of its own. Runs one statement at a time.
class MySqlSnapshot final : public Snapshot {
 public:
  explicit MySqlSnapshot(Database& database)
      : get_("SELECT v FROM " + database.table() + " WHERE k = ?"),
        scan_(select(database) + "k >= ? AND k < ? ORDER BY k"),
        scan_all_(select(database)),
        patience_(database.pool().patience()),
        lease_(database.pool().take_with([](Connection& connection) { connection.run(kStartSnapshot); })) {}

  ~MySqlSnapshot() override {
    if (failed_) return;
    try {
      lease_->run("COMMIT");
      lease_.give_back();
    } catch (const std::exception&) {  // the transaction ends with the connection
    }
  }

  bool get(std::string_view key, std::string& value) const override {
    bool there = false;
    const std::array<Parameter, 1> parameters = {key};
    execute(get_, parameters, [&](Connection::Row& row) {
      value = std::move(row[0]);
      there = true;
    });
    return there;
  }

  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override;
  std::unique_ptr<Cursor> scan_all(std::vector<KeyRange> ranges) const override;

  /// Reads a page of records. Returns whether there may be more.
  bool read_page(std::string_view begin, std::string_view end, Direction direction, std::uint64_t records,
                 std::vector<std::pair<std::string, std::string>>& page) const {
    page.clear();
    const std::array<Parameter, 3> parameters = {begin, end, records};
    execute(scan_ + (direction == Direction::kForward ? " LIMIT ?" : " DESC LIMIT ?"), parameters,
            [&](Connection::Row& row) { page.emplace_back(std::move(row[0]), std::move(row[1])); });
    return page.size() == records;
  }

 private:
  /// Runs a statement. A statement that is interrupted, or that the server has no room to prepare, has given
  /// no row, and leaves the transaction as it was. Then it runs again.
  void execute(const std::string& sql, std::span<const Parameter> parameters,
               const std::function<void(Connection::Row&)>& row) const {
    const detail::MutexLock lock(mutex_);
    for (const auto until = std::chrono::steady_clock::now() + patience_;;) {
      try {
        lease_->execute(sql, parameters, row);
        return;
      } catch (const ServerError& error) {
        const bool passes = error.is_interruption() || error.is_of_statements();
        if (passes && lease_->is_open() && std::chrono::steady_clock::now() < until) {
          if (error.is_of_statements()) lease_.make_room();
          continue;
        }
        failed_ = true;
        if (error.is_of_endpoint()) lease_.give_up(error);
        Pool::throw_unavailable(*lease_, error);
      }
    }
  }

  const std::string get_, scan_, scan_all_;
  const std::chrono::seconds patience_;
  mutable detail::Mutex mutex_;
  mutable Pool::Lease lease_ AUTOSHARD_GUARDED_BY(mutex_);
  mutable bool failed_ AUTOSHARD_GUARDED_BY(mutex_) = false;
};

/// Records that were read at once.
class MySqlRecords final : public Cursor {
 public:
  using Records = std::vector<std::pair<std::string, std::string>>;

  explicit MySqlRecords(Records records) : records_(std::move(records)) {}

  bool valid() const override { return at_ < records_.size(); }
  std::string_view key() const override { return records_[at_].first; }
  std::string_view value() const override { return records_[at_].second; }
  void next() override { ++at_; }

 private:
  const Records records_;
  std::size_t at_ = 0;
};

/// One statement is prepared for each power of two. It repeats the last range until it has that many.
std::unique_ptr<Cursor> MySqlSnapshot::scan_all(std::vector<KeyRange> ranges) const {
  MySqlRecords::Records records;
  const auto bytes_of = [](const KeyRange& range) { return range.begin.size() + range.end.size(); };
  in_parts(std::span<const KeyRange>(ranges), kMostKeyBytes, bytes_of, [&](auto some) {
    const std::size_t number = std::bit_ceil(some.size());
    std::string sql = scan_all_;
    std::vector<Parameter> parameters;
    for (std::size_t i = 0; i < number; ++i) {
      sql += i == 0 ? "(k >= ? AND k < ?)" : " OR (k >= ? AND k < ?)";
      const KeyRange& range = some[std::min(i, some.size() - 1)];
      parameters.emplace_back(range.begin);
      parameters.emplace_back(range.end);
    }
    execute(sql + " ORDER BY k", parameters,
            [&](Connection::Row& row) { records.emplace_back(std::move(row[0]), std::move(row[1])); });
  });
  return std::make_unique<MySqlRecords>(std::move(records));
}

class MySqlCursor final : public Cursor {
 public:
  MySqlCursor(const MySqlSnapshot& snapshot, std::string_view begin, std::string_view end,
              Direction direction)
      : snapshot_(snapshot), direction_(direction), begin_(begin), end_(end) {
    read();
  }

  bool valid() const override { return at_ < page_.size(); }
  std::string_view key() const override { return page_[at_].first; }
  std::string_view value() const override { return page_[at_].second; }
  void next() override {
    if (++at_ < page_.size() || !more_) return;
    if (direction_ == Direction::kForward) {
      begin_ = page_.back().first + '\0';  // the least key above it
    } else {
      end_ = page_.back().first;
    }
    read();
  }

 private:
  void read() {
    at_ = 0;
    more_ = snapshot_.read_page(begin_, end_, direction_, records_, page_);
    std::uint64_t bytes = 1;
    for (const auto& [key, value] : page_) bytes += value.size();
    const std::uint64_t fitting = kPageBytes * page_.size() / bytes;  // records of this size
    records_ = std::clamp<std::uint64_t>(fitting, 1, std::min(records_ * 4, kLargestPage));
  }

  const MySqlSnapshot& snapshot_;
  const Direction direction_;
  std::string begin_, end_;  // of the range that is not read yet
  std::uint64_t records_ = kFirstPage;
  std::vector<std::pair<std::string, std::string>> page_;
  std::size_t at_ = 0;
  bool more_ = false;
};

std::unique_ptr<Cursor> MySqlSnapshot::scan(std::string_view begin, std::string_view end,
                                            Direction direction) const {
  return std::make_unique<MySqlCursor>(*this, begin, end, direction);
}

/// A cursor that owns its snapshot.
class OwningCursor final : public Cursor {
 public:
  OwningCursor(Database& database, std::string_view begin, std::string_view end)
      : snapshot_(database), cursor_(snapshot_, begin, end, Direction::kForward) {}

  bool valid() const override { return cursor_.valid(); }
  std::string_view key() const override { return cursor_.key(); }
  std::string_view value() const override { return cursor_.value(); }
  void next() override { cursor_.next(); }

 private:
  const MySqlSnapshot snapshot_;
  MySqlCursor cursor_;
};

}  // namespace

/// If one statement can give all records, the scan needs no transaction.
std::unique_ptr<Cursor> scan_once(Database& database, std::string_view begin, std::string_view end) {
  const std::string sql = select(database) + "k >= ? AND k < ? ORDER BY k LIMIT ?";
  const std::array<Parameter, 3> parameters = {begin, end, kWithoutSnapshot};
  MySqlRecords::Records records = database.pool().read([&](Connection& connection) {
    MySqlRecords::Records there;
    connection.execute(sql, parameters, [&](Connection::Row& row) {
      there.emplace_back(std::move(row[0]), std::move(row[1]));
    });
    return there;
  });
  if (records.size() == kWithoutSnapshot) return std::make_unique<OwningCursor>(database, begin, end);
  return std::make_unique<MySqlRecords>(std::move(records));
}

std::unique_ptr<Snapshot> open_snapshot(Database& database) {
  return std::make_unique<MySqlSnapshot>(database);
}

}  // namespace autoshard::mysql_store
