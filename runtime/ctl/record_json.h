#pragma once

/// Records of a store as JSON, by runtime/FORMAT.md alone: without the classes of the application.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::ctl {

using Json = nlohmann::ordered_json;

/// Returns the forms of records, as `describe_record` names them.
std::vector<std::string> forms();

/// The key of the clock of the store.
inline constexpr std::string_view kStoreClockKey("\0\1clock\0\1", 9);

/// Returns the time in the record of that clock, in milliseconds; 0 if it is damaged.
std::uint64_t store_clock_in(std::string_view value);

/// Returns the prefix of the keys of all tokens. That of a kind or an entity follows it.
std::string tokens_key();

/// Returns the prefix of the keys of the expiry records of a kind.
std::string expiries_key(std::string_view kind);

/// Describes a record. Accepts any bytes. The members:
/// - "form": one of `forms()`;
/// - "kind", "id" and "property", if the record has them;
/// - further members that depend on the form, such as "number", "epoch" and "part" of a shard;
/// - "problem", if the value is not one that the format allows;
/// - "key", and "bytes" of the value if nothing else shows it: both in hex.
Json describe_record(std::string_view key, std::string_view value);

/// Returns a value of MessagePack. A text that is not UTF-8 is {"$bytes": hex}. A map whose keys are not all
/// texts is
/// {"$map": [[key, value], …]}. Throws `CorruptRecord` if `bytes` is not one value; `key` is that of the
/// record.
Json to_json(std::string_view key, std::string_view bytes);

/// Returns a text as it is, and any other value as JSON.
std::string text_of(const Json& json);

/// Returns an id as a user writes it, see `id_from_text`, as JSON.
Json id_value(std::string_view text);

/// Returns the form in keys of an id as a user writes it: `42`, `"ann"`, `["ann", -7]`, or a text without
/// quotes. Throws `InvalidUse` for JSON that is no id.
std::string id_from_text(std::string_view text);

/// Returns the key of the entity of a kind with this id, in the form of keys.
std::string entity_key_of(std::string_view kind, std::string_view id);

}  // namespace autoshard::ctl
