#pragma once

#include <autoshard/completion.h>
#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "async_request.h"
#include "combiner.h"
#include "context.h"
#include "request.h"
#include "store_clock.h"

namespace autoshard::detail {

/// Commits updates of sharded properties: at once, buffered or asynchronously, combined or each alone, by the
/// options. An update is a `Shard` on which shard methods have run; each part that is not neutral is folded
/// into one record. Thread-safe.
class Updates {
 public:
  /// The arguments must outlive the object.
  Updates(MapperContext& context, StoreClock& clock);

  /// Waits until every accepted update is done, with its callbacks.
  void stop();

  /// Returns once the update is committed. `version`: any version of the entity that the update belongs to;
  /// 0: the entity that the first attempt finds. With a token, does nothing if the token was already counted.
  /// `now`: see `Request`. Throws `NotFound`, `BoundExceeded` and the errors of a commit.
  void update(const EntityType& type, EntityKeyView key, const void* shard, std::uint64_t version = 0,
              std::string_view token = {}, std::optional<Now> now = {});

  /// Returns when `MapperOptions::durability` says. May move from the shard.
  void apply(const EntityType& type, EntityKeyView key, void* shard, const std::string_view& token);

  /// Returns at once. Moves from the shard.
  Completion update_async(const EntityType& type, EntityKeyView key, void* shard, std::string_view token);

  /// Commits several updates, with `version` set, in few commits. Afterwards each has a result.
  void update_together(std::span<Request* const> requests);

  /// Wait until the buffered updates are committed: all of them, or those of one entity. `flush` throws
  /// `UpdatesLost` if some could not be committed.
  void flush();
  void commit_buffered(EntityKeyView key = {});

  /// Does so for an entity of a class whose updates depend on what came before them.
  void commit_earlier(const EntityType& type, EntityKeyView key);

  /// Returns the combiner; null: each update has a commit of its own.
  const Combiner* combiner() const { return combiner_ ? &*combiner_ : nullptr; }

  /// Waits until the updates of this entity that were accepted before are done. Must be called before the
  /// entity is erased, and before another one of its id is created.
  void settle(EntityKeyView key);

 private:
  bool is_buffered() const;
  void buffer(const EntityType& type, EntityKeyView key, void* shard, std::string_view token);
  void commit(Request& request);
  void prepare(const Request& request);
  void commit_alone(Request& request);
  void advance_clock(std::string_view token) noexcept;

  MapperContext& context_;
  const StoreTraits traits_;
  StoreClock& clock_;
  const std::shared_ptr<const AsyncRequest::Log> log_;
  std::optional<Combiner> combiner_;
};

}  // namespace autoshard::detail
