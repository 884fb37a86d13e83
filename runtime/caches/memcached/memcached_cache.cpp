#include <autoshard/errors.h>
#include <autoshard/memcached_cache.h>
#include <libmemcached/memcached.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "hex.h"
#include "mutex.h"

namespace autoshard::memcached_cache {
namespace {

using Clock = std::chrono::steady_clock;

struct Free {
  void operator()(memcached_st* connection) const { memcached_free(connection); }
  void operator()(memcached_result_st* result) const { memcached_result_free(result); }
};
using Connection = std::unique_ptr<memcached_st, Free>;
using Result = std::unique_ptr<memcached_result_st, Free>;

bool is_plain(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         byte == '-' || byte == '_';
}

/// Returns a lifetime in seconds that memcached takes for a duration: at most 30 days. Returns nothing for 0,
/// which means for ever.
std::optional<time_t> whole_seconds(std::chrono::milliseconds lifetime) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(lifetime);
  if (seconds.count() <= 0) return std::nullopt;
  return std::min<std::chrono::seconds>(seconds, std::chrono::days(30)).count();
}

/// Returns whether the server has answered the question, also with no.
bool answered(memcached_return_t code) {
  switch (code) {
    case MEMCACHED_SUCCESS:
    case MEMCACHED_END:
    case MEMCACHED_NOTFOUND:
    case MEMCACHED_NOTSTORED:
    case MEMCACHED_DATA_EXISTS:
    case MEMCACHED_E2BIG:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// The connections to the server. Thread-safe.
class Connections {
 public:
  explicit Connections(const MemcachedOptions& options) : options_(options) {
    const bool printable = std::all_of(options.prefix.begin(), options.prefix.end(),
                                       [](char byte) { return byte > ' ' && byte < '\x7F'; });
    if (!printable || options.prefix.size() > kLongestKey / 2)
      throw InvalidUse("MemcachedOptions::prefix is \"" + options.prefix + "\": choose at most " +
                       std::to_string(kLongestKey / 2) + " printable ASCII characters without spaces");
  }

  /// Calls `ask` with a connection and the key of the server, and returns the result. Returns nothing if the
  /// server was not asked, or did not answer.
  template <class Ask>
  std::optional<memcached_return_t> with(std::string_view key, Ask ask) noexcept try {
    std::string name = options_.prefix;
    for (const char byte : key) append(name, byte);
    if (name.size() > kLongestKey || Clock::now() < paused_until_.load(std::memory_order_relaxed))
      return std::nullopt;
    Connection connection = take();
    const memcached_return_t code = ask(*connection, name);
    if (!answered(code)) {
      note_lost(*connection, code);  // the connection is closed, for an answer may be under way
      return std::nullopt;
    }
    if (lost_.load(std::memory_order_relaxed)) note_found();
    const detail::MutexLock lock(mutex_);
    idle_.push_back(std::move(connection));
    return code;
  } catch (const std::exception&) {  // no memory
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kLongestKey = MEMCACHED_MAX_KEY - 1;

  static void append(std::string& name, char byte) {
    if (is_plain(byte)) {
      name.push_back(byte);
    } else {
      detail::append_hex(name += '%', byte);
    }
  }

  Connection take() {
    {
      const detail::MutexLock lock(mutex_);
      if (!idle_.empty()) {
        Connection connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
      }
    }
    Connection connection(memcached_create(nullptr));
    if (!connection) throw std::bad_alloc();
    const auto timeout = static_cast<std::uint64_t>(std::max<std::int64_t>(options_.timeout.count(), 1));
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_SUPPORT_CAS, 1);
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_TCP_NODELAY, 1);
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_NO_BLOCK, 1);  // or there is no timeout
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_CONNECT_TIMEOUT, timeout);
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_POLL_TIMEOUT, timeout);
    memcached_behavior_set(connection.get(), MEMCACHED_BEHAVIOR_RETRY_TIMEOUT, 0);  // see `pause`
    memcached_server_add(connection.get(), options_.host.c_str(), options_.port);
    return connection;
  }

  void note_lost(memcached_st& connection, memcached_return_t code) {
    paused_until_.store(Clock::now() + options_.pause, std::memory_order_relaxed);
    {
      const detail::MutexLock lock(mutex_);
      idle_.clear();
    }
    if (lost_.exchange(true)) return;
    log("cannot be reached (" + std::string(memcached_strerror(&connection, code)) +
        "): the cache is not used until the server answers again");
  }

  void note_found() {
    if (lost_.exchange(false)) log("can be reached again");
  }

  void log(const std::string& what) const {
    if (options_.log)
      options_.log("memcached at " + options_.host + ':' + std::to_string(options_.port) + ' ' + what);
  }

  const MemcachedOptions options_;
  std::atomic<Clock::time_point> paused_until_{Clock::time_point::min()};
  std::atomic<bool> lost_{false};
  detail::Mutex mutex_;
  std::vector<Connection> idle_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::memcached_cache

namespace autoshard {

MemcachedCache::MemcachedCache(const Options& options)
    : connections_(std::make_unique<memcached_cache::Connections>(options)) {}

MemcachedCache::~MemcachedCache() = default;

std::optional<SharedCache::Found> MemcachedCache::get(std::string_view key) noexcept {
  std::optional<Found> found;
  connections_->with(key, [&](memcached_st& connection, const std::string& name) {
    const char* const names[] = {name.data()};
    const std::size_t sizes[] = {name.size()};
    memcached_return_t code = memcached_mget(&connection, names, sizes, 1);
    if (code != MEMCACHED_SUCCESS) return code;
    while (const memcached_cache::Result result{memcached_fetch_result(&connection, nullptr, &code)}) {
      if (name != std::string_view(memcached_result_key_value(result.get()),
                                   memcached_result_key_length(result.get())))
        return MEMCACHED_PROTOCOL_ERROR;
      found = Found{{memcached_result_value(result.get()), memcached_result_length(result.get())},
                    memcached_result_cas(result.get())};
    }
    return memcached_last_error(&connection);  // `code` is "not found" after each result
  });
  return found;
}

bool MemcachedCache::put(std::string_view key, std::string_view value,
                         std::chrono::milliseconds lifetime) noexcept {
  const auto seconds = memcached_cache::whole_seconds(lifetime);
  if (!seconds) return false;
  return connections_->with(key, [&](memcached_st& connection, const std::string& name) {
    return memcached_set(&connection, name.data(), name.size(), value.data(), value.size(), *seconds, 0);
  }) == MEMCACHED_SUCCESS;
}

bool MemcachedCache::put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
                            Version version) noexcept {
  const auto seconds = memcached_cache::whole_seconds(lifetime);
  if (!seconds) return false;
  return connections_->with(key, [&](memcached_st& connection, const std::string& name) {
    return version == kAbsent
               ? memcached_add(&connection, name.data(), name.size(), value.data(), value.size(), *seconds, 0)
               : memcached_cas(&connection, name.data(), name.size(), value.data(), value.size(), *seconds, 0,
                               version);
  }) == MEMCACHED_SUCCESS;
}

bool MemcachedCache::erase(std::string_view key) noexcept {
  const auto code = connections_->with(key, [&](memcached_st& connection, const std::string& name) {
    return memcached_delete(&connection, name.data(), name.size(), 0);
  });
  return code == MEMCACHED_SUCCESS || code == MEMCACHED_NOTFOUND;
}

}  // namespace autoshard
