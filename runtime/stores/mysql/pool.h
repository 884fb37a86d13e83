#pragma once

#include <autoshard/mysql_store.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "connection.h"
#include "mutex.h"
#include "turns.h"

namespace autoshard::mysql_store {

/// The connections of a store. Thread-safe.
class Pool {
 public:
  /// What a connection is taken for. Commits wait for each other in the server, and reads do not: so they do
  /// not take each other's turns either.
  enum class For { kRead, kCommit };

  struct EndTurn {
    void operator()(Turns* turns) const { turns->end(); }
  };
  using Turn = std::unique_ptr<Turns, EndTurn>;

  /// A connection for one call. It is closed, unless it is given back.
  class Lease {
   public:
    Lease(Pool& pool, Turn turn, std::unique_ptr<Connection> connection)
        : pool_(&pool), turn_(std::move(turn)), connection_(std::move(connection)) {}

    Connection* operator->() const { return connection_.get(); }
    Connection& operator*() const { return *connection_; }
    /// It is as it was when it was taken.
    void give_back() { pool_->keep(std::move(connection_)); }
    /// Another server is asked for a while.
    void give_up(const ServerError& error) { pool_->pause(connection_->endpoint(), error); }
    /// Waits a moment, so that the server has fewer prepared statements: see `Pool::make_room`.
    void make_room() { pool_->make_room(); }
    /// Before the caller waits for something else. Nothing is to be done with it any more.
    void end() {
      connection_.reset();
      turn_.reset();
    }

   private:
    Pool* pool_;
    Turn turn_;  // null for what may last
    std::unique_ptr<Connection> connection_;
  };

  /// Throws `InvalidUse`. Does not connect.
  explicit Pool(const MySqlOptions& options);

  /// Waits while too many others are at it. Throws `StoreUnavailable` if that takes too long, or no server
  /// lets itself be connected.
  Lease take(For what);

  /// Calls `use` with a connection, and with one to another server where that one fails. For what changes
  /// nothing. Throws `StoreUnavailable`.
  template <class Use>
  auto read(Use use) {
    for (Attempts attempts{*this};;) {
      Lease lease = take(For::kRead);
      try {
        auto result = use(*lease);
        lease.give_back();
        return result;
      } catch (const ServerError& error) {
        attempts.give_up(lease, error);
      }
    }
  }

  /// A connection on which `begin` was called, for as long as it is wanted.
  template <class Begin>
  Lease take_with(Begin begin) {
    for (Attempts attempts{*this};;) {
      Lease lease = connect({});
      try {
        begin(*lease);
        return lease;
      } catch (const ServerError& error) {
        attempts.give_up(lease, error);
      }
    }
  }

  /// The servers that one call has tried in vain.
  class Attempts {
   public:
    explicit Attempts(Pool& pool) : pool_(pool) {}

    /// Has another server asked for a while, unless the statement was only interrupted, or there was no room
    /// to prepare it. Throws `StoreUnavailable` where none is left that might do better; in these two cases,
    /// and where a cluster is about to rearrange itself, not before `read_timeout` is over.
    void give_up(Lease& lease, const ServerError& error);

   private:
    Pool& pool_;
    const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + pool_.patience();
    std::size_t failures_ = 0;
  };

  /// How long a call waits for what may pass.
  std::chrono::seconds patience() const {
    return std::clamp<std::chrono::seconds>(options_.read_timeout, std::chrono::seconds(1),
                                            std::chrono::hours(24));
  }

  [[noreturn]] static void throw_unavailable(const Connection& connection, const ServerError& error);

 private:
  using Clock = std::chrono::steady_clock;

  struct Place {
    Endpoint endpoint;
    unsigned failures = 0;  // since it was last of use
    Clock::time_point paused_until = Clock::time_point::min();
  };

  Lease connect(Turn turn);
  void keep(std::unique_ptr<Connection> connection);
  void pause(const Endpoint& endpoint, const ServerError& error);
  std::unique_ptr<Connection> take_idle();
  /// Closes the idle connections, with which their prepared statements go, and gives the server time for
  /// that: it notices later that a connection is closed.
  void make_room();
  /// Those that are paused come last, and of these the one whose pause ends first.
  std::vector<const Endpoint*> by_preference();
  Place& place_of(const Endpoint& endpoint) AUTOSHARD_REQUIRES(mutex_);
  void log(const Endpoint& endpoint, const std::string& what) const;

  const MySqlOptions options_;
  Turns reads_{options_.connections}, commits_{options_.connections};
  detail::Mutex mutex_;
  std::vector<Place> endpoints_ AUTOSHARD_GUARDED_BY(mutex_);  // never grows
  std::vector<std::unique_ptr<Connection>> idle_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::mysql_store
