#include "checked_values.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

namespace autoshard::detail {
namespace {

/// Returns the result of `read`; empty if it throws `CorruptRecord` or returns nothing.
template <class Read>
auto unless_corrupt(Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const CorruptRecord&) {
    return std::nullopt;
  }
}

std::string copy_of(Decoder& in) {
  std::string bytes;
  Encoder out(bytes);
  in.copy(out);
  return bytes;
}

bool read_layouts(Decoder& in, CheckedMain& main) {
  for (std::size_t left = in.map(); left > 0; --left) {
    std::string name(in.text());
    if (in.array() != 2) return false;
    const std::uint64_t shards = in.natural(), epoch = in.natural();
    if (shards > 0xFFFF || !main.layouts.try_emplace(std::move(name), shards, epoch).second) return false;
  }
  return true;
}

/// The version is first, followed by `@sharding` and `@expires`. No name occurs twice, and no other name is
/// reserved.
std::optional<CheckedMain> read_map(Decoder& in) {
  CheckedMain main;
  const std::size_t entries = in.map();
  for (std::size_t place = 0; place < entries; ++place) {
    std::string name(in.text());
    if ((place == 0) != (name == "@version")) return std::nullopt;
    if (place == 0) {
      main.version = in.natural();
    } else if (name == "@sharding") {
      if (place != 1 || !read_layouts(in, main)) return std::nullopt;
    } else if (name == "@expires") {
      if (place > 2 || !main.entries.empty()) return std::nullopt;
      main.expires = in.integer();
    } else if (name.starts_with('@') || !main.entries.try_emplace(std::move(name), copy_of(in)).second) {
      return std::nullopt;
    }
  }
  if (main.version >> 32 == 0) return std::nullopt;
  return main;
}

}  // namespace

std::optional<CheckedMain> read_checked_main(std::string_view key, std::string_view record) {
  if (is_checked_nil(record)) return CheckedMain{.is_tombstone = true};
  return unless_corrupt([&] {
    Decoder in(key, record);
    return read_map(in);
  });
}

std::optional<CheckedShard> read_checked_shard(std::string_view key, std::string_view record) {
  return unless_corrupt([&]() -> std::optional<CheckedShard> {
    Decoder in(key, record);
    CheckedShard shard{.elements = in.array()};
    if (shard.elements == 0 || shard.elements > 4) return std::nullopt;
    shard.value = copy_of(in);
    if (shard.elements > 1) shard.epoch = in.natural();
    if (shard.elements == 3) shard.third = in.natural();
    if (shard.elements < 4) return shard;
    const std::int64_t least = in.integer();
    shard.share = {least, in.integer()};
    shard.part = Decoder(key, shard.value).integer();
    return shard;
  });
}

std::optional<std::uint64_t> read_checked_tail(std::string_view key, std::string_view tail) {
  if (tail.empty()) return 0;
  return read_checked_natural(key, tail);
}

std::optional<std::vector<std::int64_t>> read_checked_numbers(std::string_view key, std::string_view record,
                                                              std::size_t elements) {
  return unless_corrupt([&]() -> std::optional<std::vector<std::int64_t>> {
    Decoder in(key, record);
    if (in.array() != elements) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < elements; ++i) {
      const std::string bytes = copy_of(in);
      Decoder number(key, bytes);
      // Numbers drawn at random may have all 64 bits.
      numbers.push_back(static_cast<unsigned char>(bytes.front()) == 0xCF
                            ? static_cast<std::int64_t>(number.natural())
                            : number.integer());
    }
    return numbers;
  });
}

std::optional<std::uint64_t> read_checked_natural(std::string_view key, std::string_view record) {
  return unless_corrupt([&] { return std::optional(Decoder(key, record).natural()); });
}

bool is_checked_integer(std::string_view key, std::string_view record) {
  return read_checked_natural(key, record) ||
         unless_corrupt([&] { return std::optional(Decoder(key, record).integer()); });
}

bool is_checked_nil(std::string_view record) { return record == "\xC0"; }

bool is_checked_boolean(std::string_view record) { return record == "\xC2" || record == "\xC3"; }

std::optional<std::string> read_checked_text(std::string_view key, std::string_view record) {
  return unless_corrupt([&] { return std::optional(std::string(Decoder(key, record).text())); });
}

}  // namespace autoshard::detail
