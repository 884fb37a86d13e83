#include <autoshard/codec.h>
#include <autoshard/detail/of_thread.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <msgpack.hpp>
#include <string>

#include "keys.h"

namespace autoshard {

/// Goes through MessagePack once, and notes one event a value. By hand, because msgpack-cxx allocates to
/// parse.
struct Decoder::Recorder {
  using Type = Event::Type;

  std::vector<Event>& events;
  std::string_view rest;

  /// False for anything but one value.
  bool record() {
    std::array<std::uint64_t, kDeepestNesting + 1> missing;  // values, of each container that is not complete
    std::size_t depth = 0;
    missing[0] = 1;
    for (;;) {
      while (missing[depth] == 0) {
        if (depth == 0) return rest.empty();
        --depth;
      }
      --missing[depth];
      if (!value()) return false;
      const Event& event = events.back();
      if (event.type != Type::kArray && event.type != Type::kMap) continue;
      if (++depth > kDeepestNesting) return false;
      missing[depth] = event.type == Type::kMap ? std::uint64_t{2} * event.size : event.size;
    }
  }

 private:
  bool value() {
    if (rest.empty()) return false;
    const auto tag = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    if (tag <= 0x7F) return natural(tag);
    if (tag <= 0x8F) return add(Type::kMap, tag & 0x0F);
    if (tag <= 0x9F) return add(Type::kArray, tag & 0x0F);
    if (tag <= 0xBF) return bytes(Type::kText, tag & 0x1F);
    if (tag >= 0xE0) return signed_number(static_cast<std::int8_t>(tag));
    switch (tag) {
      case 0xC0:
        return add(Type::kNil, 0);
      case 0xC2:
      case 0xC3:
        add(Type::kBoolean, 0);
        events.back().boolean = tag == 0xC3;
        return true;
      case 0xC4:
      case 0xC5:
      case 0xC6:
        return sized(1U << (tag - 0xC4), [&](std::uint32_t size) { return bytes(Type::kBinary, size); });
      case 0xC7:
      case 0xC8:
      case 0xC9:
        return sized(1U << (tag - 0xC7), [&](std::uint32_t size) { return extension(size); });
      case 0xCA:
        return number<std::uint32_t>([&](std::uint32_t bits) {
          return real(Type::kSingle, static_cast<double>(std::bit_cast<float>(bits)));
        });
      case 0xCB:
        return number<std::uint64_t>(
            [&](std::uint64_t bits) { return real(Type::kReal, std::bit_cast<double>(bits)); });
      case 0xCC:
        return number<std::uint8_t>([&](std::uint8_t value) { return natural(value); });
      case 0xCD:
        return number<std::uint16_t>([&](std::uint16_t value) { return natural(value); });
      case 0xCE:
        return number<std::uint32_t>([&](std::uint32_t value) { return natural(value); });
      case 0xCF:
        return number<std::uint64_t>([&](std::uint64_t value) { return natural(value); });
      case 0xD0:
        return number<std::uint8_t>(
            [&](std::uint8_t value) { return signed_number(static_cast<std::int8_t>(value)); });
      case 0xD1:
        return number<std::uint16_t>(
            [&](std::uint16_t value) { return signed_number(static_cast<std::int16_t>(value)); });
      case 0xD2:
        return number<std::uint32_t>(
            [&](std::uint32_t value) { return signed_number(static_cast<std::int32_t>(value)); });
      case 0xD3:
        return number<std::uint64_t>(
            [&](std::uint64_t value) { return signed_number(static_cast<std::int64_t>(value)); });
      case 0xD4:
      case 0xD5:
      case 0xD6:
      case 0xD7:
      case 0xD8:
        return extension(1U << (tag - 0xD4));
      case 0xD9:
      case 0xDA:
      case 0xDB:
        return sized(1U << (tag - 0xD9), [&](std::uint32_t size) { return bytes(Type::kText, size); });
      case 0xDC:
      case 0xDD:
        return sized(2U << (tag - 0xDC), [&](std::uint32_t size) { return add(Type::kArray, size); });
      case 0xDE:
      case 0xDF:
        return sized(2U << (tag - 0xDE), [&](std::uint32_t size) { return add(Type::kMap, size); });
      default:
        return false;
    }
  }

  bool add(Type type, std::uint32_t size) {
    Event& event = events.emplace_back();
    event.type = type;
    event.size = size;
    return true;
  }
  bool natural(std::uint64_t value) {
    add(Type::kNatural, 0);
    events.back().natural = value;
    return true;
  }
  bool signed_number(std::int64_t value) {
    if (value >= 0) return natural(static_cast<std::uint64_t>(value));
    add(Type::kNegative, 0);
    events.back().integer = value;
    return true;
  }
  bool real(Type type, double value) {
    add(type, 0);
    events.back().real = value;
    return true;
  }
  bool bytes(Type type, std::uint32_t size) {
    if (rest.size() < size) return false;
    add(type, size);
    events.back().bytes = rest.data();
    rest.remove_prefix(size);
    return true;
  }
  /// Its type and its bytes.
  bool extension(std::uint32_t size) {
    return size < std::numeric_limits<std::uint32_t>::max() && bytes(Type::kExtension, size + 1);
  }

  /// Takes a big-endian number off the front.
  template <class Number, class Use>
  bool number(Use use) {
    if (rest.size() < sizeof(Number)) return false;
    std::uint64_t value = 0;
    for (const char byte : rest.substr(0, sizeof(Number)))
      value = value << 8 | static_cast<std::uint8_t>(byte);
    rest.remove_prefix(sizeof(Number));
    return use(static_cast<Number>(value));
  }
  /// What a size of 1, 2 or 4 bytes is in front of.
  template <class Use>
  bool sized(unsigned width, Use use) {
    if (width == 1) return number<std::uint8_t>(use);
    if (width == 2) return number<std::uint16_t>(use);
    return number<std::uint32_t>(use);
  }
};

/// Memory for events, of the thread's: most records are decoded one after the other. What a large one took is
/// not kept.
struct Decoder::Kept {
  static constexpr std::size_t kMost = 4096;
  std::vector<Event> events;
};

Decoder::~Decoder() {
  Kept* kept = detail::OfThread<Kept>::get();
  if (kept && events_.capacity() > kept->events.capacity() && events_.capacity() <= Kept::kMost)
    kept->events = std::move(events_);
}

Decoder::Decoder(std::string_view key, std::string_view record) : key_(key) {
  if (Kept* kept = detail::OfThread<Kept>::get()) events_ = std::move(kept->events);
  events_.clear();
  events_.reserve(std::min<std::size_t>(record.size(), 32));  // a value takes a byte at least
  if (!Recorder{events_, record}.record()) {
    fail("bytes that are no single MessagePack value");
  }
}

void Decoder::fail(std::string_view what) const {
  throw CorruptRecord(
      detail::describe(key_) + ": the record holds " + std::string(what) +
      "; either something else than AutoShard wrote it, or the type of a property has changed");
}

const Decoder::Event& Decoder::next(std::string_view expected) {
  if (position_ == events_.size()) fail("fewer values than expected: no " + std::string(expected));
  return events_[position_++];
}

bool Decoder::nil() {
  if (position_ == events_.size() || events_[position_].type != Event::Type::kNil) return false;
  ++position_;
  return true;
}

bool Decoder::boolean() {
  const Event& event = next("boolean");
  if (event.type != Event::Type::kBoolean) fail("something else where a boolean should be");
  return event.boolean;
}

std::int64_t Decoder::integer() {
  const Event& event = next("integer");
  if (event.type == Event::Type::kNegative) return event.integer;
  if (event.type != Event::Type::kNatural) fail("something else where an integer should be");
  if (event.natural > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fail("a number too large for its property");
  }
  return static_cast<std::int64_t>(event.natural);
}

std::uint64_t Decoder::natural() {
  const Event& event = next("integer");
  if (event.type == Event::Type::kNegative) fail("a negative number where none can be");
  if (event.type != Event::Type::kNatural) fail("something else where an integer should be");
  return event.natural;
}

double Decoder::real() {
  const Event& event = next("number");
  switch (event.type) {
    case Event::Type::kSingle:
    case Event::Type::kReal:
      return event.real;
    case Event::Type::kNatural:
      return static_cast<double>(event.natural);
    case Event::Type::kNegative:
      return static_cast<double>(event.integer);
    default:
      fail("something else where a number should be");
  }
}

std::string_view Decoder::text() {
  const Event& event = next("text");
  if (event.type != Event::Type::kText) fail("something else where a text should be");
  return {event.bytes, event.size};
}

std::size_t Decoder::array() {
  const Event& event = next("array");
  if (event.type != Event::Type::kArray) fail("something else where an array should be");
  return event.size;
}

std::size_t Decoder::map() {
  const Event& event = next("map");
  if (event.type != Event::Type::kMap) fail("something else where a map should be");
  return event.size;
}

void Decoder::skip() {
  for (std::uint64_t values = 1; values > 0; --values) {
    const Event& event = next("value");
    if (event.type == Event::Type::kArray) values += event.size;
    if (event.type == Event::Type::kMap) values += std::uint64_t{2} * event.size;
  }
}

void Decoder::copy(Encoder& out) {
  struct Sink {
    std::string& bytes;
    void write(const char* from, std::size_t size) { bytes.append(from, size); }
  } sink{out.out_};
  msgpack::packer<Sink> packer(sink);
  for (std::uint64_t values = 1; values > 0; --values) {
    const Event& event = next("value");
    switch (event.type) {
      case Event::Type::kNil:
        out.nil();
        break;
      case Event::Type::kBoolean:
        out.boolean(event.boolean);
        break;
      case Event::Type::kNatural:
        out.natural(event.natural);
        break;
      case Event::Type::kNegative:
        out.integer(event.integer);
        break;
      case Event::Type::kSingle:
        out.real(static_cast<float>(event.real));
        break;
      case Event::Type::kReal:
        out.real(event.real);
        break;
      case Event::Type::kText:
        out.text({event.bytes, event.size});
        break;
      case Event::Type::kBinary:
        packer.pack_bin(event.size).pack_bin_body(event.bytes, event.size);
        break;
      case Event::Type::kExtension:
        packer.pack_ext(event.size - 1, event.bytes[0]).pack_ext_body(event.bytes + 1, event.size - 1);
        break;
      case Event::Type::kArray:
        out.array(event.size);
        values += event.size;
        break;
      case Event::Type::kMap:
        out.map(event.size);
        values += std::uint64_t{2} * event.size;
        break;
    }
  }
}

}  // namespace autoshard
