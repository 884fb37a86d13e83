#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <limits>
#include <msgpack.hpp>
#include <string>

#include "keys.h"

namespace autoshard {

/// Notes what msgpack-cxx meets, one event a value. Returning false stops it.
struct Decoder::Recorder : msgpack::null_visitor {
  using Type = Event::Type;

  std::vector<Event>& events;
  std::size_t depth = 0;

  explicit Recorder(std::vector<Event>& out) : events(out) {}

  Event& add(Type type, std::uint32_t size = 0) {
    Event& event = events.emplace_back();
    event.type = type;
    event.size = size;
    return event;
  }
  bool add(Type type, const char* bytes, std::uint32_t size) {
    add(type, size).bytes = bytes;
    return true;
  }

  bool visit_nil() {
    add(Type::kNil);
    return true;
  }
  bool visit_boolean(bool value) {
    add(Type::kBoolean).boolean = value;
    return true;
  }
  bool visit_positive_integer(std::uint64_t value) {
    add(Type::kNatural).natural = value;
    return true;
  }
  bool visit_negative_integer(std::int64_t value) {
    add(Type::kNegative).integer = value;
    return true;
  }
  bool visit_float32(float value) {
    add(Type::kSingle).real = static_cast<double>(value);
    return true;
  }
  bool visit_float64(double value) {
    add(Type::kReal).real = value;
    return true;
  }
  bool visit_str(const char* bytes, std::uint32_t size) { return add(Type::kText, bytes, size); }
  bool visit_bin(const char* bytes, std::uint32_t size) { return add(Type::kBinary, bytes, size); }
  bool visit_ext(const char* bytes, std::uint32_t size) {
    return size > 0 &&
           add(Type::kExtension, bytes, size);  // its type and its bytes; 0 is an overflow of both
  }
  bool start_array(std::uint32_t elements) {
    add(Type::kArray, elements);
    return ++depth <= kDeepestRecord;
  }
  bool end_array() {
    --depth;
    return true;
  }
  bool start_map(std::uint32_t entries) {
    add(Type::kMap, entries);
    return ++depth <= kDeepestRecord;
  }
  bool end_map() {
    --depth;
    return true;
  }
};

Decoder::Decoder(std::string_view key, std::string_view record) : key_(key) {
  events_.reserve(std::min<std::size_t>(record.size(), 32));  // a value takes a byte at least
  Recorder recorder(events_);
  std::size_t end = 0;
  if (record.empty() || !msgpack::parse(record.data(), record.size(), end, recorder) ||
      end != record.size()) {
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
