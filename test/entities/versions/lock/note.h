#pragma once

#include <autoshard/codec.h>

#include <chrono>
#include <stdexcept>
#include <string>

/// What both versions of the class Lock share.
namespace locks {

using Time = std::chrono::system_clock::time_point;

/// A member whose codec may throw.
struct Note {
  std::string text;
};

inline const Note kUnwritable{"unwritable"};

inline constexpr long kMostUses = 1'000'000;
inline constexpr long kFirstUses =
    600'000;  ///< of a Lock whose uses were never set; two of them are too many

/// The fold of the uses, which may throw.
inline long add_uses(long x, long y) {
  if (x + y > kMostUses) throw std::out_of_range("used too often");
  return x + y;
}

}  // namespace locks

template <>
struct autoshard::Codec<locks::Note> {
  static void encode(Encoder& out, const locks::Note& note) {
    if (note.text == locks::kUnwritable.text) throw std::domain_error("this note cannot be written");
    out.text(note.text);
  }
  static void decode(Decoder& in, locks::Note& note) { note.text = in.text(); }
};
