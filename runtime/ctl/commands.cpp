#include "commands.h"

#include <autoshard/errors.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line.h"
#include "completion.h"
#include "heatmap.h"
#include "open_store.h"

namespace autoshard::ctl {
namespace {

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

/// Whether the command line names a command that takes no store, in the place of the store.
bool has_command_without_store(int count, const char* const* arguments) {
  const char* const* const first = std::find_if(arguments + std::min(count, 1), arguments + count,
                                                [](const char* word) { return word[0] != '-'; });
  return first != arguments + count && takes_no_store(*first);
}

}  // namespace

CLI::App* CommandLine::add_look(const char* name, const char* description,
                                std::function<void(Store&)> action) {
  return add(name, description, [this, action = std::move(action)] { action(*open_to_look(store)); });
}

void CommandLine::add_limit(CLI::App* command) {
  command->add_option("--limit", limit, "The most to print")->check([](const std::string& text) {
    const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
    return is_number && text.find_first_not_of('0') != std::string::npos ? ""
                                                                         : "write a number of at least 1";
  });
}

int run(int count, const char* const* arguments, std::ostream& out, std::ostream& errors) {
  CommandLine line{.output = {out}, .errors = errors};
  CLI::App& app = line.app;
  const bool has_no_store = has_command_without_store(count, arguments);
  app.add_option("STORE", line.store, "rocksdb:PATH or mysql:[HOST:PORT/]DATABASE[.TABLE]")
      ->required(!has_no_store);
  app.add_flag("--json", line.output.is_json, "Print JSON, one document a line");
  app.footer(
      "\nA program may have the store open while a command only reads it. What changes\na RocksDB store, or "
      "needs its last commits, needs the store alone. backups and\ncompletion take no store.");
  app.set_version_flag("--version", "autoshardctl " AUTOSHARD_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  add_looks(line);
  add_acts(line);
  std::string shell;
  line.add("completion", "Print a script that completes commands in a shell",
           [&] { out << completion_script(app, shell); })
      ->add_option("SHELL", shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}).description(""));
#ifdef AUTOSHARD_CTL_HEATMAP
  line.add("heatmap", "Save the page of the monitor http://HOST:PORT",
           [&] { save_heatmap(line.store, line.file); })
      ->add_option("--out", line.file, "The file to write")
      ->required();
#endif

  // It has a URL in place of a store, which may follow the command, too.
  std::vector<const char*> words(arguments, arguments + count);
  if (count > 2 && words[1] == std::string_view("heatmap") && *words[2] != '-') std::swap(words[1], words[2]);

  if (count == 3 && (arguments[2] == std::string_view("--help") || arguments[2] == std::string_view("-h"))) {
    for (const CLI::App* command : commands_of(app)) {
      if (command->get_name() != arguments[1]) continue;
      out << command->help(app.get_name());
      return 0;
    }
  }
  try {
    app.parse_complete_callback([&] {
      const std::string command =
          app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name();
      if (takes_no_store(command) && !line.store.empty()) throw InvalidUse(command + " takes no store");
    });
    app.parse(count, words.data());
    if (!out.flush()) throw std::runtime_error("the output could not be written");
    if (line.missing.empty()) return line.code;
    errors << fmt::format("autoshardctl: in {}, {}\n", line.store, line.missing);
    return 1;
  } catch (const CLI::RequiredError& error) {
    if (app.get_subcommands().empty() && !app.remaining().empty() && app.remaining().front()[0] != '-') {
      errors << "autoshardctl: " << about_unknown_command(app, line.store, app.remaining().front()) << '\n';
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
