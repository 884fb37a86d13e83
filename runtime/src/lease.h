#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace autoshard::detail {

/// Lets one of all mappers on a store do something at a time, for its term, so that they are not in each
/// other's way: a record that says who has it, and until when (Gray and Cheriton 1989). Clocks that disagree
/// may let two have it; what is done under it has to be right all the same. For one thread.
class Lease {
 public:
  /// Milliseconds since 1970.
  using Clock = std::function<std::int64_t()>;
  static std::int64_t system_time();

  Lease(Store& store, std::string_view name, std::chrono::milliseconds term, Clock clock = system_time);
  ~Lease() { give_up(); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Whether it is had for half a term more, at least; to be called again by then. Throws `StoreUnavailable`.
  bool take();

  /// For others to take it at once.
  void give_up() noexcept;

 private:
  Store& store_;
  const std::string key_;
  const std::int64_t term_;
  const Clock clock_;
  const std::uint64_t holder_;
  bool held_ = false;
  std::int64_t taken_ = 0;
};

}  // namespace autoshard::detail
