#include "commands.h"

#include <autoshard/errors.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "looks.h"
#include "open_store.h"
#include "verify.h"

namespace autoshard::ctl {

int run(int count, const char* const* arguments, std::ostream& out, std::ostream& errors) {
  CLI::App app("Looks into a store of AutoShard. Changes nothing.", "autoshardctl");
  std::string store_name, kind, id, property, form;
  std::uint64_t limit = UINT64_MAX;
  Output output{out};
  app.add_option("STORE", store_name, "rocksdb:PATH")->required();
  app.add_flag("--json", output.is_json, "Print JSON, one document a line");
  app.footer("\nA program may have the store open meanwhile.");
  app.require_subcommand(1);
  app.fallthrough();

  int code = 0;
  const auto add = [&](const char* name, const char* description, std::function<void(Store&)> action) {
    CLI::App* command = app.add_subcommand(name, description);
    command->callback([&store_name, action = std::move(action)] { action(*open_to_look(store_name)); });
    return command;
  };
  const auto add_kind = [&](CLI::App* command) {
    command->add_option("KIND", kind, "The kind of the entity")->required();
  };
  const auto add_id = [&](CLI::App* command) {
    command->add_option("ID", id, "Its id: 42, ann, '\"42\"', or '[\"ann\", -7]'")->required();
  };
  const auto add_limit = [&](CLI::App* command) {
    command->add_option("--limit", limit, "Print so many at most");
  };

  add("info", "Records and bytes, by form", [&](Store& store) { show_info(store, output); });
  add("kinds", "Each kind of entity, and its records", [&](Store& store) { show_kinds(store, output); });
  CLI::App* get = add("get", "All records of an entity",
                      [&](Store& store) { code = show_entity(store, kind, id, output) ? 0 : 1; });
  add_kind(get);
  add_id(get);
  CLI::App* shards = add("shards", "The shards of a property, and how even they are", [&](Store& store) {
    code = show_shards(store, kind, id, property, output) ? 0 : 1;
  });
  add_kind(shards);
  add_id(shards);
  shards->add_option("PROPERTY", property, "As in the store: votes")->required();
  CLI::App* scan = add("scan", "Main records of a kind, as lines of JSON",
                       [&](Store& store) { show_entities(store, kind, limit, output); });
  add_kind(scan);
  add_limit(scan);
  CLI::App* records = add("records", "Every record, as lines of JSON",
                          [&](Store& store) { show_records(store, form, limit, output); });
  records->add_option("--form", form, "Of this form alone, such as 'token'");
  add_limit(records);
  add("indexes", "Each index, and its state", [&](Store& store) { show_indexes(store, output); });
  add("verify", "Look for what cannot be; exit 1 if there is any",
      [&](Store& store) { code = verify(store, output) > 0 ? 1 : 0; });

  try {
    app.parse(count, arguments);
    if (!out.flush()) throw std::runtime_error("the output could not be written");
    if (code == 1 && app.get_subcommands().front()->get_name() != "verify")
      errors << "autoshardctl: there is no record of this in " << store_name << '\n';
    return code;
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error, out, errors);
    return status == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    errors << "autoshardctl: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace autoshard::ctl
