#pragma once

#include <autoshard/detail/condition.h>
#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::detail {

struct MapperCore;

/// A range of an index.
struct IndexRange {
  const IndexType* index;
  IdRange values;  ///< of its members, in the form of keys
  bool is_reversed = false;
};

/// The parts of a query.
struct QuerySpec {
  const EntityType* type = nullptr;
  Clause clause{};
  std::optional<IndexRange> range{};  ///< if set, there is no clause and no order
  std::vector<SortKey> order{};
  std::optional<std::uint64_t> limit{};
  std::string after{};                                      ///< a cursor, or empty for the beginning
  std::optional<std::vector<std::string_view>> selected{};  ///< fields; empty: the whole entity
};

/// An entity to be read into, and the place for its version.
struct Candidate {
  void* entity;
  std::uint64_t* version;
};

/// The answer to a query, one row after the other.
class QueryRun {
 public:
  /// Calls `make` with the key of each entity that may match; `make` returns a new entity to read it into.
  /// Returns true if an entity matches: it is the one that was made last.
  using Make = std::function<Candidate(EntityKeyView key)>;

  virtual ~QueryRun() = default;
  virtual bool next(const Make& make) = 0;
  /// The cursor after the last row; empty at the end of all rows.
  virtual std::string cursor() const = 0;
  /// Erases the entity of the last row, if it was not saved since.
  virtual bool erase() = 0;

 protected:
  QueryRun() = default;
  QueryRun(const QueryRun&) = delete;
  QueryRun& operator=(const QueryRun&) = delete;
};

std::unique_ptr<QueryRun> run(MapperCore& core, const QuerySpec& spec);
std::string explain(MapperCore& core, const QuerySpec& spec);

}  // namespace autoshard::detail
