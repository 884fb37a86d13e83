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
  /// The use of a connection. Commits wait for each other in the server, and reads do not. Therefore reads
  /// have turns of their own.
  enum class For { kRead, kCommit };

  struct EndTurn {
    void operator()(Turns* turns) const { turns->end(); }
  };
  using Turn = std::unique_ptr<Turns, EndTurn>;

  /// A connection for one call. It is closed at the end of the scope, unless it was given back.
  class Lease {
   public:
    Lease(Pool& pool, Turn turn, std::unique_ptr<Connection> connection)
        : pool_(&pool), turn_(std::move(turn)), connection_(std::move(connection)) {}

    Connection* operator->() const { return connection_.get(); }
    Connection& operator*() const { return *connection_; }
    /// Gives the connection back. Its session must be as it was when it was taken.
    void give_back() { pool_->keep(std::move(connection_)); }
    /// Has the pool use other servers for a while.
    void give_up(const ServerError& error) { pool_->pause(connection_->endpoint(), error); }
    /// Waits a moment, so that the server has fewer prepared statements: see `Pool::make_room`.
    void make_room() { pool_->make_room(); }
    /// Closes the connection, and ends the turn, before the caller waits for something else. The lease must
    /// not be used after that.
    void end() {
      connection_.reset();
      turn_.reset();
    }

   private:
    Pool* pool_;
    Turn turn_;  // null for a connection that is taken for long
    std::unique_ptr<Connection> connection_;
  };

  /// Does not connect. Throws `InvalidUse` for options that make no sense.
  explicit Pool(const MySqlOptions& options);

  /// Takes a connection for one call. Waits for its turn. Throws `StoreUnavailable` if that takes too long,
  /// or if no server can be connected.
  Lease take(For what);

  /// Calls `use`, which changes nothing, with a connection, and with one to another server if that fails.
  /// Throws `StoreUnavailable`.
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

  /// Takes a connection without a turn, for as long as the caller needs it, and calls `begin` with it.
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

  /// The failed attempts of one call.
  class Attempts {
   public:
    explicit Attempts(Pool& pool) : pool_(pool) {}

    /// To be called after a failed attempt. Has the pool use other servers for a while, unless the statement
    /// was only interrupted, or there was no room to prepare it. Throws `StoreUnavailable` if no server is
    /// left that may succeed. In these two cases, and while a cluster rearranges itself, it throws only once
    /// `read_timeout` is over.
    void give_up(Lease& lease, const ServerError& error);

   private:
    Pool& pool_;
    const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + pool_.patience();
    std::size_t failures_ = 0;
  };

  /// How long a call waits for trouble that may pass.
  std::chrono::seconds patience() const {
    return std::clamp<std::chrono::seconds>(options_.read_timeout, std::chrono::seconds(1),
                                            std::chrono::hours(24));
  }

  [[noreturn]] static void throw_unavailable(const Connection& connection, const ServerError& error);

 private:
  using Clock = std::chrono::steady_clock;

  struct Place {
    Endpoint endpoint;
    unsigned failures = 0;  // since its last success
    Clock::time_point paused_until = Clock::time_point::min();
  };

  Lease connect(Turn turn);
  void keep(std::unique_ptr<Connection> connection);
  void pause(const Endpoint& endpoint, const ServerError& error);
  std::unique_ptr<Connection> take_idle();
  /// Closes the idle connections, and with them their prepared statements. Then waits a moment, because the
  /// server notices a closed connection late.
  void make_room();
  /// Returns the servers in the order in which to try them. Paused servers come last, and first of these the
  /// one whose pause ends first.
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
