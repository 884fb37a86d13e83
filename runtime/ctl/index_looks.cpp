#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "checked_keys.h"
#include "looks.h"
#include "record_json.h"
#include "scan.h"
#include "table.h"

namespace autoshard::ctl {
namespace {

/// The indexes of the store, by the keys of their states.
std::map<std::string, Json> read_indexes(Store& store) {
  std::map<std::string, Json> indexes;
  for_each_record(*store.snapshot(), std::string_view("\0\2", 2),
                  [&](std::string_view key, std::string_view value) {
                    const Json record = describe_record(key, value);
                    if (!record.contains("index")) return true;
                    Json& index = indexes[detail::parse_checked_key(key).index];
                    index["kind"] = record["kind"];
                    index["index"] = record["index"];
                    index["definition"] = record["definition"];
                    if (!index.contains("state")) index["state"] = "given up";
                    if (!index.contains("records")) index["records"] = std::uint64_t{0};
                    if (record["form"] == "index state") {
                      index["state"] = !record.contains("complete") ? "unreadable"
                                       : record["complete"]         ? "complete"
                                                                    : "being built";
                    } else {
                      index["records"] = index["records"].get<std::uint64_t>() + 1;
                    }
                    return true;
                  });
  return indexes;
}

}  // namespace

void show_indexes(Store& store, Output output) {
  Table table({"kind", "index", "definition", "state", "records"});
  for (const auto& [key, index] : read_indexes(store)) {
    if (output.is_json) {
      output.out << index.dump() << '\n';
    } else {
      table.add({text_of(index["kind"]), text_of(index["index"]), text_of(index["definition"]),
                 text_of(index["state"]), with_commas(index["records"].get<std::uint64_t>())});
    }
  }
  if (!output.is_json) table.print(output.out);
}

bool show_index_builds(Store& store, Output output) {
  bool is_one_there = false;
  for (const auto& [key, index] : read_indexes(store)) {
    const std::string state = text_of(index["state"]), kind = text_of(index["kind"]);
    if (state == "complete") continue;
    is_one_there = true;
    const std::string call =
        fmt::format("admin::{}build_indexes<{}>(mapper)", state == "unreadable" ? "re" : "", kind);
    if (output.is_json) {
      Json line = index;
      line["call"] = call;
      output.out << line.dump() << '\n';
    } else {
      output.out << fmt::format("index {} of {} is {}: call {}\n", text_of(index["index"]), kind, state,
                                call);
    }
  }
  if (!is_one_there && !output.is_json)
    output.out << "each index in the store is complete; a program builds the indexes that a class has got "
                  "since, with admin::build_indexes\n";
  return is_one_there;
}

}  // namespace autoshard::ctl
