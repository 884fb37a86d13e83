#include "window.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <array>
#include <limits>

namespace autoshard::detail {
namespace {

constexpr std::uint64_t kFormat = 1;
constexpr std::size_t kFields = 11;

constexpr std::array kNumbers = {&Activity::shards, &Activity::least, &Activity::most, &Activity::writers};
static_assert(kFields == 2 + kRates.size() + kNumbers.size());

/// Above any real rate, and small enough that sums do not overflow.
constexpr double kHighestRate = 1e15;

std::uint32_t number(Decoder& in) {
  const std::uint64_t value = in.natural();
  if (value > std::numeric_limits<std::uint16_t>::max()) in.fail("a number that is too large");
  return static_cast<std::uint32_t>(value);
}

double rate(Decoder& in) {
  const double value = in.real();
  if (!(value >= 0 && value <= kHighestRate)) in.fail("an invalid rate");
  return value;
}

}  // namespace

PropertyRef sharded_property(const EntityType& type, std::size_t place, EntityKeyView entity,
                             std::uint32_t shards, std::uint32_t writer) {
  const ShardedPropertyType& property = type.sharded[place];
  return {.entity = entity,
          .name = property.name,
          .shards = shards,
          .allowed = property.shards,
          .type = &type,
          .writer = writer};
}

void merge(Activity& into, const Activity& other) {
  // Of an older and a newer number of shards the higher one counts: that is the cautious choice for splits.
  into.shards = std::max(into.shards, other.shards);
  into.least = std::max(into.least, other.least);
  into.most = std::max(into.most, other.most);
  into.writers += other.writers;
  if (!into.type) into.type = other.type;
  for (const auto rate : kRates) into.*rate += other.*rate;
  into.waited += other.waited;
}

void merge(Window& into, const Window& other) {
  for (const auto& [id, activity] : other) merge(into[id], activity);
}

std::string encode(const Window& window) {
  std::string bytes;
  Encoder out(bytes);
  out.array(1 + window.size());
  out.natural(kFormat);
  for (const auto& [id, activity] : window) {
    out.array(kFields);
    out.text(id.entity.bytes());
    out.text(id.property);
    for (const auto number : kNumbers) out.natural(activity.*number);
    for (const auto rate : kRates) out.real(activity.*rate);
  }
  return bytes;
}

std::optional<Window> decode_window(std::string_view bytes) try {
  Decoder in("statistics", bytes);
  const std::size_t elements = in.array();
  if (elements == 0 || in.natural() != kFormat) return std::nullopt;
  Window window;
  for (std::size_t i = 1; i < elements; ++i) {
    if (in.array() != kFields) return std::nullopt;
    PropertyId id;
    id.entity = EntityKeyView(in.text());
    id.property = in.text();
    Activity activity;
    for (const auto member : kNumbers) activity.*member = number(in);
    for (const auto member : kRates) activity.*member = rate(in);
    window.insert_or_assign(std::move(id), activity);
  }
  return window;
} catch (const CorruptRecord&) {
  return std::nullopt;
}

}  // namespace autoshard::detail
