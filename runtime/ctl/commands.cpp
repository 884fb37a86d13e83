#include "commands.h"

#include <autoshard/errors.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copy.h"
#include "json_lines.h"
#include "looks.h"
#include "open_store.h"
#include "record_json.h"
#include "verify.h"

namespace autoshard::ctl {
namespace {

/// Tells how far a copy is: in one line of a terminal, or in lines for a program.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& out)
      : out_(out), is_terminal_(&out == &std::cerr && isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (is_terminal_) out_ << kClear << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_terminal() const { return is_terminal_; }
  void show(CopyPhase phase, std::uint64_t records) const {
    const char* const verb = phase == CopyPhase::kCheck   ? "checking"
                             : phase == CopyPhase::kWrite ? "writing"
                                                          : "comparing";
    out_ << (is_terminal_ ? kClear : "") << fmt::format("{}: {} records", verb, records)
         << (is_terminal_ ? "" : "\n") << std::flush;
  }

 private:
  static constexpr const char* kClear = "\r\x1b[K";
  std::ostream& out_;
  const bool is_terminal_;
};

struct CopyFlags {
  bool is_live = false, replace = false, progress = false;
};

std::unique_ptr<Store> open_source(const std::string& name) try {
  return open_to_copy(name);
} catch (const StoreUnavailable& error) {
  if (!name.starts_with("rocksdb:")) throw;
  throw StoreUnavailable(std::string(error.what()) + ". 'copy --live' reads a store that a program has open");
}

void copy(const std::string& from, const std::string& to, const CopyFlags& flags, Output output,
          std::ostream& errors) {
  if (is_same_store(from, to)) throw InvalidUse("both names are of the same store; nothing was copied");
  const std::unique_ptr<Store> source = flags.is_live ? open_to_look(from) : open_source(from);
  const std::unique_ptr<Store> target = open_to_write(to);
  Copied copied;
  {
    const ProgressLine line(errors);
    CopyOptions options{.replace = flags.replace, .is_live = flags.is_live};
    if (flags.progress || line.is_terminal())
      options.progress = [&](CopyPhase phase, std::uint64_t records) { line.show(phase, records); };
    copied = copy(*source, *target, options);
  }
  if (output.is_json) {
    output.out << nlohmann::json{{"records", copied.records},
                                 {"bytes", copied.bytes},
                                 {"written", copied.written},
                                 {"removed", copied.removed},
                                 {"live", flags.is_live}}
               << '\n';
  } else {
    output.out << fmt::format(
        "{} records, {} bytes: {} written, {} removed; {}\n", copied.records, copied.bytes, copied.written,
        copied.removed, flags.is_live ? "copy again when no program writes" : "both stores hold the same");
  }
}

void import_file(const std::string& store, const std::string& path, Output output) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
  }
  std::istream& lines = path == "-" ? std::cin : file;
  if (lines.peek() == std::istream::traits_type::eof())
    throw InvalidUse("the file " + path + " cannot be read, or is empty");
  const std::unique_ptr<Store> to = open_to_write(store);
  const Imported imported = import_records(*to, lines);
  if (output.is_json) {
    output.out << nlohmann::json{{"records", imported.records}, {"written", imported.written}} << '\n';
  } else {
    output.out << fmt::format("{} records, {} written\n", imported.records, imported.written);
  }
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// What is wrong if `word` stands where a command is expected.
std::string about_unknown_command(const CLI::App& app, const std::string& store, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : commands_of(app)) commands.push_back(command->get_name());
  if (std::ranges::find(commands, store) != commands.end())
    return fmt::format("the store comes before the command: autoshardctl {} {}", word, store);
  return fmt::format("there is no command '{}'; there are {}", word, fmt::join(commands, ", "));
}

}  // namespace

int run(int count, const char* const* arguments, std::ostream& out, std::ostream& errors) {
  CLI::App app("Looks into a store of AutoShard, repairs and copies it.", "autoshardctl");
  std::string store_name, kind, id, property, form, target, removed_file, lines_file;
  CopyFlags copy_flags;
  std::uint64_t limit = UINT64_MAX;
  Output output{out};
  app.add_option("STORE", store_name, "rocksdb:PATH or mysql:[HOST:PORT/]DATABASE[.TABLE]")->required();
  app.add_flag("--json", output.is_json, "Print JSON, one document a line");
  app.footer(
      "\nA program may have the store open, except for import, --repair, and copy from\nRocksDB without "
      "--live.");
  app.set_version_flag("--version", "autoshardctl " AUTOSHARD_VERSION);
  app.require_subcommand(1);
  app.fallthrough();

  int code = 0;
  Missing missing;
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
    command->add_option("--limit", limit, "The most to print")->check([](const std::string& text) {
      const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
      return is_number && text.find_first_not_of('0') != std::string::npos ? ""
                                                                           : "write a number of at least 1";
    });
  };

  add("info", "Records and bytes, by form", [&](Store& store) { show_info(store, output); });
  add("kinds", "Each kind of entity, and its records", [&](Store& store) { show_kinds(store, output); });
  CLI::App* get = add("get", "All records of an entity",
                      [&](Store& store) { missing = show_entity(store, kind, id, output); });
  add_kind(get);
  add_id(get);
  CLI::App* shards = add("shards", "The shards of a property, and how even they are",
                         [&](Store& store) { missing = show_shards(store, kind, id, property, output); });
  add_kind(shards);
  add_id(shards);
  shards->add_option("PROPERTY", property, "As in the store: votes")->required();
  CLI::App* scan = add("scan", "Main records of a kind, as lines of JSON",
                       [&](Store& store) { missing = show_entities(store, kind, limit, output); });
  add_kind(scan);
  add_limit(scan);
  CLI::App* records = add("records", "Every record, as lines of JSON",
                          [&](Store& store) { show_records(store, form, limit, output); });
  records->add_option("--form", form, "Of this form alone, such as 'token'")
      ->check(CLI::IsMember(forms()).description(""));
  add_limit(records);
  add("indexes", "Each index, and its state", [&](Store& store) { show_indexes(store, output); });
  CLI::App* verification = app.add_subcommand("verify", "Find damaged records; exit 1 if any is left");
  const CLI::Option* const repairs =
      verification->add_option("--repair", removed_file, "Repair what is safe; keep removed records in FILE");
  verification->callback([&] {
    if (repairs->count() == 0) {
      code = verify(*open_to_look(store_name), output) > 0 ? 1 : 0;
      return;
    }
    const std::unique_ptr<Store> store = open_rocksdb_alone(store_name);
    Repair repair(*store, removed_file);
    code = verify(*store, output, &repair) > 0 ? 1 : 0;
  });
  CLI::App* exporting = add("export", "Records with their values, as lines of JSON",
                            [&](Store& store) { missing = export_records(store, kind, output); });
  exporting->add_option("KIND", kind, "Of entities of this kind alone");
  CLI::App* importing = app.add_subcommand("import", "Write the records of an export that STORE lacks");
  importing->add_option("FILE", lines_file, "From export or --repair; - is standard input")->required();
  importing->callback([&] { import_file(store_name, lines_file, output); });
  CLI::App* copying = app.add_subcommand("copy", "Copy all records into another store");
  copying->add_option("TO", target, "rocksdb:PATH or mysql:[HOST:PORT/]DATABASE[.TABLE]")->required();
  copying->add_flag("--live", copy_flags.is_live, "While a program writes to STORE; then copy again");
  copying->add_flag("--replace", copy_flags.replace, "Replace and remove other records of TO");
  copying->add_flag("--progress", copy_flags.progress, "Print how far it is, as lines for a program");
  copying->callback([&] { copy(store_name, target, copy_flags, output, errors); });

  if (count == 3 && (arguments[2] == std::string_view("--help") || arguments[2] == std::string_view("-h"))) {
    for (const CLI::App* command : commands_of(app)) {
      if (command->get_name() != arguments[1]) continue;
      out << command->help(app.get_name());
      return 0;
    }
  }
  try {
    app.parse(count, arguments);
    if (!out.flush()) throw std::runtime_error("the output could not be written");
    if (missing.empty()) return code;
    errors << fmt::format("autoshardctl: in {}, {}\n", store_name, missing);
    return 1;
  } catch (const CLI::RequiredError& error) {
    if (app.get_subcommands().empty() && !app.remaining().empty() && app.remaining().front()[0] != '-') {
      errors << "autoshardctl: " << about_unknown_command(app, store_name, app.remaining().front()) << '\n';
    } else {
      app.exit(error, out, errors);
    }
    return 2;
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error, out, errors);
    return status == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    errors << "autoshardctl: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace autoshard::ctl
