#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace autoshard::ctl {

/// Whether a command comes without a store before it.
inline bool takes_no_store(std::string_view command) {
  return command == "backups" || command == "completion";
}

/// Returns a script that completes the commands, options and words of `app` in a shell, "bash" or "zsh". The
/// script asks autoshardctl for the kinds of a store.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace autoshard::ctl
