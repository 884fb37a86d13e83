#include <optional>

#include "command_line.h"
#include "json_lines.h"
#include "looks.h"
#include "open_store.h"
#include "record_json.h"
#include "where.h"

namespace autoshard::ctl {

void add_looks(CommandLine& line) {
  const Output& output = line.output;
  line.add_look("info", "Records and bytes, by form", [&](Store& store) { show_info(store, output); });
  line.add_look("kinds", "Each kind of entity, and its records",
                [&](Store& store) { show_kinds(store, output); });

  line.add_entity(line.add_look("get", "All records of an entity", [&](Store& store) {
    line.missing = show_entity(store, line.kind, line.id, output);
  }));

  CLI::App* scan = line.add("scan", "Main records of a kind, as lines of JSON", [&] {
    const std::optional<Where> where = line.where ? std::optional<Where>(*line.where) : std::nullopt;
    line.missing =
        show_entities(*open_to_look(line.store), line.kind, where ? &*where : nullptr, line.limit, output);
  });
  line.add_kind(scan)->required();
  scan->add_option("--where", line.where, "Only these: 'level > 10 and team = \"red\"'");
  line.add_limit(scan);

  CLI::App* tokens = line.add_look(
      "tokens", "Idempotency keys, and for how long they count",
      [&](Store& store) { line.missing = show_tokens(store, line.kind, line.id, line.limit, output); });
  line.add_kind(tokens);
  line.add_id(tokens);
  line.add_limit(tokens);

  CLI::App* records = line.add_look("records", "Every record, as lines of JSON", [&](Store& store) {
    show_records(store, line.form, line.limit, output);
  });
  records->add_option("--form", line.form, "Of this form alone, such as 'token'")
      ->check(CLI::IsMember(forms()).description(""));
  line.add_limit(records);

  line.add_look("indexes", "Each index, and its state", [&](Store& store) { show_indexes(store, output); });

  CLI::App* exporting =
      line.add_look("export", "Records with their values, as lines of JSON",
                    [&](Store& store) { line.missing = export_records(store, line.kind, output); });
  exporting->add_option("KIND", line.kind, "Of entities of this kind alone");
}

}  // namespace autoshard::ctl
