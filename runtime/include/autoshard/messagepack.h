#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard {

/// How deep the containers of a record may lie in one another: a struct may hold a vector of itself, and is
/// read recursively then.
inline constexpr std::size_t kDeepestNesting = 256;

/// Appends MessagePack to a string, which must outlive it. Throws `std::length_error` for what MessagePack
/// cannot hold: a text or container of 2^32 elements.
class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}
  /// Writes to `out` what will be a part of what `outer` writes.
  Encoder(std::string& out, const Encoder& outer) : out_(out), depth_(outer.depth_) {}

  /// While it lives, values are written one level deeper. Throws `std::length_error` where a decoder would
  /// refuse to follow.
  class Level {
   public:
    explicit Level(Encoder& out);
    ~Level() { --out_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Encoder& out_;
  };

  void nil();
  void boolean(bool value);
  void integer(std::int64_t value);
  void natural(std::uint64_t value);
  void real(float value);
  void real(double value);
  void text(std::string_view value);
  void array(std::size_t elements);  ///< that many values follow
  void map(std::size_t entries);     ///< that many keys, each with its value, follow
  void encoded(std::string_view messagepack) { out_.append(messagepack); }

 private:
  friend class Decoder;
  std::string& out_;
  std::size_t depth_ = 1;  // the record itself is the first level
};

/// Reads the values of one record, in their order. The whole record is checked on construction, so that
/// nothing read later lies outside it; neither depth nor announced sizes are trusted. Every error is a
/// `CorruptRecord` that names the record.
class Decoder {
 public:
  /// `key` is the record's, for errors. Both must outlive the decoder.
  Decoder(std::string_view key, std::string_view record);
  ~Decoder();
  Decoder(Decoder&&) = default;
  Decoder& operator=(Decoder&&) = delete;

  bool nil();  ///< whether a nil comes next; reads it only then
  bool boolean();
  std::int64_t integer();
  std::uint64_t natural();
  double real();            ///< any number
  std::string_view text();  ///< a part of the record
  std::size_t array();      ///< how many values follow
  std::size_t map();        ///< how many keys, each with its value, follow

  void skip();              ///< one value with all that is in it
  void copy(Encoder& out);  ///< likewise, to `out`

  [[noreturn]] void fail(std::string_view what) const;  ///< throws `CorruptRecord`

 private:
  struct Event {
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
    Type type;
    std::uint32_t size;  // of bytes, elements or entries
    union {
      bool boolean;
      std::uint64_t natural;
      std::int64_t integer;
      double real;
      const char* bytes;
    };
  };
  struct Recorder;

  struct Kept;
  const Event& next(std::string_view expected);

  std::string_view key_;
  std::vector<Event> events_;
  std::size_t position_ = 0;
};

}  // namespace autoshard
