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

  /// Stands before every key. Applications that share a server, and databases of one application, need one
  /// each. Printable ASCII without spaces.
  std::string prefix = "autoshard:";

  /// How long a call waits for the server, at most about twice: once to connect, once for the answer.
  std::chrono::milliseconds timeout{50};

  /// After a call has failed, none goes to the server for this long, so that one that is away or slow costs a
  /// timeout now and then, and not one a call.
  std::chrono::milliseconds pause{1'000};

  /// Called with one line when the server cannot be reached, and with one when it can be again. From any
  /// thread, also several at a time; must not throw.
  std::function<void(std::string_view)> log = {};
};

class MemcachedConnections;  // internal

#ifdef AUTOSHARD_HAS_MEMCACHED

/// A memcached server. It need not be there, now or later. Lifetimes are in whole seconds, rounded down; keys
/// have up to 250 bytes, counting the prefix, and three for each byte that is no letter, digit, `-` or `_`;
/// values usually up to 1 MB. Each thread that is in a call has a connection, which is kept for others.
class MemcachedCache final : public SharedCache {
 public:
  using Options = MemcachedOptions;

  /// Does not connect yet. Throws `InvalidUse` for a prefix that memcached does not take.
  explicit MemcachedCache(const Options& options = {});
  ~MemcachedCache() override;

  std::optional<Found> get(std::string_view key) noexcept override;
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override;
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override;
  bool erase(std::string_view key) noexcept override;

 private:
  std::unique_ptr<MemcachedConnections> connections_;
};

#else

inline namespace without_memcached {

/// What the name means in a program that does not link the component: a constructor that does not compile.
class MemcachedCache {
 public:
  using Options = MemcachedOptions;

  template <bool kIsLinked = false>
  explicit MemcachedCache(const Options& = {}) {
    static_assert(kIsLinked,
                  "MemcachedCache is in the component memcached: link AutoShard::memcached, or compile with "
                  "-DAUTOSHARD_HAS_MEMCACHED and link libautoshard_memcached; where there is none, build "
                  "AutoShard with "
                  "-DAUTOSHARD_MEMCACHED=ON");
  }
  operator SharedCache&() const;  // NOLINT(google-explicit-constructor): no second error
};

}  // namespace without_memcached

#endif

}  // namespace autoshard
