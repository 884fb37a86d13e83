#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace autoshard::bench {
namespace {

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Cost run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                 const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  const auto begin = std::chrono::steady_clock::now();
  // Not fork(), which would copy what this process has in memory.
  // NOLINTNEXTLINE(bugprone-unsafe-functions): posix_spawn() cannot change the folder
  const pid_t child = vfork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execvp(arguments.front(), arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) throw std::runtime_error("lost a process");
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("this failed: {}\n{}", fmt::join(command, " "), content(log)));
  return {time.count(), milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)};
}

}  // namespace autoshard::bench
