#include "support/server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace autoshard::test {

Server::Server(std::vector<std::string> command, const std::filesystem::path& folder, int stop_signal)
    : log_(folder / "log"), stop_signal_(stop_signal) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start a process");
  if (process_ > 0) return;
  prctl(PR_SET_PDEATHSIG, stop_signal_);  // should this program be killed
  setpgid(0, 0);                          // Ctrl-C is for this program, which stops its servers in order
  const int out = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
      chdir(folder.c_str()) == 0)
    execv(arguments.front(), arguments.data());
  _exit(127);
}

Server::~Server() {
  if (process_ >= 0) stop();
}

int Server::stop() {
  int status = 0;
  kill(process_, stop_signal_);
  waitpid(std::exchange(process_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Server::wait_until(const std::function<bool()>& answers) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!answers()) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      fail("the server has ended");
    }
    if (std::chrono::steady_clock::now() > deadline) fail("the server does not answer");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Server::fail(const std::string& what) const {
  std::ifstream in(log_);
  const std::string log{std::istreambuf_iterator<char>(in), {}};
  throw std::runtime_error(what + ": " + log.substr(log.size() - std::min<std::size_t>(log.size(), 500)));
}

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path program = std::filesystem::path(folder) / name;
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

}  // namespace autoshard::test
