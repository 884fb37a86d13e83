#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/messagepack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace autoshard::detail {

struct MapperCore;

/// Which elements are asked for.
struct ElementsSpec {
  const EntityType* type = nullptr;
  std::string key;        ///< of the entity
  std::size_t place = 0;  ///< of the group
  std::optional<std::uint64_t> limit{};
  std::string after{};  ///< a cursor, or empty
  bool newest_first = false;
};

/// Goes through them.
class ElementsRun {
 public:
  virtual ~ElementsRun() = default;
  virtual bool next() = 0;
  /// Of the one that this has come to.
  virtual std::string id() const = 0;
  virtual Decoder container() const = 0;  ///< before the container of it alone
  /// Behind it; empty at the end of all.
  virtual std::string cursor() const = 0;

 protected:
  ElementsRun() = default;
  ElementsRun(const ElementsRun&) = delete;
  ElementsRun& operator=(const ElementsRun&) = delete;
};

std::unique_ptr<ElementsRun> run(MapperCore& core, const ElementsSpec& spec);

}  // namespace autoshard::detail
