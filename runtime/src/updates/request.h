#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "platform.h"

namespace autoshard::detail {

/// An update on its way into the store. Whoever makes one keeps it, and what it refers to, until it is done.
struct alignas(8) Request {
  enum class Result : std::uint8_t {
    kNone,
    kCommitted,
    kRepeated,  ///< its token was counted already, or is counted with `first`, if the commit succeeds
    kExceeded,  ///< as it looks, bounds do not allow it; see `error`. It fails once that is committed
    kConflict,  ///< nothing of it was written; it may be tried again
    kFailed,    ///< see `error`
  };

  Request() = default;
  Request(const EntityType& its_type, std::string_view its_key, const void* its_shard,
          std::uint64_t its_version = 0, std::string_view its_token = {}) {
    set(its_type, its_key, its_shard, its_version, its_token);
  }

  /// Makes a new one of it. `shard`: a neutral one on which shard methods have run; nothing is written to it.
  /// `version`: any version of the entity that the update belongs to; 0: of the one that the first attempt
  /// finds, which sets it. `token`: the caller's, or empty.
  void set(const EntityType& its_type, std::string_view its_key, const void* its_shard,
           std::uint64_t its_version = 0, std::string_view its_token = {}) {
    type = &its_type;
    key = its_key;
    hash = hash_of(key);
    shard = const_cast<void*>(its_shard);
    version = its_version;
    token = its_token;
    now.reset();
    result = Result::kNone;
    set_waiting();
  }

  static std::size_t hash_of(std::string_view its_key) { return std::hash<std::string_view>()(its_key); }

  /// To be attempted, again if it met a conflict.
  void set_waiting() {
    is_retry = result == Result::kConflict;
    result = Result::kNone;
    error = nullptr;  // what bounds did not seem to allow
    done.store(false, std::memory_order_relaxed);
  }

  /// Whether it has no result yet.
  bool waits() const { return result == Result::kNone; }

  bool is_repeated() const { return result == Result::kRepeated; }
  bool is_exceeded() const { return result == Result::kExceeded; }
  bool leaves_token() const { return !token.empty(); }

  void fail(std::exception_ptr with) {
    error = std::move(with);
    result = Result::kFailed;
  }

  const EntityType* type = nullptr;
  std::string_view key;   // of the entity
  std::size_t hash = 0;   // of the key
  void* shard = nullptr;  // not const for the accessors, which serve writers too
  std::uint64_t version = 0;
  std::string_view token;
  std::optional<Now>
      now{};  // by which the call judges that the update is a part of; empty: each attempt asks the clock

  // Written by whoever commits it, before `done`.
  Result result = Result::kNone;
  std::exception_ptr error;

  const Request* first = nullptr;  // of those in a batch with one token; null: it is not in the batch

  bool is_retry = false;
  std::uint32_t number = 0;  // in its batch, whose order is that of arrival

  // The combiner's.
  bool asynchronous = false;  // it is an `AsyncRequest`
  Request* next = nullptr;
  platform::Atomic<bool> done{false};
};

}  // namespace autoshard::detail
