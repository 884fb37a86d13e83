#pragma once

#include <autoshard/shared_cache.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace autoshard {

struct MemcachedOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 11'211;

  /// Precedes every key. Applications that share a server, and the databases of one application, each need a
  /// prefix of their own. Printable ASCII without spaces.
  std::string prefix = "autoshard:";

  /// The time that a call waits for the server: once to connect and once for the answer, so about twice this
  /// at most.
  std::chrono::milliseconds timeout{50};

  /// The time without calls to the server after a call has failed. So a server that is unreachable or slow
  /// costs a time-out now and then, and not one for each call.
  std::chrono::milliseconds pause{1'000};

  /// Called with one line when the server cannot be reached, and with another line when it can be reached
  /// again. Called from any thread, also concurrently. Must not throw.
  std::function<void(std::string_view)> log = {};
};

namespace memcached_cache {  // internal
class Connections;
}

#ifdef AUTOSHARD_HAS_MEMCACHED

/// A memcached server. It need not be reachable, now or later. Lifetimes are in whole seconds, rounded down.
/// Keys have up to 250 bytes; that counts the prefix, and three bytes for each byte that is no letter, digit,
/// `-` or `_`. Values usually have up to 1 MB. Each concurrent call uses a connection of its own, which is
/// kept for later calls.
class MemcachedCache final : public SharedCache {
 public:
  using Options = MemcachedOptions;

  /// Does not connect yet. Throws `InvalidUse` for a prefix that memcached does not accept.
  explicit MemcachedCache(const Options& options = {});
  ~MemcachedCache() override;

  std::optional<Found> get(std::string_view key) noexcept override;
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override;
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override;
  bool erase(std::string_view key) noexcept override;

 private:
  std::unique_ptr<memcached_cache::Connections> connections_;
};

#else

inline namespace without_memcached {

/// Stands in for the class in a source that is compiled without the component: any use that needs the
/// definition does not compile.
template <bool kIsLinked = false>
class MemcachedCacheWithoutComponent {
  static_assert(kIsLinked,
                "MemcachedCache is in the component memcached: link AutoShard::memcached, or compile with "
                "-DAUTOSHARD_HAS_MEMCACHED and link libautoshard_memcached; if the component is missing, "
                "build AutoShard with "
                "-DAUTOSHARD_MEMCACHED=ON");

 public:
  using Options = MemcachedOptions;

  explicit MemcachedCacheWithoutComponent(const Options& = {});
  operator SharedCache&() const;  // NOLINT(google-explicit-constructor): no second error
};

using MemcachedCache = MemcachedCacheWithoutComponent<>;

}  // namespace without_memcached

#endif

}  // namespace autoshard
