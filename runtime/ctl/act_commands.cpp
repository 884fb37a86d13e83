#include <autoshard/errors.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "backups.h"
#include "command_line.h"
#include "copy.h"
#include "erase.h"
#include "json_lines.h"
#include "open_store.h"
#include "progress.h"
#include "record_json.h"
#include "resize.h"
#include "table.h"
#include "tidy.h"
#include "verify.h"

namespace autoshard::ctl {
namespace {

std::unique_ptr<Store> open_source(const std::string& name) try {
  return open_to_change(name);
} catch (const StoreUnavailable& error) {
  if (!name.starts_with("rocksdb:")) throw;
  throw StoreUnavailable(std::string(error.what()) + ". 'copy --live' reads a store that a program has open");
}

void run_copy(CommandLine& line) {
  const CommandLine::CopyFlags& flags = line.copy;
  if (is_same_store(line.store, line.target))
    throw InvalidUse("both names are of the same store; nothing was copied");
  const std::unique_ptr<Store> source = flags.is_live ? open_to_look(line.store) : open_source(line.store);
  const std::unique_ptr<Store> target = open_to_write(line.target);
  Copied copied;
  {
    const ProgressLine progress(line.errors, line.progress);
    CopyOptions options{.replace = flags.replace, .is_live = flags.is_live};
    if (progress.is_shown())
      options.progress = [&](CopyPhase phase, std::uint64_t records) {
        progress.show(phase == CopyPhase::kCheck   ? "checking"
                      : phase == CopyPhase::kWrite ? "writing"
                                                   : "comparing",
                      records, "records");
      };
    copied = copy(*source, *target, options);
  }
  if (line.output.is_json) {
    line.output.out << nlohmann::json{{"records", copied.records},
                                      {"bytes", copied.bytes},
                                      {"written", copied.written},
                                      {"removed", copied.removed},
                                      {"live", flags.is_live}}
                    << '\n';
  } else {
    line.output.out << fmt::format(
        "{} records, {} bytes: {} written, {} removed; {}\n", copied.records, copied.bytes, copied.written,
        copied.removed, flags.is_live ? "copy again when no program writes" : "both stores hold the same");
  }
}

void run_import(CommandLine& line) {
  std::ifstream file;
  if (line.file != "-") file.open(line.file);
  std::istream& lines = line.file == "-" ? std::cin : file;
  if (lines.peek() == std::istream::traits_type::eof())
    throw InvalidUse("the file " + line.file + " cannot be read, or is empty");
  const std::unique_ptr<Store> to = open_to_write(line.store);
  const Imported imported = import_records(*to, lines);
  if (line.output.is_json) {
    line.output.out << nlohmann::json{{"records", imported.records}, {"written", imported.written}} << '\n';
  } else {
    line.output.out << fmt::format("{} records, {} written\n", imported.records, imported.written);
  }
}

std::string shards_in_words(std::uint64_t shards) {
  return shards == 0 ? "a record of their own each" : counted(shards, "shard");
}

void run_shards(CommandLine& line) {
  if (!line.shards) {
    line.missing = show_shards(*open_to_look(line.store), line.kind, line.id, line.property, line.output);
    return;
  }
  const Resized resized =
      set_shards(*open_to_change(line.store), line.kind, line.id, line.property, *line.shards, line.missing);
  if (!line.missing.empty()) return;
  if (line.output.is_json) {
    Json json = {{"kind", line.kind}, {"id", id_value(line.id)}, {"property", line.property}};
    json["before"] = resized.has_entry ? Json(resized.before) : Json(nullptr);
    json["after"] = resized.after;
    line.output.out << json.dump() << '\n';
  } else {
    line.output.out << fmt::format(
        "{} of {} {}: updates go to {}; before: {}\n", line.property, line.kind, line.id,
        shards_in_words(resized.after),
        resized.has_entry ? shards_in_words(resized.before) : std::string("as the annotation says"));
  }
}

/// Asks a user at a terminal. Throws `InvalidUse` if the answer is no, or if there is no terminal.
void ask_before_erasing(CommandLine& line, Store& store) {
  if (isatty(STDIN_FILENO) == 0)
    throw InvalidUse("nothing was erased: standard input is no terminal, so add --yes");
  const EntityRecords records = count_records(store, line.kind, line.id, line.missing);
  if (!line.missing.empty()) return;
  line.errors << fmt::format("Erase {} {}: {}? [y/N] ", line.kind, line.id, records.in_words()) << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "y" && answer != "yes") throw InvalidUse("nothing was erased");
}

void run_erase(CommandLine& line) {
  const std::unique_ptr<Store> store = open_to_change(line.store);
  if (!line.yes) ask_before_erasing(line, *store);
  if (!line.missing.empty()) return;
  const EntityRecords records = erase_entity(*store, line.kind, line.id, line.missing);
  if (!line.missing.empty()) return;
  if (line.output.is_json) {
    Json json = {{"kind", line.kind},
                 {"id", id_value(line.id)},
                 {"removed", records.removed},
                 {"tokens", records.tokens}};
    line.output.out << json.dump() << '\n';
    return;
  }
  line.output.out << fmt::format("{} {} is erased; removed: {}\n", line.kind, line.id, records.in_words());
  if (records.tokens > 0)
    line.output.out << fmt::format("kept until they end, so that no update counts twice: {}\n",
                                   counted(records.tokens, "token"));
}

void run_compact(CommandLine& line) {
  const Tidied tidied = tidy(*open_to_change(line.store), line.kind, line.id, line.missing);
  if (!line.missing.empty()) return;
  if (line.output.is_json) {
    Json json = {{"erased", tidied.erased},
                 {"records", tidied.records},
                 {"buckets", tidied.buckets},
                 {"tokens", tidied.tokens},
                 {"deltas", tidied.deltas}};
    line.output.out << json.dump() << '\n';
    return;
  }
  line.output.out << fmt::format("removed: {} of {}, {}, {}\n", counted(tidied.records, "record"),
                                 counted(tidied.erased, "erased entity"),
                                 counted(tidied.buckets, "ended bucket"),
                                 counted(tidied.tokens, "ended token"));
  for (const auto& [kind, deltas] : tidied.deltas)
    line.output.out << fmt::format("{}: {} left. Folding takes the class: call admin::compact<{}>(mapper)\n",
                                   kind, counted(deltas, "delta"), kind);
}

void run_verify(CommandLine& line) {
  if (!line.repairs) {
    line.code = verify(*open_to_look(line.store), line.output) > 0 ? 1 : 0;
    return;
  }
  const std::unique_ptr<Store> store = open_rocksdb_alone(line.store, "repaired");
  Repair repair(*store, line.file);
  line.code = verify(*store, line.output, &repair) > 0 ? 1 : 0;
}

}  // namespace

void add_acts(CommandLine& line) {
  CLI::App* shards =
      line.add("shards", "The shards of a property, and how even they are", [&] { run_shards(line); });
  line.add_entity(shards);
  shards->add_option("PROPERTY", line.property, "As in the store: votes")->required();
  shards->add_option("--set", line.shards, "Spread updates over N shards; 0: one record each")
      ->type_name("N");

  CLI::App* erase = line.add("erase", "Erase an entity", [&] { run_erase(line); });
  line.add_entity(erase);
  erase->add_flag("--yes", line.yes, "Do not ask; needed if no terminal is there to ask");

  CLI::App* compact =
      line.add("compact", "Remove what has ended, if that takes no class", [&] { run_compact(line); });
  line.add_kind(compact);
  line.add_id(compact);

  line.add("build-indexes", "The calls that complete indexes; exit 1 if any",
           [&] { line.code = show_index_builds(*open_to_look(line.store), line.output) ? 1 : 0; });

  CLI::App* verification =
      line.add("verify", "Find damaged records; exit 1 if any is left", [&] { run_verify(line); });
  verification->add_option("--repair", line.file, "Repair what is safe; keep removed records in FILE")
      ->type_name("FILE")
      ->each([&](const std::string&) { line.repairs = true; });

  CLI::App* importing =
      line.add("import", "Write the records of an export that STORE lacks", [&] { run_import(line); });
  importing->add_option("FILE", line.file, "From export or --repair; - is standard input")->required();

  CLI::App* copying = line.add("copy", "Copy all records into another store", [&] { run_copy(line); });
  copying->add_option("TO", line.target, "rocksdb:PATH or mysql:[HOST:PORT/]DATABASE[.TABLE]")->required();
  copying->add_flag("--live", line.copy.is_live, "While a program writes to STORE; then copy again");
  copying->add_flag("--replace", line.copy.replace, "Replace and remove other records of TO");
  line.add_progress(copying);

  const auto add_folder = [&](CLI::App* command) {
    command->add_option("DIR", line.folder, "The folder of backups")->required();
  };
  CLI::App* backup = line.add("backup", "Add a backup of a RocksDB store to DIR", [&] {
    back_up(line.store, line.folder, ProgressLine(line.errors, line.progress), line.output);
  });
  add_folder(backup);
  line.add_progress(backup);
  add_folder(line.add("backups", "The backups in DIR; takes no STORE",
                      [&] { show_backups(line.folder, line.output); }));
  CLI::App* restoring = line.add("restore", "Make the RocksDB store STORE of a backup in DIR", [&] {
    restore(line.store, line.folder, line.backup, ProgressLine(line.errors, line.progress), line.output);
  });
  add_folder(restoring);
  restoring->add_option("--backup", line.backup, "The number of the backup; else the last")->type_name("N");
  line.add_progress(restoring);
}

}  // namespace autoshard::ctl
