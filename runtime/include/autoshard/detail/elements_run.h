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

/// Selects elements of a group.
struct ElementsSpec {
  const EntityType* type = nullptr;
  EntityKey key;          ///< of the entity
  std::size_t place = 0;  ///< of the group
  std::optional<std::uint64_t> limit{};
  std::string after{};  ///< a cursor, or empty for the beginning
  bool newest_first = false;
};

/// Iterates over the selected elements.
class ElementsRun {
 public:
  virtual ~ElementsRun() = default;
  /// Not to be called again once it has returned false.
  virtual bool next() = 0;
  /// The id of the present element.
  virtual std::string id() const = 0;
  /// A decoder before the container that holds only the present element.
  virtual Decoder container() const = 0;
  /// The cursor after the present element; empty at the end.
  virtual std::string cursor() const = 0;

 protected:
  ElementsRun() = default;
  ElementsRun(const ElementsRun&) = delete;
  ElementsRun& operator=(const ElementsRun&) = delete;
};

std::unique_ptr<ElementsRun> run(MapperCore& core, const ElementsSpec& spec);

}  // namespace autoshard::detail
