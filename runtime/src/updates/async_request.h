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

/// A request that nobody's stack holds. It belongs to whoever commits it, and to the `Completion` that
/// somebody may have: the one who comes last of those that note in `phase` that they are done with it
/// releases it.
struct AsyncRequest : Request {
  enum Phase : std::uint32_t {
    kPending,
    kAwaited,    ///< somebody is parked at it
    kContinued,  ///< there is a callback; the completion is gone
    kDropped,    ///< the completion is gone
    kDone,       ///< it has a result
  };

  AsyncRequest() { asynchronous = true; }

  /// Of nothing: it only shows how far the committer has come, with the entity of this key if one is given.
  static AsyncRequest* make_marker(std::string_view its_key);

  using Log = std::function<void(std::string_view)>;

  /// From a pool; moves from `its_shard`. `its_log` is told what nobody else can be.
  static AsyncRequest* make(const EntityType& its_type, std::string_view its_key, void* its_shard,
                            const std::shared_ptr<const Log>& its_log, std::string_view its_token = {});
  /// Logs the error if there still is one.
  static void release(AsyncRequest* request);

  /// Notes the result, and calls back. Not to be used after that.
  void complete();

  /// With the error, which is told by that; logs what the callback throws.
  void call_back(const Completion::Callback& its_callback);

  std::string key_bytes, token_bytes;
  ShardValue value;
  std::optional<Attempts> attempts;
  Completion::Callback callback;
  std::weak_ptr<const Log> log;         // of a mapper that may be gone, when this is released
  bool buffered = false;                // it was acknowledged before it is committed
  std::uint64_t batch = 0;              // the first that it was in
  const Combiner* committer = nullptr;  // whose it is to complete this
  platform::Word phase{kPending};
};

/// Whose committer this thread is; null if it is nobody's.
const Combiner*& committer_of_thread();

}  // namespace autoshard::detail
