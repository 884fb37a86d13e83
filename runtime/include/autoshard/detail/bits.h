#pragma once

#include <autoshard/messagepack.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace autoshard::detail {

/// A `std::bitset`. It is recognised by its members, so that <bitset> need not be read.
template <class T>
concept Bits = requires(const T& bits, T& changed) {
  typename T::reference;
  bits.to_ullong();
  bits.none();
  changed.flip().reset().set(bits.size());
};

/// Encodes an array of numbers, 64 bits each, the lowest first. The last number holds the highest bit that is
/// set.
template <Bits T>
void encode_bits(Encoder& out, const T& bits) {
  std::vector<std::uint64_t> words;
  for (std::size_t at = 0; at < bits.size(); ++at) {
    if (!bits[at]) continue;
    words.resize(at / 64 + 1);
    words.back() |= std::uint64_t{1} << at % 64;
  }
  const Encoder::Level level(out);
  out.array(words.size());
  for (const std::uint64_t word : words) out.natural(word);
}

/// Decodes such an array. A bit that `bits` does not have is an error.
template <Bits T>
void decode_bits(Decoder& in, T& bits) {
  bits.reset();
  const std::size_t words = in.array();
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t rest = in.natural();
    if (rest == 0 && word + 1 == words) in.fail("a bitset with a last number that is 0");
    for (; rest != 0; rest &= rest - 1) {
      const std::size_t at = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      if (at >= bits.size()) in.fail("a bit that its bitset does not have");
      bits.set(at);
    }
  }
}

}  // namespace autoshard::detail
