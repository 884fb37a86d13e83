#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace autoshard {

/// The largest nesting of containers in a record. A struct may hold a vector of itself, and is then read
/// recursively.
inline constexpr std::size_t kDeepestNesting = 256;

/// Appends MessagePack to a string, which must outlive the encoder. Throws `InvalidUse` for a value that
/// MessagePack cannot hold: a text or container of 2^32 elements. Values of one byte are written inline here.
class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}
  /// Encodes into `out` a part of the value that `outer` writes.
  Encoder(std::string& out, const Encoder& outer) : out_(out), depth_(outer.depth_) {}

  /// Values are written one level deeper while the object lives. Throws `InvalidUse` if a decoder would
  /// refuse the depth.
  class Level {
   public:
    explicit Level(Encoder& out);
    ~Level() { --out_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Encoder& out_;
  };

  void nil() { out_.push_back('\xC0'); }
  void boolean(bool value) { out_.push_back(value ? '\xC3' : '\xC2'); }
  void integer(std::int64_t value);
  void natural(std::uint64_t value) {
    value < 0x80 ? out_.push_back(static_cast<char>(value)) : large_natural(value);
  }
  void real(float value);
  void real(double value);
  void text(std::string_view value) {
    if (value.size() >= 32) return long_text(value);
    out_.push_back(static_cast<char>(0xA0 | value.size()));
    out_.append(value);
  }
  /// Begins an array; `elements` values follow.
  void array(std::size_t elements) {
    elements < 16 ? out_.push_back(static_cast<char>(0x90 | elements)) : large_array(elements);
  }
  /// Begins a map; `entries` keys follow, each with its value.
  void map(std::size_t entries) {
    entries < 16 ? out_.push_back(static_cast<char>(0x80 | entries)) : large_map(entries);
  }
  void encoded(std::string_view messagepack) { out_.append(messagepack); }

 private:
  void long_text(std::string_view value);
  void large_natural(std::uint64_t value);
  void large_array(std::size_t elements);
  void large_map(std::size_t entries);

  friend class Decoder;
  std::string& out_;
  std::size_t depth_ = 1;  // the record itself is the first level
};

/// Reads the values of one record in their order. The constructor checks the whole record, so no later read
/// leaves it; neither nesting nor announced sizes are trusted. Every error is a `CorruptRecord` that names
/// the record.
class Decoder {
 public:
  /// `key` is the record's, for errors. Both must outlive the decoder.
  Decoder(std::string_view key, std::string_view record);
  /// Reads only the first `elements` values of an array or map, if there are so many; keys and values each
  /// count. The values after them are not checked.
  Decoder(std::string_view key, std::string_view record, std::size_t elements);

  bool nil();  ///< reads a nil if it comes next; returns whether it did
  bool boolean();
  std::int64_t integer() {
    if (rest_.empty() || (rest_.front() & 0x80) != 0) return large_integer();
    return small();
  }
  std::uint64_t natural() {
    if (rest_.empty() || (rest_.front() & 0x80) != 0) return large_natural();
    return static_cast<std::uint64_t>(small());
  }
  double real();  ///< reads a number of any type
  /// Returns a part of the record.
  std::string_view text() {
    if (rest_.empty() || (rest_.front() & 0xE0) != 0xA0) return long_text();
    const std::string_view value = rest_.substr(1, static_cast<std::size_t>(rest_.front() & 0x1F));
    rest_.remove_prefix(1 + value.size());
    return value;
  }
  /// Returns the number of values that follow.
  std::size_t array() { return begins(0x90) ? small_size() : large_array(); }
  /// Returns the number of keys that follow, each with its value.
  std::size_t map() { return begins(0x80) ? small_size() : large_map(); }

  void skip();              ///< skips one value with everything in it
  void copy(Encoder& out);  ///< copies one value with everything in it to `out`

  /// Sets the property to which the next values belong, for errors. The name must outlive the decoder.
  void begin_property(std::string_view name) { property_ = name; }

  [[noreturn]] void fail(std::string_view what) const;  ///< throws `CorruptRecord`

 private:
  struct Head;

  std::size_t check(std::size_t elements) const;
  std::int64_t large_integer();
  std::uint64_t large_natural();
  std::string_view long_text();
  std::size_t large_array();
  std::size_t large_map();

  /// Returns whether the next value is a small container of this kind.
  bool begins(unsigned kind) const {
    return !rest_.empty() && (static_cast<unsigned char>(rest_.front()) & 0xF0U) == kind;
  }
  /// Reads a value that is encoded in its first byte.
  char small() {
    const char value = rest_.front();
    rest_.remove_prefix(1);
    return value;
  }
  std::size_t small_size() {
    const char tag = rest_.front();
    rest_.remove_prefix(1);
    return static_cast<std::size_t>(tag & 0x0F);
  }
  Head next(const char* expected);
  std::string_view bytes(const Head& head);

  std::string_view key_;
  std::string_view rest_;      // the unread part of the checked record
  std::string_view property_;  // empty: no property
};

}  // namespace autoshard
