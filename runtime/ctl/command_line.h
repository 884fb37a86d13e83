#pragma once

#include <autoshard/store.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "looks.h"

namespace autoshard::ctl {

/// The words that several commands take, and the answer of the command that ran.
struct CommandLine {
  CLI::App app{"Looks into a store of AutoShard, and changes, repairs and copies it.", "autoshardctl"};
  Output output;         ///< for results
  std::ostream& errors;  ///< for messages and progress

  std::string store{}, kind{}, id{}, property{}, form{}, file{}, folder{}, target{};
  std::uint64_t limit = UINT64_MAX;
  std::optional<std::string> where{};
  std::optional<std::uint32_t> shards{}, backup{};
  bool repairs = false, yes = false;
  bool progress = false;  ///< tell how far a command is, as lines for a program
  struct CopyFlags {
    bool is_live = false, replace = false;
  } copy{};

  int code = 0;       ///< the exit code, if nothing is missing
  Missing missing{};  ///< what the command has not found

  CLI::App* add(const char* name, const char* description, std::function<void()> action) {
    CLI::App* command = app.add_subcommand(name, description);
    command->callback(std::move(action));
    return command;
  }
  /// A command that only reads the store.
  CLI::App* add_look(const char* name, const char* description, std::function<void(Store&)> action);

  CLI::Option* add_kind(CLI::App* command) {
    return command->add_option("KIND", kind, "The kind of the entity");
  }
  CLI::Option* add_id(CLI::App* command) {
    return command->add_option("ID", id, "Its id: 42, ann, '\"42\"', or '[\"ann\", -7]'");
  }
  void add_entity(CLI::App* command) {
    add_kind(command)->required();
    add_id(command)->required();
  }
  void add_limit(CLI::App* command);
  void add_progress(CLI::App* command) {
    command->add_flag("--progress", progress, "Print how far it is, as lines for a program");
  }
};

/// Commands that show what a store holds. None changes anything.
void add_looks(CommandLine& line);

/// Commands that change a store, or make another one.
void add_acts(CommandLine& line);

}  // namespace autoshard::ctl
