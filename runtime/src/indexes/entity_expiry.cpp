#include "entity_expiry.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <chrono>

#include "keys.h"
#include "main_record.h"
#include "platform.h"

namespace autoshard::detail {

Now ask_clock(const MapperOptions& options) {
  const auto now =
      options.clock ? options.clock().time_since_epoch() : platform::SystemClock::now().time_since_epoch();
  return {std::chrono::floor<std::chrono::milliseconds>(now).count()};
}

void put_expiry(Transaction& transaction, const EntityRef& entity, std::optional<std::int64_t> before,
                const EntryLimits& limits) {
  const EntityType& type = entity.type;
  if (!type.expires_at) return;  // the main record keeps its expiry
  const std::optional<std::int64_t> after = type.expires_at(entity.entity);
  if (before == after) return;
  const RecordKey record_key = after ? expiry_key(type.kind, *after, entity.key) : RecordKey();
  if (limits.longest_key != 0 && record_key.size() > limits.longest_key) {
    throw KeyTooLong("the expiry record of " + describe(entity.key) + " needs a key of " +
                     std::to_string(record_key.size()) + " bytes, and the store allows " +
                     std::to_string(limits.longest_key) + ": choose a shorter id");
  }
  if (before) transaction.erase(expiry_key(type.kind, *before, entity.key));
  if (!after) return;
  std::string nil;
  Encoder(nil).nil();
  transaction.put(record_key, nil);
}

void erase_expiry(Transaction& transaction, const EntityType& type, EntityKeyView key,
                  std::string_view main_record) {
  if (const std::optional<std::int64_t> expiry = read_expiry(key, main_record))
    transaction.erase(expiry_key(type.kind, *expiry, key));
}

}  // namespace autoshard::detail
