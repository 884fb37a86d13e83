#include "expiring_record.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <vector>

#include "check.h"
#include "checked_values.h"
#include "platform.h"

namespace autoshard::detail {
namespace {

/// For a check.
bool holds(std::string_view record, std::int64_t until, std::optional<std::uint64_t> number) {
  std::vector<std::int64_t> numbers{until};
  if (number) numbers.push_back(static_cast<std::int64_t>(*number));
  return read_checked_numbers({}, record, numbers.size()) == numbers;
}

}  // namespace

void encode_expiring(std::string& record, std::int64_t until, std::optional<std::uint64_t> number) {
  record.clear();
  Encoder out(record);
  out.array(number ? 2 : 1);
  out.integer(until);
  if (number) out.natural(*number);
  AUTOSHARD_CHECK(holds(record, until, number), {"record", record}, {"until", until});
}

Expiring read_expiring(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  const std::size_t elements = in.array();
  if (elements == 0) in.fail("no time of expiry");
  Expiring read{in.integer(), std::nullopt};
  if (elements > 1) read.number = in.natural();
  return read;
}

std::int64_t expires_after(std::chrono::milliseconds lifetime) {
  const auto now = platform::SystemClock::now().time_since_epoch();
  return expires_after(lifetime, {std::chrono::floor<std::chrono::milliseconds>(now).count()});
}

std::int64_t expires_after(std::chrono::milliseconds lifetime, Now now) {
  return now.milliseconds + std::min(lifetime, kLongestLifetime).count();
}

}  // namespace autoshard::detail
