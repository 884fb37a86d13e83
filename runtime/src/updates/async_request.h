#pragma once

#include <autoshard/completion.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "attempts.h"
#include "platform.h"
#include "request.h"
#include "shard_value.h"

namespace autoshard::detail {

class Combiner;

/// A request that is not on a caller's stack. It is owned jointly by the thread that commits it and by its
/// `Completion`, if there is one. Each owner notes in `phase` that it is done with the request; the last
/// owner releases it.
struct AsyncRequest : Request {
  enum Phase : std::uint32_t {
    kPending,
    kAwaited,    ///< a thread is parked at it
    kContinued,  ///< there is a callback; the completion is gone
    kDropped,    ///< the completion is gone
    kDone,       ///< it has a result
  };

  AsyncRequest() { asynchronous = true; }

  /// Makes a marker without an update. It only shows how far the committer has come, for the entity of this
  /// key if one is given.
  static AsyncRequest* make_marker(EntityKeyView its_key);

  using Log = std::function<void(std::string_view)>;

  /// Takes a request from a pool, and moves from `its_shard`. `its_log` receives errors that no caller can
  /// receive.
  static AsyncRequest* make(const EntityType& its_type, EntityKeyView its_key, void* its_shard,
                            const std::shared_ptr<const Log>& its_log, std::string_view its_token = {});
  /// Logs the error if it was not taken.
  static void release(AsyncRequest* request);

  /// Sets the result and calls back. The request must not be used afterwards.
  void complete();

  /// Calls back with the error, which then counts as reported. Logs an exception from the callback.
  void call_back(const Completion::Callback& its_callback);

  EntityKey own_key;
  std::string token_bytes;
  ShardValue value;
  std::optional<Attempts> attempts;
  Completion::Callback callback;
  std::weak_ptr<const Log> log;         // of a mapper that may be gone when the request is released
  bool buffered = false;                // acknowledged before it is committed
  std::uint64_t batch = 0;              // the first batch that contained it
  const Combiner* committer = nullptr;  // the combiner that completes it
  platform::Word phase{kPending};
};

/// The combiner whose committer this thread is; null for any other thread.
const Combiner*& committer_of_thread();

}  // namespace autoshard::detail
