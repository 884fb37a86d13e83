#include "shard_record.h"

#include "check.h"
#include "record_checks.h"

namespace autoshard::detail {
namespace {

/// Returns the number of elements of a shard record, and moves the decoder to the first element, its value.
std::size_t begin_shard(Decoder& in) {
  const std::size_t elements = in.array();
  if (elements == 0) in.fail("an empty shard");
  return elements;
}

/// Moves the decoder of a shard record to its value. Returns false if the record has another epoch.
bool reach_value(Decoder& in, std::uint64_t epoch, std::string_view key, std::string_view record) {
  return epoch == (begin_shard(in) == 1 ? 0 : read_tail(key, record).epoch);
}

}  // namespace

ShardTail read_tail(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  const std::size_t elements = begin_shard(in);
  in.skip();
  ShardTail tail;
  if (elements > 1) tail.epoch = in.natural();
  if (elements < 4) return tail;
  tail.share.emplace();
  tail.share->least = in.integer();
  tail.share->most = in.integer();
  return tail;
}

void encode_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                  std::uint64_t epoch) {
  record.clear();
  Encoder out(record);
  out.array(epoch == 0 ? 1 : 2);
  property.encode(out, value);
  if (epoch != 0) out.natural(epoch);
  AUTOSHARD_CHECK(holds_shard(record, epoch), {"record", record}, {"epoch", epoch});
  AUTOSHARD_CHECK(holds_value(record, property, value), {"record", record}, {"property", property.name});
}

std::uint32_t encode_tail(std::string& tail, std::uint64_t epoch) {
  tail.clear();
  if (epoch == 0) return 1;
  Encoder(tail).natural(epoch);
  return 2;
}

void encode_element(std::string& record, std::string_view container, std::uint64_t epoch, ElementMark mark) {
  record.clear();
  Encoder out(record);
  const bool is_marked = mark != ElementMark::kNone;
  out.array(is_marked ? 3 : epoch == 0 ? 1 : 2);
  out.encoded(container);
  if (is_marked || epoch != 0) out.natural(epoch);
  if (is_marked) out.natural(static_cast<std::uint64_t>(mark));
  AUTOSHARD_CHECK(holds_shard(record, epoch), {"record", record}, {"epoch", epoch});
  AUTOSHARD_CHECK(read_mark({}, record) == mark, {"record", record}, {"mark", static_cast<int>(mark)});
  AUTOSHARD_CHECK(read_container({}, record) == container, {"record", record}, {"container", container});
}

ElementMark read_mark(std::string_view key, std::string_view record) {
  if (Decoder(key, record, 0).array() < 3) return ElementMark::kNone;  // most frequent: reads only the size
  Decoder in(key, record);
  begin_shard(in);
  in.skip();
  in.skip();
  const std::uint64_t mark = in.natural();
  return mark < static_cast<std::uint64_t>(ElementMark::kNone) ? static_cast<ElementMark>(mark)
                                                               : ElementMark::kNone;
}

std::optional<std::uint64_t> read_bucket_end(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  if (begin_shard(in) < 3) return std::nullopt;
  in.skip();
  in.skip();
  return in.natural();
}

void encode_bucket_end(std::string& record, std::string_view key, std::string_view stored,
                       std::uint64_t end) {
  const std::uint64_t epoch = read_tail(key, stored).epoch;
  Decoder in(key, stored);
  begin_shard(in);
  record.clear();
  Encoder out(record);
  out.array(3);
  in.copy(out);
  out.natural(epoch);
  out.natural(end);
  AUTOSHARD_CHECK(holds_shard(record, epoch), {"record", record}, {"epoch", epoch});
  AUTOSHARD_CHECK(read_bucket_end(key, record) == end, {"record", record}, {"end", end});
  AUTOSHARD_CHECK(read_container(key, record) == read_container(key, stored), {"record", record});
}

std::string read_container(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  begin_shard(in);
  std::string container;
  Encoder out(container);
  in.copy(out);
  return container;
}

void encode_bounded_shard(std::string& record, std::int64_t value, std::uint64_t epoch,
                          const std::optional<Share>& share) {
  record.clear();
  Encoder out(record);
  out.array(share ? 4 : 2);
  out.integer(value);
  out.natural(epoch);
  if (share) {
    AUTOSHARD_CHECK(share->least <= value && value <= share->most, {"part", value}, {"least", share->least},
                    {"most", share->most});
    out.integer(share->least);
    out.integer(share->most);
  }
  AUTOSHARD_CHECK(holds_shard(record, epoch, share) && holds_integer(record, value), {"record", record},
                  {"part", value}, {"epoch", epoch});
}

void encode_folded_shard(std::string& record, const ShardedPropertyType& property, const void* value,
                         std::uint64_t epoch, std::string_view key, std::string_view stored) {
  Decoder in(key, stored);
  if (!reach_value(in, epoch, key, stored)) return encode_shard(record, property, value, epoch);
  record.clear();
  Encoder out(record);
  out.array(epoch == 0 ? 1 : 2);
  property.encode_folded(out, value, in);
  if (epoch != 0) out.natural(epoch);
  AUTOSHARD_CHECK(holds_shard(record, epoch), {"record", record}, {"epoch", epoch});
  AUTOSHARD_CHECK(holds_folded(record, property, value, stored), {"stored", stored}, {"record", record},
                  {"property", property.name});
}

bool fold_shard(const ShardedPropertyType& property, void* value, std::uint64_t epoch, std::string_view key,
                std::string_view record) {
  Decoder in(key, record);
  if (!reach_value(in, epoch, key, record)) return false;
  property.fold(value, in);
  return true;
}

}  // namespace autoshard::detail
