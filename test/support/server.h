#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace autoshard::test {

/// A database server of this program's own: a process that ends with the object.
class Server {
 public:
  /// Starts the program with its arguments, in `folder`, where it logs to the file `log`.
  Server(std::vector<std::string> command, const std::filesystem::path& folder, int stop_signal);

  /// Stops it and waits until it has ended.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Stops it, and returns what it exited with; -1 if a signal has ended it.
  int stop();

  /// Calls `answers` until it does; throws `std::runtime_error` with the end of the log where the server has
  /// ended meanwhile, or has not answered after half a minute.
  void wait_until(const std::function<bool()>& answers);

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path log_;
  int stop_signal_;
  pid_t process_;
};

/// The program of this name in the PATH, if there is one.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace autoshard::test
