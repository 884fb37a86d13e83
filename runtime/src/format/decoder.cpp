#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>

#include "keys.h"

namespace autoshard {

/// The header of a value. Parsed by hand, because msgpack-cxx allocates.
struct Decoder::Head {
  enum class Type : std::uint8_t {
    kNil,
    kBoolean,
    kNatural,
    kNegative,
    kSingle,
    kReal,
    kText,
    kBinary,
    kExtension,
    kArray,
    kMap
  };
  Type type = Type::kNil;
  std::uint64_t bits = 0;  // of a number; or the number of bytes, elements or entries that follow

  bool has_bytes() const { return type == Type::kText || type == Type::kBinary || type == Type::kExtension; }
  bool is_container() const { return type == Type::kArray || type == Type::kMap; }
  /// The number of values of the container that follow.
  std::uint64_t values() const { return type == Type::kMap ? 2 * bits : bits; }

  /// Removes the header from the front; returns false if there is none.
  bool take(std::string_view& rest) {
    if (rest.empty()) return false;
    const auto tag = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    if (tag <= 0x7F) return set(Type::kNatural, tag);
    if (tag <= 0x8F) return set(Type::kMap, tag & 0x0F);
    if (tag <= 0x9F) return set(Type::kArray, tag & 0x0F);
    if (tag <= 0xBF) return set(Type::kText, tag & 0x1F);
    if (tag >= 0xE0) return set_signed(static_cast<std::int8_t>(tag));
    switch (tag) {
      case 0xC0:
        return set(Type::kNil, 0);
      case 0xC2:
      case 0xC3:
        return set(Type::kBoolean, tag - 0xC2);
      case 0xC4:
      case 0xC5:
      case 0xC6:
        return number(Type::kBinary, rest, 1U << (tag - 0xC4));
      case 0xC7:
      case 0xC8:
      case 0xC9:
        return extension(rest, 1U << (tag - 0xC7));
      case 0xCA:
        return number(Type::kSingle, rest, 4);
      case 0xCB:
        return number(Type::kReal, rest, 8);
      case 0xCC:
      case 0xCD:
      case 0xCE:
      case 0xCF:
        return number(Type::kNatural, rest, 1U << (tag - 0xCC));
      case 0xD0:
      case 0xD1:
      case 0xD2:
      case 0xD3:
        return signed_number(rest, 1U << (tag - 0xD0));
      case 0xD4:
      case 0xD5:
      case 0xD6:
      case 0xD7:
      case 0xD8:
        return set(Type::kExtension, (1U << (tag - 0xD4)) + 1);
      case 0xD9:
      case 0xDA:
      case 0xDB:
        return number(Type::kText, rest, 1U << (tag - 0xD9));
      case 0xDC:
      case 0xDD:
        return number(Type::kArray, rest, 2U << (tag - 0xDC));
      case 0xDE:
      case 0xDF:
        return number(Type::kMap, rest, 2U << (tag - 0xDE));
      default:
        return false;
    }
  }

 private:
  bool set(Type its_type, std::uint64_t its_bits) {
    type = its_type;
    bits = its_bits;
    return true;
  }
  bool set_signed(std::int64_t value) {
    return set(value < 0 ? Type::kNegative : Type::kNatural, static_cast<std::uint64_t>(value));
  }

  /// Removes a big-endian number of `width` bytes from the front; returns false if they are missing.
  bool number(Type its_type, std::string_view& rest, unsigned width) {
    type = its_type;
    if (rest.size() < width) return false;
    const auto byte = [&](unsigned i) { return std::uint64_t{static_cast<std::uint8_t>(rest[i])}; };
    const auto half = [&](unsigned i) {  // compiles to a single load
      return byte(i) << 24 | byte(i + 1) << 16 | byte(i + 2) << 8 | byte(i + 3);
    };
    bits = width == 1   ? byte(0)
           : width == 2 ? byte(0) << 8 | byte(1)
           : width == 4 ? half(0)
                        : half(0) << 32 | half(4);
    rest.remove_prefix(width);
    return true;
  }

  bool signed_number(std::string_view& rest, unsigned width) {
    const bool is_there = number(Type::kNatural, rest, width);
    const unsigned unused = 64 - 8 * width;
    set_signed(static_cast<std::int64_t>(bits << unused) >> unused);
    return is_there;
  }

  bool extension(std::string_view& rest, unsigned width) {
    const bool is_there = number(Type::kExtension, rest, width);
    ++bits;  // counts the byte of the type
    return is_there;
  }
};

namespace {

/// The number of bytes of a value after its first byte, for first bytes that determine it.
constexpr std::uint8_t kUnknownSize = 0xFF;
constexpr auto kSizes = [] {
  std::array<std::uint8_t, 256> sizes{};  // small integers have no further bytes
  sizes.fill(0);
  for (std::size_t tag = 0x80; tag < 0xA0; ++tag) sizes[tag] = kUnknownSize;  // containers
  for (std::size_t tag = 0xA0; tag < 0xC0; ++tag) sizes[tag] = static_cast<std::uint8_t>(tag & 0x1F);
  for (std::size_t tag = 0xC1; tag < 0xE0; ++tag) sizes[tag] = kUnknownSize;
  sizes[0xC2] = sizes[0xC3] = 0;
  sizes[0xCA] = 4;
  sizes[0xCB] = 8;
  for (std::size_t width = 0; width < 4; ++width)
    sizes[0xCC + width] = sizes[0xD0 + width] = static_cast<std::uint8_t>(1U << width);
  return sizes;
}();

/// Returns whether the record is an array of one value of known size. Most shards are, and queries read many
/// shards.
bool is_one_short_value(std::string_view record) {
  if (record.size() < 2 || record.front() != '\x91') return false;
  const std::size_t size = kSizes[static_cast<std::uint8_t>(record[1])];
  return size != kUnknownSize && record.size() == 2 + size;
}

}  // namespace

Decoder::Decoder(std::string_view key, std::string_view record) : key_(key), rest_(record) {
  if (!is_one_short_value(record) && check(std::numeric_limits<std::size_t>::max()) != record.size())
    fail("bytes that are not one MessagePack value");
}

Decoder::Decoder(std::string_view key, std::string_view record, std::size_t elements)
    : key_(key), rest_(record) {
  const std::size_t size = check(elements);
  if (size == 0) fail("bytes that are not a MessagePack value");
  rest_ = record.substr(0, size);
}

/// Returns the size of the first value in bytes, with at most `elements` elements; 0 if there is no valid
/// value.
std::size_t Decoder::check(std::size_t elements) const {
  std::string_view rest = rest_;
  std::array<std::uint64_t, kDeepestNesting + 1> missing;  // missing values of each incomplete container
  std::size_t depth = 0;
  missing[0] = 1;
  for (;;) {
    while (missing[depth] == 0) {
      if (depth == 0) return rest_.size() - rest.size();
      --depth;
    }
    --missing[depth];
    if (rest.empty()) return 0;
    if (const std::size_t size = kSizes[static_cast<std::uint8_t>(rest.front())]; size != kUnknownSize) {
      if (rest.size() <= size) return 0;
      rest.remove_prefix(1 + size);
      continue;
    }
    Head head;
    if (!head.take(rest)) return 0;
    if (head.has_bytes()) {
      if (rest.size() < head.bits) return 0;
      rest.remove_prefix(head.bits);
    } else {  // a container: the size of any other value is known
      if (++depth > kDeepestNesting) return 0;
      missing[depth] = depth == 1 ? std::min<std::uint64_t>(head.values(), elements) : head.values();
    }
  }
}

void Decoder::fail(std::string_view what) const {
  const std::string where = property_.empty() ? "" : " in '" + std::string(property_) + "'";
  throw CorruptRecord(detail::describe(key_) + ": the record holds " + std::string(what) + where +
                      "; another program wrote the record, or the type of a property has changed");
}

Decoder::Head Decoder::next(const char* expected) {
  Head head;
  if (!head.take(rest_)) fail(std::string("fewer values than expected: no ") + expected);
  return head;
}

/// Removes the bytes of a value with this header.
std::string_view Decoder::bytes(const Head& head) {
  const std::string_view bytes = rest_.substr(0, head.bits);
  rest_.remove_prefix(head.bits);
  return bytes;
}

bool Decoder::nil() {
  if (!rest_.starts_with('\xC0')) return false;
  rest_.remove_prefix(1);
  return true;
}

bool Decoder::boolean() {
  const Head head = next("boolean");
  if (head.type != Head::Type::kBoolean) fail("a value that is not a boolean");
  return head.bits != 0;
}

std::int64_t Decoder::large_integer() {
  const Head head = next("integer");
  if (head.type == Head::Type::kNegative) return static_cast<std::int64_t>(head.bits);
  if (head.type != Head::Type::kNatural) fail("a value that is not an integer");
  if (head.bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fail("a number too large for its property");
  }
  return static_cast<std::int64_t>(head.bits);
}

std::uint64_t Decoder::large_natural() {
  const Head head = next("integer");
  if (head.type == Head::Type::kNegative) fail("a negative number instead of an unsigned number");
  if (head.type != Head::Type::kNatural) fail("a value that is not an integer");
  return head.bits;
}

double Decoder::real() {
  const Head head = next("number");
  switch (head.type) {
    case Head::Type::kSingle:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(head.bits)));
    case Head::Type::kReal:
      return std::bit_cast<double>(head.bits);
    case Head::Type::kNatural:
      return static_cast<double>(head.bits);
    case Head::Type::kNegative:
      return static_cast<double>(static_cast<std::int64_t>(head.bits));
    default:
      fail("a value that is not a number");
  }
}

std::string_view Decoder::long_text() {
  const Head head = next("text");
  if (head.type != Head::Type::kText) fail("a value that is not a text");
  return bytes(head);
}

std::size_t Decoder::large_array() {
  const Head head = next("array");
  if (head.type != Head::Type::kArray) fail("a value that is not an array");
  return head.bits;
}

std::size_t Decoder::large_map() {
  const Head head = next("map");
  if (head.type != Head::Type::kMap) fail("a value that is not a map");
  return head.bits;
}

void Decoder::skip() {
  for (std::uint64_t values = 1; values > 0; --values) {
    const Head head = next("value");
    if (head.has_bytes()) bytes(head);
    if (head.is_container()) values += head.values();
  }
}

void Decoder::copy(Encoder& out) {
  for (std::uint64_t values = 1; values > 0; --values) {
    const std::string_view from = rest_;
    const Head head = next("value");
    switch (head.type) {
      case Head::Type::kNil:
        out.nil();
        break;
      case Head::Type::kBoolean:
        out.boolean(head.bits != 0);
        break;
      case Head::Type::kNatural:
        out.natural(head.bits);
        break;
      case Head::Type::kNegative:
        out.integer(static_cast<std::int64_t>(head.bits));
        break;
      case Head::Type::kSingle:
        out.real(std::bit_cast<float>(static_cast<std::uint32_t>(head.bits)));
        break;
      case Head::Type::kReal:
        out.real(std::bit_cast<double>(head.bits));
        break;
      case Head::Type::kText:
        out.text(bytes(head));
        break;
      case Head::Type::kBinary:
      case Head::Type::kExtension:
        bytes(head);
        out.encoded(from.substr(0, from.size() - rest_.size()));
        break;
      case Head::Type::kArray:
        out.array(head.bits);
        values += head.values();
        break;
      case Head::Type::kMap:
        out.map(head.bits);
        values += head.values();
        break;
    }
  }
}

}  // namespace autoshard
