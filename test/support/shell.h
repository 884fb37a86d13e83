#pragma once

#include <sys/wait.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace autoshard::test {

struct ShellResult {
  int status = -1;  ///< what the command has exited with; -1: it could not be run, or a signal has ended it
  std::string output;  ///< what it has printed to the standard output
};

/// Runs a command of the shell, and waits for its end. A command that prints more than `longest` bytes loses
/// its output, and ends when it writes on.
inline ShellResult run_in_shell(const std::string& command, std::size_t longest = SIZE_MAX) {
  std::FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): tests run programs
  if (pipe == nullptr) return {-1, "cannot run " + command};
  ShellResult result;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.output.append(buffer.data(), size);
    if (result.output.size() > longest) break;
  }
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace autoshard::test
