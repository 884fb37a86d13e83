#include "pool.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace autoshard::mysql_store {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kFirstPause(100), kLongestPause(3'000);

}  // namespace

Pool::Pool(const MySqlOptions& options) : options_(options) {
  if (options.endpoints.empty())
    throw InvalidUse("MySqlOptions::endpoints is empty: name at least one server");
  if (options.connections == 0) throw InvalidUse("MySqlOptions::connections is 0: allow at least one");
  for (const std::string& name : options.endpoints) endpoints_.push_back({Endpoint::parse(name)});
}

Pool::Lease Pool::take(For what) {
  Turns& turns = what == For::kRead ? reads_ : commits_;
  if (turns.begin(patience())) return connect(Turn(&turns));
  throw StoreUnavailable(
      std::to_string(options_.connections) + (what == For::kRead ? " reads from" : " commits to") +
      " MySQL servers are under way, and none ended within " + std::to_string(patience().count()) +
      " s: find out why the servers are slow, or raise MySqlOptions::connections");
}

/// If a server allows no further connection, one that another thread gives back will do. If a server has
/// ended a connection while it was made, the next one may succeed.
Pool::Lease Pool::connect(Turn turn) {
  for (const auto until = Clock::now() + patience();;) {
    if (std::unique_ptr<Connection> idle = take_idle()) return {*this, std::move(turn), std::move(idle)};
    std::string failures;
    bool may_pass = false;
    for (const Endpoint* endpoint : by_preference()) {
      try {
        auto connection = std::make_unique<Connection>(options_, *endpoint);
        return {*this, std::move(turn), std::move(connection)};
      } catch (const ServerError& error) {
        const bool passes = error.is_of_crowd() || error.is_interruption();
        may_pass = may_pass || passes;
        if (!passes) pause(*endpoint, error);
        failures += (failures.empty() ? "" : "; ") + endpoint->name + ": " + error.what();
      }
    }
    if (!may_pass || Clock::now() >= until)
      throw StoreUnavailable("no MySQL server can be used: " + failures);
    std::this_thread::sleep_for(kFirstPause);
  }
}

std::unique_ptr<Connection> Pool::take_idle() {
  for (;;) {
    std::unique_ptr<Connection> connection;
    {
      const detail::MutexLock lock(mutex_);
      if (idle_.empty()) return nullptr;
      connection = std::move(idle_.back());
      idle_.pop_back();
    }
    if (connection->is_open()) return connection;
  }
}

void Pool::make_room() {
  std::vector<std::unique_ptr<Connection>> closed;
  {
    const detail::MutexLock lock(mutex_);
    closed.swap(idle_);
  }
  closed.clear();
  std::this_thread::sleep_for(kFirstPause);
}

std::vector<const Endpoint*> Pool::by_preference() {
  const detail::MutexLock lock(mutex_);
  const Clock::time_point now = Clock::now();
  std::vector<Place*> places;
  for (Place& place : endpoints_) places.push_back(&place);
  const auto pause = [&](const Place* place) { return std::max(place->paused_until, now); };
  std::stable_sort(places.begin(), places.end(),
                   [&](const Place* one, const Place* other) { return pause(one) < pause(other); });
  // Only one call finds out whether a server can be used again, because it may wait long for an answer.
  if (places.front()->failures > 0) places.front()->paused_until = now + patience();
  std::vector<const Endpoint*> endpoints;
  for (const Place* place : places) endpoints.push_back(&place->endpoint);
  return endpoints;
}

Pool::Place& Pool::place_of(const Endpoint& endpoint) {
  return *std::find_if(endpoints_.begin(), endpoints_.end(),
                       [&](const Place& place) { return &place.endpoint == &endpoint; });
}

void Pool::keep(std::unique_ptr<Connection> connection) {
  const Endpoint& endpoint = connection->endpoint();
  bool again = false;
  {
    const detail::MutexLock lock(mutex_);
    Place& place = place_of(endpoint);
    again = std::exchange(place.failures, 0) > 0;
    place.paused_until = Clock::time_point::min();
    if (idle_.size() < options_.connections) idle_.push_back(std::move(connection));
  }
  if (again) log(endpoint, "can be used again");
}

void Pool::pause(const Endpoint& endpoint, const ServerError& error) {
  std::vector<std::unique_ptr<Connection>> dropped;
  bool first = false;
  {
    const detail::MutexLock lock(mutex_);
    Place& place = place_of(endpoint);
    first = place.failures == 0;
    const auto pause = std::min(kFirstPause * (1 << std::min(place.failures, 5U)), kLongestPause);
    place.paused_until = Clock::now() + pause;
    ++place.failures;
    const auto of_it = std::partition(idle_.begin(), idle_.end(), [&](const auto& connection) {
      return &connection->endpoint() != &endpoint;
    });
    std::move(of_it, idle_.end(), std::back_inserter(dropped));
    idle_.erase(of_it, idle_.end());
  }
  if (first) log(endpoint, std::string("cannot be used: ") + error.what());
}

void Pool::Attempts::give_up(Lease& lease, const ServerError& error) {
  if (error.is_interruption()) {
    if (Clock::now() >= until_) throw_unavailable(*lease, error);
    return lease.end();
  }
  if (error.is_of_statements()) {
    if (Clock::now() >= until_) throw_unavailable(*lease, error);
    lease.end();
    return pool_.make_room();
  }
  if (error.is_of_endpoint()) lease.give_up(error);
  const std::size_t endpoints = pool_.options_.endpoints.size();
  const bool may_pass = error.is_of_cluster() && Clock::now() < until_;
  if (!error.is_of_endpoint() || (failures_ >= endpoints && !may_pass)) throw_unavailable(*lease, error);
  lease.end();
  if (++failures_ % endpoints == 0 && may_pass) std::this_thread::sleep_for(kFirstPause);
}

void Pool::throw_unavailable(const Connection& connection, const ServerError& error) {
  throw StoreUnavailable("the MySQL server " + connection.endpoint().name +
                         " cannot serve a request: " + error.what());
}

void Pool::log(const Endpoint& endpoint, const std::string& what) const {
  if (options_.log) options_.log("MySQL server " + endpoint.name + ' ' + what);
}

}  // namespace autoshard::mysql_store
