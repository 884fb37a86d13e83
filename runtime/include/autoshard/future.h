#pragma once

#include <autoshard/completion.h>

#include <future>

/// A `std::future<void>` of a `Completion`:
///
///   std::future<void> future = mapper.apply_async<&Question::voteUp>(42);
namespace autoshard::detail {

template <>
struct FutureOf<std::future<void>> {
  static std::future<void> of(Completion completion);
};

}  // namespace autoshard::detail
