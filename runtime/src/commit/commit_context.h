#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <string_view>
#include <type_traits>
#include <utility>

#include "check.h"
#include "checked_store.h"
#include "counters.h"
#include "marked_writer.h"

namespace autoshard::detail {

/// The state that the commits of one mapper share: its store, options and counters. Thread-safe.
struct CommitContext {
  CommitContext(Store& its_store, MapperOptions its_options)
      : store(its_store), options(std::move(its_options)), writers(store, options.retry) {}

  /// Writes to the application's log, if there is one.
  void log(std::string_view message) const {
    if (options.log) options.log(message);
  }

  std::conditional_t<kChecks, CheckedStore, Store&> store;
  const MapperOptions options;
  WriterPool writers;
  Counters counters;
};

}  // namespace autoshard::detail
