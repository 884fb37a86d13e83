#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace mutants {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  return result;
}

pid_t start(const std::vector<std::string>& command, const std::vector<std::string>& variables,
            const std::string& output_file) {
  std::vector<char*> arguments = pointers(command), environment = pointers(variables);
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error =
      posix_spawn(&process, arguments[0], &files, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error("cannot start " + command.front());
  return process;
}

}  // namespace

Ended run_process(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                  const std::string& output_file, std::chrono::milliseconds most) {
  const Clock::time_point begin = Clock::now();
  const pid_t process = start(command, variables, output_file);
  Ended ended;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (Clock::now() - begin > most) {
      ended.how = Ended::How::kTimedOut;
      kill(-process, SIGKILL);
      waitpid(process, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(-process, SIGKILL);  // child processes that it has left
  ended.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  if (ended.how != Ended::How::kTimedOut && WIFSIGNALED(status)) ended.how = Ended::How::kCrashed;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  std::ostringstream output;
  output << std::ifstream(output_file).rdbuf();
  ended.output = std::move(output).str();
  return ended;
}

}  // namespace mutants
