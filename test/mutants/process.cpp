#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <system_error>
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

/// The time that a process takes. Other processes do not make it longer.
class Watch {
 public:
  explicit Watch(pid_t process) : threads_("/proc/" + std::to_string(process) + "/task") {}

  void look() {
    const Clock::time_point now = Clock::now();
    const std::chrono::nanoseconds passed = now - last_;
    const Shares shares = look_at_threads();
    // One thread may run while another waits.
    took_ += std::min(passed, std::max(shares.ran, passed - std::min(shares.waited, passed)));
    last_ = now;
  }

  std::chrono::milliseconds took() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(took_);
  }

 private:
  /// How long the threads of a process have run, and waited for a processor.
  struct Shares {
    std::chrono::nanoseconds ran{0}, waited{0};
  };

  /// Since the last look.
  Shares look_at_threads() {
    Shares sum;
    std::error_code gone;
    for (const auto& thread : std::filesystem::directory_iterator(threads_, gone)) {
      std::int64_t ran = 0, waited = 0;
      if (!(std::ifstream(thread.path() / "schedstat") >> ran >> waited)) continue;
      Shares& before = before_[thread.path().filename()];
      const Shares now{std::chrono::nanoseconds(ran), std::chrono::nanoseconds(waited)};
      sum.ran += now.ran - before.ran;
      sum.waited += now.waited - before.waited;
      before = now;
    }
    return sum;
  }

  const std::filesystem::path threads_;
  Clock::time_point last_ = Clock::now();
  std::map<std::string, Shares> before_;  // by thread
  std::chrono::nanoseconds took_{0};
};

}  // namespace

Ended run_process(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                  const std::string& output_file, std::chrono::milliseconds most) {
  const pid_t process = start(command, variables, output_file);
  Ended ended;
  Watch watch(process);
  std::chrono::milliseconds pause(2);
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0) {
    if (watch.took() > most) {
      ended.how = Ended::How::kTimedOut;
      kill(-process, SIGKILL);
      break;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::milliseconds>(2 * pause, std::chrono::milliseconds(100));
    watch.look();
  }
  kill(-process, SIGKILL);  // child processes that it has left
  int status = 0;
  waitpid(process, &status, 0);
  ended.took = watch.took();
  if (ended.how != Ended::How::kTimedOut && WIFSIGNALED(status)) ended.how = Ended::How::kCrashed;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  std::ostringstream output;
  output << std::ifstream(output_file).rdbuf();
  ended.output = std::move(output).str();
  return ended;
}

}  // namespace mutants
