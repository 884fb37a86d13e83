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
#include "hex.h"
#include "record_json.h"
#include "room.h"
#include "scan.h"

namespace autoshard::ctl {
namespace {

constexpr std::size_t kBatch = 1000;

class Import {
 public:
  Import(Store& to, std::istream& lines, bool replace)
      : to_(to), lines_(lines), replace_(replace), traits_(to.traits()) {}

  Imported run() {
    for (std::string line; std::getline(lines_, line);) {
      ++line_;
      if (line.empty()) continue;
      auto [key, value] = record_of(line);
      ++imported_.records;
      // A batch has one value for a key, so that the next one is compared with it.
      if (!room_.is_left() || batch_.contains(key)) commit_all();
      room_.take(key.size() + value.size());
      batch_[std::move(key)] = {line_, std::move(value)};
    }
    if (lines_.bad()) throw InvalidUse("the records could not be read");
    commit_all();
    return imported_;
  }

 private:
  struct Wanted {
    std::uint64_t line = 0;
    std::string value;
  };

  [[noreturn]] void refuse(std::uint64_t line, const std::string& why) const {
    throw InvalidUse(fmt::format("line {}: {}", line, why));
  }

  std::pair<std::string, std::string> record_of(const std::string& line) const {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto bytes = [&](const char* name) {
      const auto member = json.is_object() ? json.find(name) : json.end();
      const std::optional<std::string> decoded = member != json.end() && member->is_string()
                                                     ? detail::from_hex(member->get<std::string>())
                                                     : std::nullopt;
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
        if (present && !replace_)
          refuse(wanted.line,
                 fmt::format("the store has another value of this record: add --replace to replace "
                             "it. Of the lines before, {} records were written",
                             imported_.written));
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

  Store& to_;
  std::istream& lines_;
  const bool replace_;
  const StoreTraits traits_;
  std::uint64_t line_ = 0;
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

Imported import_records(Store& to, std::istream& lines, bool replace) {
  return Import(to, lines, replace).run();
}

}  // namespace autoshard::ctl
