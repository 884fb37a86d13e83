#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace autoshard {

/// How many containers of a record may lie in each other, the record itself included: decoding is recursive.
inline constexpr std::size_t kDeepestRecord = 256;

/// Appends MessagePack to a string, which must outlive it. Throws `std::length_error` for what no record can
/// hold: a text or container of 2^32 elements, or values nested too deep to be read again.
class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  /// For a part of what the other one writes, which is put there later.
  Encoder(std::string& out, const Encoder& whole) : out_(out), depth_(whole.depth_) {}

  /// To be held while the values in a container are written. Throws if that is nested too deep.
  class Level {
   public:
    explicit Level(Encoder& out) : depth_(out.depth_) {
      if (depth_ + 1 == kDeepestRecord) throw_too_deep();
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::size_t& depth_;
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
  [[noreturn]] static void throw_too_deep();

  std::string& out_;
  std::size_t depth_ = 0;  // of what is written next, in the value; the record adds one
};

/// Reads the values of one record, in their order. The whole record is checked on construction, so that
/// nothing read later lies outside it; neither depth nor announced sizes are trusted. Every error is a
/// `CorruptRecord` that names the record.
class Decoder {
 public:
  /// `key` is the record's, for errors. Both must outlive the decoder.
  Decoder(std::string_view key, std::string_view record);

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

  const Event& next(std::string_view expected);

  std::string_view key_;
  std::vector<Event> events_;
  std::size_t position_ = 0;
};

/// How a type that is none of those below is stored; specialise it for a type of your own:
///
///   template <>
///   struct autoshard::Codec<Money> {
///     static void encode(Encoder& out, const Money& money) { out.integer(money.cents()); }
///     static void decode(Decoder& in, Money& money) { money = Money::of_cents(in.integer()); }
///   };
///
/// Each writes, or reads, exactly one value; equal values must give equal bytes. One that writes containers
/// within containers holds an `Encoder::Level` for each.
template <class T>
struct Codec;

namespace detail {

template <class T, template <class...> class Template>
inline constexpr bool kIs = false;
template <template <class...> class Template, class... Args>
inline constexpr bool kIs<Template<Args...>, Template> = true;

template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;

template <class T>
inline constexpr bool kIsTimePoint = false;
template <class Clock, class Duration>
inline constexpr bool kIsTimePoint<std::chrono::time_point<Clock, Duration>> = true;

template <class T>
concept HasCodec = requires(Encoder& out, Decoder& in, const T& source, T& target) {
  Codec<T>::encode(out, source);
  Codec<T>::decode(in, target);
};

template <class Owner, class T>
concept Member = requires {
  Owner::members(static_cast<const T*>(nullptr));
};

template <class T>
inline constexpr bool kUnsupported = false;

}  // namespace detail

/// Appends a value. The members of a struct are those that `Owner`, the traits of the entity it occurs in,
/// lists.
template <class Owner, class T>
void encode(Encoder& out, const T& value) {
  using namespace detail;
  if constexpr (HasCodec<T>) {
    Codec<T>::encode(out, value);
  } else if constexpr (std::same_as<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::signed_integral<T>) {
    out.integer(value);
  } else if constexpr (std::unsigned_integral<T>) {
    out.natural(value);
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    out.real(value);
  } else if constexpr (std::is_enum_v<T>) {
    encode<Owner>(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::same_as<T, std::string>) {
    out.text(value);
  } else if constexpr (kIs<T, std::chrono::duration>) {
    encode<Owner>(out, value.count());
  } else if constexpr (kIsTimePoint<T>) {
    encode<Owner>(out, value.time_since_epoch());
  } else if constexpr (kIs<T, std::optional>) {
    if (!value) return out.nil();
    if constexpr (kIs<typename T::value_type, std::optional>) {
      const Encoder::Level level(out);
      out.array(1);  // tells its nil from this one's
      encode<Owner>(out, *value);
    } else {
      encode<Owner>(out, *value);
    }
  } else if constexpr (kIs<T, std::pair>) {
    const Encoder::Level level(out);
    out.array(2);
    encode<Owner>(out, value.first);
    encode<Owner>(out, value.second);
  } else if constexpr (kIs<T, std::map>) {
    const Encoder::Level level(out);
    out.map(value.size());
    for (const auto& [key, mapped] : value) {
      encode<Owner>(out, key);
      encode<Owner>(out, mapped);
    }
  } else if constexpr (kIs<T, std::unordered_map>) {
    const Encoder::Level level(out);
    // In the order of the encoded keys: the order of a hash table may differ between equal ones.
    std::vector<std::pair<std::string, const typename T::mapped_type*>> entries;
    entries.reserve(value.size());
    for (const auto& [key, mapped] : value) {
      Encoder key_out(entries.emplace_back(std::string(), &mapped).first, out);
      encode<Owner>(key_out, key);
    }
    std::sort(entries.begin(), entries.end());
    out.map(entries.size());
    for (const auto& [key, mapped] : entries) {
      out.encoded(key);
      encode<Owner>(out, *mapped);
    }
  } else if constexpr (kIs<T, std::vector> || kIsArray<T> || kIs<T, std::set>) {
    const Encoder::Level level(out);
    out.array(value.size());
    for (const typename T::value_type& element : value) encode<Owner>(out, element);
  } else if constexpr (Member<Owner, T>) {
    const Encoder::Level level(out);
    std::apply(
        [&](const auto&... member) {
          out.map(sizeof...(member));
          ((out.text(member.name), encode<Owner>(out, value.*member.member)), ...);
        },
        Owner::members(static_cast<const T*>(nullptr)));
  } else {
    static_assert(kUnsupported<T>, "AutoShard cannot store this type: specialise autoshard::Codec for it");
  }
}

template <class Owner, class T>
void decode(Decoder& in, T& value);

namespace detail {

/// Reads the value of the property of this name out of `properties`; false, reading nothing, if there is
/// none.
template <class Owner, class Properties, class T>
bool decode_property(const Properties& properties, Decoder& in, std::string_view name, T& object) {
  const auto matches = [&](const auto& property) {
    if (property.name != name) return false;
    decode<Owner>(in, object.*property.member);
    return true;
  };
  return std::apply([&](const auto&... property) { return (matches(property) || ...); }, properties);
}

template <class T>
T decode_integer(Decoder& in) {
  if constexpr (std::is_signed_v<T>) {
    const std::int64_t value = in.integer();
    if (!std::in_range<T>(value)) in.fail("a number too large for its property");
    return static_cast<T>(value);
  } else {
    const std::uint64_t value = in.natural();
    if (!std::in_range<T>(value)) in.fail("a number too large for its property");
    return static_cast<T>(value);
  }
}

}  // namespace detail

/// Reads one value. What a struct has no entry for keeps its value; entries that it does not know are
/// skipped.
template <class Owner, class T>
void decode(Decoder& in, T& value) {
  using namespace detail;
  if constexpr (HasCodec<T>) {
    Codec<T>::decode(in, value);
  } else if constexpr (std::same_as<T, bool>) {
    value = in.boolean();
  } else if constexpr (std::integral<T>) {
    using Plain = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<T>, std::make_unsigned_t<T>>;
    value = static_cast<T>(decode_integer<Plain>(in));
  } else if constexpr (std::same_as<T, double>) {
    value = in.real();
  } else if constexpr (std::same_as<T, float>) {
    const double number = in.real();
    constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
    if (number > kMost && number <= std::numeric_limits<double>::max())
      in.fail("a number too large for its property");
    if (number < -kMost && number >= std::numeric_limits<double>::lowest())
      in.fail("a number too small for its property");
    value = static_cast<float>(number);
  } else if constexpr (std::is_enum_v<T>) {
    // Where the underlying type is not fixed, not all its numbers are values of the enum, strictly speaking.
    // Nobody but the compiler knows which, and none takes advantage of it unless told to (-fstrict-enums).
    std::underlying_type_t<T> number{};
    decode<Owner>(in, number);
    value = static_cast<T>(number);
  } else if constexpr (std::same_as<T, std::string>) {
    value = in.text();
  } else if constexpr (kIs<T, std::chrono::duration>) {
    typename T::rep count{};
    decode<Owner>(in, count);
    value = T(count);
  } else if constexpr (kIsTimePoint<T>) {
    typename T::duration since_epoch{};
    decode<Owner>(in, since_epoch);
    value = T(since_epoch);
  } else if constexpr (kIs<T, std::optional>) {
    value.reset();
    if (in.nil()) return;
    if constexpr (kIs<typename T::value_type, std::optional>) {
      if (in.array() != 1) in.fail("an optional of several values");
    }
    typename T::value_type held{};
    decode<Owner>(in, held);
    value = std::move(held);
  } else if constexpr (kIs<T, std::pair>) {
    if (in.array() != 2) in.fail("a pair that has not two values");
    decode<Owner>(in, value.first);
    decode<Owner>(in, value.second);
  } else if constexpr (kIs<T, std::map> || kIs<T, std::unordered_map>) {
    value.clear();
    for (std::size_t entries = in.map(); entries > 0; --entries) {
      typename T::key_type key{};
      decode<Owner>(in, key);
      typename T::mapped_type mapped{};
      decode<Owner>(in, mapped);
      value.insert_or_assign(std::move(key), std::move(mapped));
    }
  } else if constexpr (kIs<T, std::vector> || kIs<T, std::set>) {
    value.clear();
    for (std::size_t elements = in.array(); elements > 0; --elements) {
      typename T::value_type element{};
      decode<Owner>(in, element);
      value.insert(value.end(), std::move(element));
    }
  } else if constexpr (kIsArray<T>) {
    if (in.array() != value.size()) in.fail("an array of another size");
    for (auto& element : value) decode<Owner>(in, element);
  } else if constexpr (Member<Owner, T>) {
    for (std::size_t entries = in.map(); entries > 0; --entries) {
      const std::string_view name = in.text();
      if (!decode_property<Owner>(Owner::members(static_cast<const T*>(nullptr)), in, name, value)) in.skip();
    }
  } else {
    static_assert(kUnsupported<T>, "AutoShard cannot store this type: specialise autoshard::Codec for it");
  }
}

}  // namespace autoshard
