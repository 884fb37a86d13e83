#pragma once

#include <autoshard/shared_cache.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace autoshard {

/// A cache in this process's memory, for a single process and for tests.
class MemoryCache final : public SharedCache {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Holds keys and values of up to `most_bytes` in total; beyond that, it removes the values that would
  /// expire first. `clock` may be called from any thread.
  explicit MemoryCache(std::size_t most_bytes = std::size_t{16} << 20,
                       Clock clock = std::chrono::steady_clock::now);
  ~MemoryCache() override;
  MemoryCache(const MemoryCache&) = delete;
  MemoryCache& operator=(const MemoryCache&) = delete;

  std::optional<Found> get(std::string_view key) noexcept override;
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override;
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override;
  bool erase(std::string_view key) noexcept override;

 private:
  class Values;
  const std::unique_ptr<Values> values_;
};

}  // namespace autoshard
