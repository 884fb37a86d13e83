#include "number_fold.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace autoshard::detail {
namespace {

constexpr std::size_t kNumberBegins = 2, kNumberEnds = 10;

std::string head_of(const NumberFold& fold) { return {static_cast<char>(0x90U | fold.size)}; }

/// Empty if the result does not fit into 64 bits.
std::optional<std::int64_t> folded(const NumberFold& fold, std::int64_t number) {
  if (fold.fold == Fold::kMinimum) return std::min(number, fold.number);
  if (fold.fold == Fold::kMaximum) return std::max(number, fold.number);
  std::int64_t sum = 0;
  return __builtin_add_overflow(number, fold.number, &sum) ? std::nullopt : std::optional(sum);
}

}  // namespace

std::string number_record(const NumberFold& fold) {
  std::string record = head_of(fold) + '\xD3';
  const auto bits = static_cast<std::uint64_t>(fold.number);
  for (int shift = 56; shift >= 0; shift -= 8) record += static_cast<char>(bits >> shift & 0xFFU);
  record += fold.others;
  return record;
}

NumberFold read_number_record(std::string_view record) {
  std::uint64_t bits = 0;
  for (std::size_t at = kNumberBegins; at < kNumberEnds; ++at)
    bits = bits << 8U | static_cast<unsigned char>(record[at]);
  NumberFold fold;
  fold.number = static_cast<std::int64_t>(bits);
  fold.others = record.substr(kNumberEnds);
  fold.size = static_cast<unsigned char>(record.front()) & 0x0FU;
  return fold;
}

std::optional<std::string> fold_number(const NumberFold& fold, std::string_view record) {
  const std::string_view head = record.substr(0, 1);
  if (record.size() <= 1 + fold.others.size() || !record.ends_with(fold.others) || head != head_of(fold))
    return std::nullopt;
  NumberFold result = fold;
  try {
    Decoder in({}, record.substr(1, record.size() - 1 - fold.others.size()));
    const std::optional<std::int64_t> number = folded(fold, in.integer());
    if (!number || *number < fold.least || *number > fold.most) return std::nullopt;
    result.number = *number;
  } catch (const CorruptRecord&) {
    return std::nullopt;  // not an integer of 64 bits
  }
  return number_record(result);
}

}  // namespace autoshard::detail
