#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <ostream>

namespace autoshard::ctl {

/// Tells how far a command is: in one line of a terminal, or in lines for a program.
class ProgressLine {
 public:
  /// `for_program`: if `out` is no terminal, print lines.
  ProgressLine(std::ostream& out, bool for_program)
      : out_(out),
        is_terminal_(&out == &std::cerr && isatty(STDERR_FILENO) != 0),
        is_shown_(is_terminal_ || for_program) {}
  ~ProgressLine() {
    if (is_terminal_) out_ << kClear << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return is_shown_; }
  void show(const char* verb, std::uint64_t number, const char* unit) const {
    if (!is_shown_) return;
    out_ << (is_terminal_ ? kClear : "") << fmt::format("{}: {} {}", verb, number, unit)
         << (is_terminal_ ? "" : "\n") << std::flush;
  }

 private:
  static constexpr const char* kClear = "\r\x1b[K";
  std::ostream& out_;
  const bool is_terminal_, is_shown_;
};

}  // namespace autoshard::ctl
