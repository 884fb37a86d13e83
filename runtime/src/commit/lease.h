#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "platform.h"

namespace autoshard::detail {

/// Lets one of all mappers on a store do something at a time, so that they are not in each other's way (Gray
/// and Cheriton 1989): a record that says who has it, and changes whenever that is prolonged. Whoever has
/// seen it stay the same for a term, by a clock that nobody else needs to share, takes it from somebody who
/// is gone. One who was merely held up may then believe that it still has it: what is done under it has to be
/// right all the same. For one thread.
class Lease {
 public:
  using Time = platform::Clock::time_point;
  using Clock = std::function<Time()>;

  Lease(Store& store, std::string_view name, std::chrono::milliseconds term,
        Clock clock = platform::Clock::now);
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
  const std::chrono::milliseconds term_;
  const Clock clock_;
  const std::uint64_t holder_;
  std::uint64_t taken_ = 0;  // so many times
  bool held_ = false;
  Time since_;        // when it was taken last, or `others_` was seen first
  std::string mine_;  // the record as it was written here last
  std::string others_;
};

}  // namespace autoshard::detail
