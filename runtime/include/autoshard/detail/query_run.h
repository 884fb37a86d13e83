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

/// What a range of an index asks for.
struct IndexRange {
  const IndexType* index;
  IdRange values;  ///< of its members, in the form of keys
  bool is_reversed = false;
};

/// What a query asks for.
struct QuerySpec {
  const EntityType* type = nullptr;
  Clause clause{};
  std::optional<IndexRange> range{};  ///< without a clause and an order then
  std::vector<SortKey> order{};
  std::optional<std::uint64_t> limit{};
  std::string after{};                                      ///< a cursor, or empty
  std::optional<std::vector<std::string_view>> selected{};  ///< fields; without, the whole entity
};

/// An entity to be read into, and where its version is to be noted.
struct Candidate {
  void* entity;
  std::uint64_t* version;
};

/// The answer to a query, one row after the other.
class QueryRun {
 public:
  /// Calls `make` with the key of each entity that may match, for a new one to read it into. Returns whether
  /// one did, which is the one that was made last.
  using Make = std::function<Candidate(std::string_view key)>;

  virtual ~QueryRun() = default;
  virtual bool next(const Make& make) = 0;
  /// Behind the last row; empty at the end of all rows.
  virtual std::string cursor() const = 0;
  /// Erases the entity of the last row, if nobody has saved it since.
  virtual bool erase() = 0;

 protected:
  QueryRun() = default;
  QueryRun(const QueryRun&) = delete;
  QueryRun& operator=(const QueryRun&) = delete;
};

std::unique_ptr<QueryRun> run(MapperCore& core, const QuerySpec& spec);
std::string explain(MapperCore& core, const QuerySpec& spec);

}  // namespace autoshard::detail
