#include "shared_reads.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <utility>

#include "hash.h"
#include "hex.h"
#include "keys.h"
#include "main_record.h"

namespace autoshard::detail {
namespace {

constexpr std::uint64_t kFormat = 2;

/// In the year 2255.
constexpr std::uint64_t kLastMillisecond = 9'000'000'000'000;

std::chrono::milliseconds whole_milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::floor<std::chrono::milliseconds>(time);
}

/// Entity keys may be too long for a cache, so the values contain them.
std::string key_in_cache(EntityKeyView entity_key, std::chrono::nanoseconds at_most) {
  return "loaded/" + to_hex(stable_hash(entity_key.bytes())) + '/' +
         std::to_string(whole_milliseconds(at_most).count());
}

/// Encodes the main record as stored, so that entries known only to a newer class are not lost, and the
/// folded sharded values.
std::string encode(const EntityRef& entity, std::string_view main_record, SharedReads::Day read_at) {
  std::string bytes;
  Encoder out(bytes);
  out.array(5);
  out.natural(kFormat);
  out.natural(static_cast<std::uint64_t>(whole_milliseconds(read_at.time_since_epoch()).count()));
  out.text(entity.key.bytes());
  out.text(main_record);
  out.map(entity.type.sharded.size());
  for (const ShardedPropertyType& property : entity.type.sharded) {
    out.text(property.name);
    property.encode(out, property.in_entity(entity.entity));
  }
  return bytes;
}

/// Returns false for another entity, for a class with other sharded properties, and for a value that was read
/// before `oldest`.
bool decode(std::string_view bytes, const EntityRef& entity, SharedReads::Day oldest) {
  Decoder in("an entity in the shared cache", bytes);
  if (in.array() != 5 || in.natural() != kFormat) in.fail("a value of another format");
  const std::uint64_t read_at = in.natural();
  if (read_at > kLastMillisecond) in.fail("a time that is too late");
  if (SharedReads::Day(std::chrono::milliseconds(read_at)) < oldest) return false;
  if (in.text() != entity.key.bytes()) return false;
  const MainHead head = decode_main(entity.type, entity.key, in.text(), entity.entity);
  if (in.map() != entity.type.sharded.size()) return false;
  for (const ShardedPropertyType& property : entity.type.sharded) {
    if (in.text() != property.name) return false;
    property.make_neutral(property.in_entity(entity.entity));
    property.fold(property.in_entity(entity.entity), in);
  }
  *entity.version = head.version;
  return true;
}

}  // namespace

SharedReads::SharedReads(SharedCache* cache, Log log)
    : cache_(cache), log_(std::move(log)), changes_(cache ? kChanges : 0) {}

bool SharedReads::read(const EntityRef& entity, std::chrono::nanoseconds at_most, const Moment& now) noexcept
    try {
  if (!cache_) return false;
  Day oldest = now.everywhere - at_most - kTolerance;
  if (const Time::rep changed = change_of(entity.key).load(); changed != 0) {
    const auto since = now.here - Time(Time::duration(changed));
    if (since < at_most) return false;
    oldest = std::max(oldest, now.everywhere - since + kTolerance);
  }
  const auto found = cache_->get(key_in_cache(entity.key, at_most));
  return found && decode(found->value, entity, oldest);
} catch (...) {  // includes exceptions of the application's codecs
  log_once(nonsense_logged_,
           "the shared cache holds a foreign value under the key of an entity, and the store is read "
           "instead: give AutoShard a key prefix of its own");
  return false;
}

void SharedReads::put(const EntityRef& entity, std::string_view main_record, std::chrono::nanoseconds at_most,
                      const Moment& began, Time now) noexcept try {
  if (!cache_) return;
  const std::chrono::milliseconds lifetime = whole_milliseconds(at_most - (now - began.here));
  if (lifetime.count() <= 0) return;
  if (!cache_->put(key_in_cache(entity.key, at_most), encode(entity, main_record, began.everywhere),
                   lifetime))
    log_once(loss_logged_, "the shared cache does not keep " + describe(entity.key) +
                               ", and perhaps other entities: these are read from the store");
} catch (...) {  // as above, and out of memory
}

void SharedReads::note_change(EntityKeyView key, Time now) noexcept {
  if (!cache_) return;
  Change& change = change_of(key);
  const Time::rep time = now.time_since_epoch().count();
  for (Time::rep before = change.load(); before < time && !change.compare_exchange_weak(before, time);) {
  }
}

void SharedReads::log_once(platform::Atomic<bool>& logged, std::string_view what) noexcept {
  if (log_ && !logged.exchange(true)) log_(what);
}

}  // namespace autoshard::detail
