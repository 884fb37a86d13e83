#include <autoshard/codec.h>

#include <bit>
#include <limits>
#include <msgpack.hpp>
#include <stdexcept>
#include <string>

namespace autoshard {
namespace {

/// What msgpack-cxx writes to.
struct Sink {
  std::string& out;
  void write(const char* bytes, std::size_t size) { out.append(bytes, size); }
};

std::uint32_t checked(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("MessagePack holds no text or container of 2^32 elements or more");
  }
  return static_cast<std::uint32_t>(size);
}

template <class Pack>
void pack(std::string& out, Pack pack_one) {
  Sink sink{out};
  msgpack::packer<Sink> packer(sink);
  pack_one(packer);
}

/// A float by hand: msgpack-cxx makes integers of those that have the value of one, -0.0 among them.
template <class Bits>
void append_bits(std::string& out, char tag, Bits bits) {
  out.push_back(tag);
  for (std::size_t byte = sizeof(bits); byte-- > 0;) out.push_back(static_cast<char>(bits >> (8 * byte)));
}

}  // namespace

void Encoder::throw_too_deep() {
  throw std::length_error("a value holds containers within containers deeper than the " +
                          std::to_string(kDeepestRecord) +
                          " levels that AutoShard reads again: make it flatter");
}

void Encoder::nil() {
  pack(out_, [](auto& packer) { packer.pack_nil(); });
}

void Encoder::boolean(bool value) {
  pack(out_, [=](auto& packer) { value ? packer.pack_true() : packer.pack_false(); });
}

void Encoder::integer(std::int64_t value) {
  pack(out_, [=](auto& packer) { packer.pack_int64(value); });
}

void Encoder::natural(std::uint64_t value) {
  pack(out_, [=](auto& packer) { packer.pack_uint64(value); });
}

void Encoder::real(float value) { append_bits(out_, '\xCA', std::bit_cast<std::uint32_t>(value)); }

void Encoder::real(double value) { append_bits(out_, '\xCB', std::bit_cast<std::uint64_t>(value)); }

void Encoder::text(std::string_view value) {
  const std::uint32_t size = checked(value.size());
  pack(out_, [=](auto& packer) { packer.pack_str(size).pack_str_body(value.data(), size); });
}

void Encoder::array(std::size_t elements) {
  const std::uint32_t size = checked(elements);
  pack(out_, [=](auto& packer) { packer.pack_array(size); });
}

void Encoder::map(std::size_t entries) {
  const std::uint32_t size = checked(entries);
  pack(out_, [=](auto& packer) { packer.pack_map(size); });
}

}  // namespace autoshard
