#include "json_lines.h"

#include <autoshard/errors.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "changes.h"
#include "checked_keys.h"
#include "hex.h"
#include "record_json.h"
#include "room.h"
#include "scan.h"

namespace autoshard::ctl {
namespace {

constexpr std::size_t kBatch = 1000;

class Import {
 public:
  Import(Store& to, std::istream& lines)
      : to_(to), lines_(lines), before_(to.snapshot()), traits_(to.traits()) {}

  Imported run() {
    for (std::string line; std::getline(lines_, line);) {
      ++line_;
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty()) continue;
      auto [key, value] = record_of(line);
      ++imported_.records;
      if (const detail::CheckedKey parsed = detail::parse_checked_key(key);
          !parsed.is_of_entity() || parsed.entity != entity_) {
        end_entity();
        if (!room_.is_left()) commit_all();
        if (parsed.is_of_entity()) entity_ = parsed.entity;
      }
      if (const auto known = batch_.find(key); known != batch_.end() && known->second.value != value)
        refuse(line_, fmt::format("line {} has another value of this record", known->second.line));
      if (room_.is_left()) room_.take(key.size() + value.size());
      batch_[std::move(key)] = {line_, std::move(value)};
    }
    if (lines_.bad()) throw InvalidUse("the records could not be read");
    end_entity();
    commit_all();
    return imported_;
  }

 private:
  struct Wanted {
    std::uint64_t line = 0;
    std::string value;
  };

  [[noreturn]] void refuse(std::uint64_t line, const std::string& why) const {
    throw InvalidUse(fmt::format("line {}: {}. Of the lines before, {} records were written", line, why,
                                 imported_.written));
  }

  std::pair<std::string, std::string> record_of(const std::string& line) const {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto bytes = [&](const char* name) {
      const auto member = json.is_object() ? json.find(name) : json.end();
      const std::optional<std::string> decoded = member != json.end() && member->is_string()
                                                     ? detail::from_hex(member->get<std::string>())
                                                     : std::nullopt;
      if (!decoded && json.is_object() && json.contains("@id"))
        refuse(line_, "this is an entity of export_json: import it with import_json");
      if (!decoded) refuse(line_, R"(a record is {"key": "…", "value": "…"}, both in lower-case hex)");
      return *decoded;
    };
    std::pair record(bytes("key"), bytes("value"));
    const auto& [key, value] = record;
    if (key.empty() || is_reserved(key)) refuse(line_, "this key is reserved for the store");
    if (traits_.longest_key != 0 && key.size() > traits_.longest_key)
      throw KeyTooLong(fmt::format("line {}: the store allows keys of {} bytes, and this one has {}", line_,
                                   traits_.longest_key, key.size()));
    return record;
  }

  /// The lines of an entity stand together, and are written together: if the store has other parts of it,
  /// parts of two states would count.
  void end_entity() {
    if (entity_.empty()) return;
    for_each_record(*before_, entity_, [&](std::string_view key, std::string_view /*value*/) {
      if (!batch_.contains(std::string(key)))
        refuse(line_,
               fmt::format("before this line, an entity ends of which the store has another record, {}",
                           detail::to_hex(key)));
      return true;
    });
    entity_.clear();
  }

  void commit_all() {
    if (batch_.empty()) return;
    std::vector<Change> changes;
    {
      const std::unique_ptr<Snapshot> before = to_.snapshot();
      std::string value;
      for (auto& [key, wanted] : batch_) {
        std::optional<std::string> present;
        if (before->get(key, value)) present = value;
        if (present == wanted.value) continue;
        if (present) refuse(wanted.line, "the store has another value of this record");
        if (is_state_of_index_that_lacks_entries(key))
          refuse(wanted.line,
                 "the store has entities of this kind, and not this index: import into a store without them");
        changes.push_back({key, std::move(present), std::move(wanted.value)});
      }
    }
    detail::commit_in_halves(std::span<const Change>(changes), [&](std::span<const Change> some) {
      if (const std::optional<std::string> key = commit_changes(to_, some))
        refuse(batch_.at(*key).line, "another program writes to the store: stop it, and import again");
    });
    imported_.written += changes.size();
    batch_.clear();
    room_ = detail::Room(traits_, kBatch);
  }

  bool is_state_of_index_that_lacks_entries(const std::string& key) const {
    const detail::CheckedKey parsed = detail::parse_checked_key(key);
    if (parsed.kind != detail::CheckedKey::kIndexState) return false;
    const std::string entities = detail::entities_of_generation(parsed.indexes);
    return before_->scan(entities, entities + '\xFF')->valid();
  }

  Store& to_;
  std::istream& lines_;
  const std::unique_ptr<Snapshot> before_;
  const StoreTraits traits_;
  std::uint64_t line_ = 0;
  std::string entity_;                   ///< whose lines are being read; empty if none
  std::map<std::string, Wanted> batch_;  ///< by key
  detail::Room room_{traits_, kBatch};
  Imported imported_;
};

}  // namespace

Missing export_records(Store& store, const std::string& kind, Output output) {
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  bool is_there = kind.empty();
  for_each_record(*snapshot, "", [&](std::string_view key, std::string_view value) {
    if (is_reserved(key)) return true;
    const Json record = describe_record(key, value);
    if (!kind.empty() && (!record.contains("kind") || record["kind"] != kind)) return true;
    is_there = true;
    Json line;
    for (const char* const name : {"form", "kind", "id"}) {
      if (record.contains(name)) line[name] = record[name];
    }
    line["key"] = detail::to_hex(key);
    line["value"] = detail::to_hex(value);
    output.out << line.dump() << '\n';
    return true;
  });
  return is_there ? "" : missing_kind(*snapshot, kind);
}

Imported import_records(Store& to, std::istream& lines) { return Import(to, lines).run(); }

}  // namespace autoshard::ctl
