#pragma once

#include <autoshard/errors.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

#include "commit_context.h"

namespace autoshard::detail {

/// Logs the failures of work that is repeated later. Logs only the first failure of an outage of the store.
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

  /// Must be called after work on the store has succeeded: the next failure belongs to another outage.
  void note_success() { is_logged_ = false; }

  /// Returns the number of failures caused by outages.
  std::uint64_t failures() const { return failures_; }

 private:
  const CommitContext& context_;
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<bool> is_logged_{false};
};

}  // namespace autoshard::detail
