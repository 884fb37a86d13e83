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

/// An update on its way into the store. The caller keeps the request, and everything it refers to, until it
/// is done.
struct alignas(64) Request {
  enum class Result : std::uint8_t {
    kNone,
    kCommitted,
    /// Its token was already counted, or is counted with `first` if the commit succeeds.
    kRepeated,
    /// The bounds seem not to allow it; see `error`. It fails once the commit has validated that.
    kExceeded,
    kConflict,  ///< not written; may be attempted again
    kFailed,    ///< see `error`
  };

  Request() = default;
  Request(const EntityType& its_type, EntityKeyView its_key, const void* its_shard,
          std::uint64_t its_version = 0, std::string_view its_token = {}, std::optional<Now> its_now = {}) {
    set(its_type, its_key, its_shard, its_version, its_token, its_now);
  }

  /// Initialises the request. `shard`: a neutral shard on which shard methods have run; it is not changed.
  /// `version`: any version of the entity that the update belongs to; 0: the entity that the first attempt
  /// finds, which sets the version. `token`: the caller's, or empty. `now`: the instant of the call that the
  /// update belongs to; without it, each attempt reads the clock.
  void set(const EntityType& its_type, EntityKeyView its_key, const void* its_shard,
           std::uint64_t its_version = 0, std::string_view its_token = {}, std::optional<Now> its_now = {}) {
    type = &its_type;
    key = its_key;
    hash = hash_of(key);
    shard = const_cast<void*>(its_shard);
    version = its_version;
    token = its_token;
    has_token = !token.empty();
    now = its_now.value_or(kBeforeAllTimes);
    has_now = its_now.has_value();
    result = Result::kNone;
    set_waiting();
  }

  static std::size_t hash_of(EntityKeyView its_key) { return std::hash<EntityKeyView>()(its_key); }

  /// Prepares the request for an attempt, also for a repeated one after a conflict.
  void set_waiting() {
    is_retry = result == Result::kConflict;
    result = Result::kNone;
    error = nullptr;  // of a refusal by bounds
    done.store(false, std::memory_order_relaxed);
  }

  /// Returns whether it has no result yet.
  bool waits() const { return result == Result::kNone; }

  bool is_repeated() const { return result == Result::kRepeated; }
  bool is_exceeded() const { return result == Result::kExceeded; }
  bool leaves_token() const { return has_token; }

  void fail(std::exception_ptr with) {
    error = std::move(with);
    result = Result::kFailed;
  }

  // The cache line that a commit reads and writes.
  const EntityType* type = nullptr;
  EntityKeyView key;      // of the entity
  void* shard = nullptr;  // not const, because the accessors also serve code that writes
  std::uint64_t version = 0;
  Request* next = nullptr;        // used by the combiner only
  std::size_t hash = 0;           // of the key
  std::uint32_t number = 0;       // position in its batch, in order of arrival
  Result result = Result::kNone;  // written by the thread that commits the request, before `done`
  bool is_retry : 1 = false;
  bool asynchronous : 1 = false;  // the object is an `AsyncRequest`
  bool has_token : 1 = false;
  bool has_now : 1 = false;

  // The cache line that its caller polls.
  alignas(64) platform::Atomic<bool> done{false};  // used by the combiner only
  std::string_view token;                          // if it has one
  Now now = kBeforeAllTimes;                       // if it has one
  std::exception_ptr error;                        // written as `result` is
  // The first request of the batch with the same token; null: it is not in the batch.
  const Request* first = nullptr;
};
static_assert(sizeof(Request) == 2 * 64);

}  // namespace autoshard::detail
