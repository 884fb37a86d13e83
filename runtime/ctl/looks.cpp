#include "looks.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "checked_keys.h"
#include "record_json.h"
#include "scan.h"
#include "table.h"

namespace autoshard::ctl {
namespace {

struct Count {
  std::uint64_t records = 0, bytes = 0;

  void add(std::string_view key, std::string_view value) {
    ++records;
    bytes += key.size() + value.size();
  }
};

/// The numbers of a kind, by form of record.
constexpr std::array kColumns = {"main record", "tombstone", "shard",       "delta",
                                 "element",     "bucket",    "index record"};

/// Whether a member of a described record is a time in milliseconds since 1970.
bool is_time(std::string_view name) { return name == "expires" || name == "begin" || name == "until"; }

/// A member of a described record, as people read it.
std::string shown(const std::string& name, const Json& value) {
  if (is_time(name) && value.is_number_integer() && value <= INT64_MAX)
    return time_text(value.get<std::int64_t>());
  if (name == "end") return value.dump() + " of the store's clock";
  if (name == "share") return value["least"].dump() + " to " + value["most"].dump();
  return value.is_string() && name != "part" ? value.get<std::string>() : value.dump();
}

/// Prints `name value` lines.
void print_facts(const Json& facts, std::ostream& out) {
  std::size_t width = 0;
  for (const auto& [name, value] : facts.items()) width = std::max(width, name.size());
  for (const auto& [name, value] : facts.items())
    out << fmt::format("  {:<{}}  {}\n", name, width, value.dump());
}

/// The members of a described record that tell it from its neighbours, and its value, in a line.
std::string line_of(const Json& record) {
  if (record.contains("problem"))
    return "UNREADABLE: " + text_of(record["problem"]) + ": " + text_of(record["bytes"]);
  std::string line;
  for (const auto& [name, value] : record.items()) {
    if (name == "form" || name == "kind" || name == "id" || name == "property" || name == "key") continue;
    if (name == "epoch" && value == 0) continue;
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, shown(name, value));
  }
  return line;
}

/// The kinds of the entities in the store. Reads one record of each, and all that are not of AutoShard.
std::set<std::string> kinds_of(const Snapshot& snapshot) {
  std::set<std::string> kinds;
  std::string begin = "\x01";  // other keys of AutoShard begin with a zero
  for (;;) {
    const std::unique_ptr<Cursor> cursor = snapshot.scan(begin, beyond_all_keys());
    if (!cursor->valid()) return kinds;
    const Json record = describe_record(cursor->key(), cursor->value());
    begin = std::string(cursor->key()) + '\0';
    if (!record.contains("kind")) continue;
    const std::string kind = text_of(record["kind"]);
    kinds.insert(kind);
    begin = std::max(begin, entity_key_of(kind, "") + '\xFF');
  }
}

Missing missing(const std::set<std::string>& kinds, const std::string& kind) {
  if (kinds.contains(kind))
    return fmt::format("no entity of kind {} has a main record; there are other records of this kind", kind);
  if (kinds.empty()) return fmt::format("there is no entity of kind {}, nor of any other", kind);
  return fmt::format("there is no entity of kind {}; the kinds are {}", kind, fmt::join(kinds, ", "));
}

}  // namespace

std::string time_text(std::int64_t milliseconds) {
  constexpr std::int64_t kYear0 = -62'167'219'200'000, kYear10000 = 253'402'300'800'000;
  if (milliseconds < kYear0 || milliseconds >= kYear10000) return std::to_string(milliseconds);
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(milliseconds)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(seconds.time_since_epoch().count()),
                     (time - seconds).count());
}

void show_info(Store& store, Output output) {
  std::map<std::string, Count> forms;
  Count all;
  std::optional<Json> format;
  for_each_record(*store.snapshot(), "", [&](std::string_view key, std::string_view value) {
    const Json record = describe_record(key, value);
    forms[text_of(record["form"])].add(key, value);
    all.add(key, value);
    if (record["form"] == "store record" && record["name"] == "autoshard") format = record["value"];
    return true;
  });
  Json info = {{"format", format.value_or(nullptr)}, {"records", all.records}, {"bytes", all.bytes}};
  if (output.is_json) {
    for (const auto& [form, count] : forms)
      info["forms"][form] = {{"records", count.records}, {"bytes", count.bytes}};
    output.out << info.dump() << '\n';
    return;
  }
  output.out << "format " << info["format"].dump() << ", " << with_commas(all.records) << " records, "
             << with_commas(all.bytes) << " bytes of keys and values\n\n";
  Table table({"form", "records", "bytes"});
  for (const auto& [form, count] : forms)
    table.add({form, with_commas(count.records), with_commas(count.bytes)});
  table.print(output.out);
}

void show_kinds(Store& store, Output output) {
  std::map<std::string, std::map<std::string, std::uint64_t>> kinds;
  std::map<std::string, std::uint64_t> bytes;
  for_each_record(*store.snapshot(), "", [&](std::string_view key, std::string_view value) {
    const Json record = describe_record(key, value);
    if (!record.contains("kind")) return true;
    const std::string kind = text_of(record["kind"]);
    ++kinds[kind][text_of(record["form"])];
    bytes[kind] += key.size() + value.size();
    return true;
  });
  Table table(
      {"kind", "entities", "erased", "shards", "deltas", "elements", "buckets", "index records", "bytes"});
  for (auto& [kind, forms] : kinds) {
    if (output.is_json) {
      Json line = {{"kind", kind}, {"bytes", bytes[kind]}};
      for (const auto& [form, records] : forms) line["forms"][form] = records;
      output.out << line.dump() << '\n';
      continue;
    }
    std::vector<std::string> row = {kind};
    for (const char* form : kColumns) row.push_back(with_commas(forms[form]));
    row.push_back(with_commas(bytes[kind]));
    table.add(std::move(row));
  }
  if (!output.is_json) table.print(output.out);
}

Missing show_entity(Store& store, const std::string& kind, const std::string& id, Output output) {
  const std::string entity = entity_key_of(kind, id_from_text(id));
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  bool is_there = false;
  std::string property;
  for_each_record(*snapshot, entity, [&](std::string_view key, std::string_view value) {
    const Json record = describe_record(key, value);
    if (output.is_json) {
      output.out << record.dump() << '\n';
    } else if (record["form"] == "main record" && !record.contains("problem")) {
      output.out << kind << ' ' << record["id"].dump() << ", version " << record["version"].dump();
      if (record.contains("expires")) output.out << ", expires " << shown("expires", record["expires"]);
      output.out << '\n';
      print_facts(record["properties"], output.out);
      if (record.contains("sharding")) {
        output.out << "sharding\n";
        print_facts(record["sharding"], output.out);
      }
    } else {
      if (record.contains("property") && text_of(record["property"]) != property) {
        property = text_of(record["property"]);
        output.out << property << '\n';
      }
      output.out << "  " << text_of(record["form"]) << ": " << line_of(record) << '\n';
    }
    is_there = true;
    return true;
  });
  return is_there ? "" : missing_entity(*snapshot, kind, id);
}

Missing show_shards(Store& store, const std::string& kind, const std::string& id, const std::string& property,
                    Output output) {
  const std::string entity = entity_key_of(kind, id_from_text(id));
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  std::vector<double> parts;
  double sum = 0;
  bool is_there = false;
  Table table({"form", "number", "begin", "end", "epoch", "part", "share"});
  for_each_record(*snapshot, entity, [&](std::string_view key, std::string_view value) {
    const Json record = describe_record(key, value);
    if (!record.contains("property") || text_of(record["property"]) != property) return true;
    is_there = true;
    if (output.is_json) {
      output.out << record.dump() << '\n';
      return true;
    }
    const auto cell = [&](const char* name) {
      return record.contains(name) ? shown(name, record[name]) : std::string();
    };
    table.add({cell("form"), cell(record.contains("partition") ? "partition" : "number"), cell("begin"),
               cell("end"), cell("epoch"), cell("part"), cell("share")});
    if (record["form"] == "shard" && record.contains("part") && record["part"].is_number()) {
      parts.push_back(record["part"].get<double>());
      sum += parts.back();
    }
    return true;
  });
  if (!is_there) return missing_shards(*snapshot, kind, id, property);
  if (output.is_json) return {};
  table.print(output.out);
  if (parts.size() > 1 && sum != 0) {
    const double most = *std::ranges::max_element(parts), mean = sum / static_cast<double>(parts.size());
    output.out << fmt::format("\n{} shards with numbers; the greatest part is {:.1f} times their mean\n",
                              parts.size(), most / mean);
  }
  return {};
}

Missing missing_entity(const Snapshot& snapshot, const std::string& kind, const std::string& id) {
  const std::set<std::string> kinds = kinds_of(snapshot);
  if (!kinds.contains(kind)) return missing(kinds, kind);
  return fmt::format("there is no {} {}", kind, id);
}

Missing missing_shards(const Snapshot& snapshot, const std::string& kind, const std::string& id,
                       const std::string& property) {
  std::set<std::string> sharded;
  bool is_there = false, is_in_main_record = false;
  for_each_record(snapshot, entity_key_of(kind, id_from_text(id)),
                  [&](std::string_view key, std::string_view value) {
                    const Json record = describe_record(key, value);
                    is_there = true;
                    if (record.contains("property")) sharded.insert(text_of(record["property"]));
                    if (record.contains("properties") && record["properties"].contains(property))
                      is_in_main_record = true;
                    return true;
                  });
  if (!is_there) return missing_entity(snapshot, kind, id);
  const std::string what =
      is_in_main_record ? fmt::format("'{}' of {} {} is in the main record alone", property, kind, id)
                        : fmt::format("nothing is stored of a property '{}' of {} {}", property, kind, id);
  return sharded.empty()
             ? what + ", and no sharded property has records"
             : fmt::format("{}; sharded properties with records: {}", what, fmt::join(sharded, ", "));
}

Missing missing_kind(const Snapshot& snapshot, const std::string& kind) {
  return missing(kinds_of(snapshot), kind);
}

Missing show_entities(Store& store, const std::string& kind, const Where* where, std::uint64_t limit,
                      Output output) {
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  bool is_kind_there = false, is_one_there = false;
  std::set<std::string> unknown;  // members of the condition that no record has
  for_each_record(*snapshot, entity_key_of(kind, ""), [&](std::string_view key, std::string_view value) {
    if (detail::parse_checked_key(key).kind != detail::CheckedKey::kMain) return true;
    const Json record = describe_record(key, value);
    if (record["form"] != "main record") return true;
    Json line = {{"@id", record["id"]}};
    if (record.contains("problem")) {
      line["@problem"] = record["problem"];
    } else {
      line.update(record["properties"]);
    }
    if (where) {
      const std::vector<std::string> missing = where->missing_in(line);
      const std::set<std::string> lacks(missing.begin(), missing.end());
      if (!is_kind_there) {
        unknown = lacks;
      } else {
        std::erase_if(unknown, [&](const std::string& member) { return !lacks.contains(member); });
      }
    }
    is_kind_there = true;
    if (where && !where->holds(line)) return true;
    is_one_there = true;
    output.out << line.dump() << '\n';
    return --limit > 0;
  });
  if (!is_kind_there) return missing_kind(*snapshot, kind);
  if (is_one_there) return {};
  if (unknown.empty()) return fmt::format("the condition holds for no {}", kind);
  return fmt::format(
      "the condition holds for no {}; no main record has the member {}: sharded members have "
      "records of their own",
      kind, fmt::join(unknown, ", "));
}

namespace {

/// A span of milliseconds as hours, minutes and seconds.
std::string span_text(std::uint64_t milliseconds) {
  const std::uint64_t seconds = milliseconds / 1000;
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/// For how long a token counts. `now`: the time of the store's clock.
std::string rest_of_token(const Json& token, std::uint64_t now) {
  if (token.contains("problem")) return "UNREADABLE: " + text_of(token["problem"]);
  if (!token.contains("end")) return "until " + shown("until", token["until"]) + " by the clocks of machines";
  const std::int64_t end = token["end"].get<std::int64_t>();
  if (end < 0 || static_cast<std::uint64_t>(end) <= now) return "ended: maintenance may remove it";
  return span_text(static_cast<std::uint64_t>(end) - now) + " by the store's clock";
}

}  // namespace

Missing show_tokens(Store& store, const std::string& kind, const std::string& id, std::uint64_t limit,
                    Output output) {
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  std::string clock;
  const std::uint64_t now = snapshot->get(kStoreClockKey, clock) ? store_clock_in(clock) : 0;
  std::string prefix = tokens_key();
  if (!kind.empty()) prefix += entity_key_of(kind, id.empty() ? "" : id_from_text(id));
  bool is_there = false;
  Table table({"kind", "id", "token", "counts for"});
  for_each_record(*snapshot, prefix, [&](std::string_view key, std::string_view value) {
    const Json token = describe_record(key, value);
    if (token["form"] != "token") return true;
    is_there = true;
    if (output.is_json) {
      output.out << token.dump() << '\n';
    } else {
      table.add(
          {text_of(token["kind"]), token["id"].dump(), text_of(token["token"]), rest_of_token(token, now)});
    }
    return --limit > 0;
  });
  if (is_there && !output.is_json) table.print(output.out);
  if (is_there) return {};
  return kind.empty() ? "there is no token"
                      : fmt::format("there is no token of {}{}{}", kind, id.empty() ? "" : " ", id);
}

void show_records(Store& store, const std::string& form, std::uint64_t limit, Output output) {
  for_each_record(*store.snapshot(), "", [&](std::string_view key, std::string_view value) {
    const Json record = describe_record(key, value);
    if (!form.empty() && record["form"] != form) return true;
    output.out << record.dump() << '\n';
    return --limit > 0;
  });
}

}  // namespace autoshard::ctl
