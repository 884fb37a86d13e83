#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace activity {

/// Where a database that keeps ranges of keys on servers of its own takes the writes of an index: it has cut
/// the index into tablets of as many records, and this is how many of the later writes each of them gets.
struct Spread {
  std::vector<std::size_t> writes;  ///< of each tablet, in the order of keys

  /// The part of all writes that the busiest tablet takes.
  double busiest() const;
};

/// Of the index records of a kind that `after` has and `before` has not, by tablets cut at `before`.
Spread spread(const autoshard::Snapshot& before, const autoshard::Snapshot& after, std::string_view kind,
              std::size_t tablets);

/// Both as bars, one above the other, as SVG.
std::string plot(const Spread& plain, const Spread& sharded);

}  // namespace activity
