#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

// Written by hand: msgpack-cxx appends each header and each body separately, and encodes floats with integral
// values, including -0.0, as integers.

namespace autoshard {
namespace {

std::uint32_t checked(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidUse(
        "a text or container has 2^32 elements or more, and MessagePack holds fewer: store a smaller value");
  }
  return static_cast<std::uint32_t>(size);
}

template <class Number>
Number big_endian(Number number) {
  if constexpr (std::endian::native == std::endian::big || sizeof(Number) == 1) return number;
  if constexpr (sizeof(Number) == 2) return __builtin_bswap16(number);
  if constexpr (sizeof(Number) == 4) return __builtin_bswap32(number);
  if constexpr (sizeof(Number) == 8) return __builtin_bswap64(number);
}

/// Appends a tag and the number in big-endian bytes.
template <class Number>
void append(std::string& out, std::uint8_t tag, Number number) {
  out.push_back(static_cast<char>(tag));
  const Number bytes = big_endian(number);
  out.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}

template <class Number>
bool fits(std::uint64_t value) {
  return value <= std::numeric_limits<Number>::max();
}

/// Appends the size of a container, with `tag` or the next tag.
void append_size(std::string& out, std::uint8_t tag, std::size_t elements) {
  const std::uint32_t size = checked(elements);
  if (fits<std::uint16_t>(size)) return append(out, tag, static_cast<std::uint16_t>(size));
  append(out, tag + 1, size);
}

}  // namespace

Encoder::Level::Level(Encoder& out) : out_(out) {
  if (out_.depth_ >= kDeepestNesting) {
    throw InvalidUse("a value is nested deeper than the " + std::to_string(kDeepestNesting) +
                     " levels of a record: move the inner values to entities of their own");
  }
  ++out_.depth_;
}

void Encoder::integer(std::int64_t value) {
  if (value >= 0) return natural(static_cast<std::uint64_t>(value));
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t rest = ~bits << 1;  // the used bits, with one for the sign
  if (value >= -32) return out_.push_back(static_cast<char>(value));
  if (fits<std::uint8_t>(rest)) return append(out_, 0xD0, static_cast<std::uint8_t>(bits));
  if (fits<std::uint16_t>(rest)) return append(out_, 0xD1, static_cast<std::uint16_t>(bits));
  if (fits<std::uint32_t>(rest)) return append(out_, 0xD2, static_cast<std::uint32_t>(bits));
  append(out_, 0xD3, bits);
}

void Encoder::large_natural(std::uint64_t value) {
  if (fits<std::uint8_t>(value)) return append(out_, 0xCC, static_cast<std::uint8_t>(value));
  if (fits<std::uint16_t>(value)) return append(out_, 0xCD, static_cast<std::uint16_t>(value));
  if (fits<std::uint32_t>(value)) return append(out_, 0xCE, static_cast<std::uint32_t>(value));
  append(out_, 0xCF, value);
}

void Encoder::real(float value) { append(out_, 0xCA, std::bit_cast<std::uint32_t>(value)); }

void Encoder::real(double value) { append(out_, 0xCB, std::bit_cast<std::uint64_t>(value)); }

void Encoder::long_text(std::string_view value) {
  const std::uint32_t size = checked(value.size());
  if (fits<std::uint8_t>(size)) {
    append(out_, 0xD9, static_cast<std::uint8_t>(size));
  } else if (fits<std::uint16_t>(size)) {
    append(out_, 0xDA, static_cast<std::uint16_t>(size));
  } else {
    append(out_, 0xDB, size);
  }
  out_.append(value);
}

void Encoder::large_array(std::size_t elements) { append_size(out_, 0xDC, elements); }

void Encoder::large_map(std::size_t entries) { append_size(out_, 0xDE, entries); }

void detail::append_sorted(Encoder& out, std::vector<std::string>& elements) {
  std::sort(elements.begin(), elements.end());
  for (const std::string& element : elements) out.encoded(element);
}

}  // namespace autoshard
