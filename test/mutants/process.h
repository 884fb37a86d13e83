#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace mutants {

struct Ended {
  enum class How { kExited, kCrashed, kTimedOut } how = How::kExited;
  int code = 0;  // the exit code or the signal
  std::string output;
  std::chrono::milliseconds took{0};  // without the time in which it waited for a processor
};

/// Runs a command with more variables ("NAME=value") in its environment. Its output goes to a file. When it
/// takes longer than `most`, it is killed with all processes of its group.
Ended run_process(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                  const std::string& output_file, std::chrono::milliseconds most);

}  // namespace mutants
