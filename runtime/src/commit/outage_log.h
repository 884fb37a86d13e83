#pragma once

#include <autoshard/errors.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

#include "commit_context.h"

namespace autoshard::detail {

/// Logs the failures of work that is done again later. Of an outage of the store it logs the first failure.
/// Thread-safe.
class OutageLog {
 public:
  explicit OutageLog(const CommitContext& context) : context_(context) {}

  void log(const std::string& what, const std::exception& error) {
    if (dynamic_cast<const StoreUnavailable*>(&error)) {
      ++failures_;
      if (is_logged_.exchange(true)) return;
    }
    context_.log(what + ": " + error.what());
  }

  /// To be called when work on the store has succeeded: the next failure is that of another outage.
  void note_success() { is_logged_ = false; }

  /// How many failures were those of an outage.
  std::uint64_t failures() const { return failures_; }

 private:
  const CommitContext& context_;
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<bool> is_logged_{false};
};

}  // namespace autoshard::detail
