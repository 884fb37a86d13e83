#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keys.h"
#include "main_record.h"
#include "strategies.h"

namespace autoshard::detail {

/// Folds the records of one entity into the values of its sharded properties: the one place that does so when
/// an entity is read. Keeps its memory from one entity to the next.
class ValueReader {
 public:
  /// Begins with an entity, of which the main record was read. The key must outlive the use, and so must what
  /// `wanted` and `later` refer to. `wanted`: what is folded; `later`: what `finish_later` may be called for.
  void begin(const EntityType& type, std::string_view entity_key, MainHead head, Now now,
             const Wanted& wanted = {}, const Wanted* later = nullptr);

  const MainHead& head() const { return head_; }

  /// Keeps what the main record has of values whose parts have an order. To be called if `head` says that
  /// there is something.
  void add_main(std::string_view main_key, std::string_view main_record);

  /// Folds the next record of the entity into the value in `entity`, or keeps it until all are known. Any
  /// record of the entity may be passed.
  void add(std::string_view record_key, std::string_view record, void* entity);

  /// Folds what was kept.
  void finish(void* entity);

  /// `add_main` and `finish` for the properties of `later`.
  void add_main_later(std::string_view main_key, std::string_view main_record);
  void finish_later(void* entity);

  /// Whether there are records to be compacted: many deltas, or any that a resize, a replacement or an
  /// earlier version of the class has left.
  bool is_loose() const;

 private:
  /// Records that are folded when all are known, by their order.
  class Kept {
   public:
    void clear();
    void add(std::size_t place, std::string_view key, std::string_view record, std::string_view order,
             bool is_main = false);
    template <class Fold>
    void fold(Fold fold);

   private:
    /// In `bytes_`: from `begin` on its key, from `value` on the record, from `order` to `end` its fold
    /// order.
    struct Entry {
      std::size_t place, begin, value, order, end;
      bool is_main;
    };
    std::string_view bytes(std::size_t begin, std::size_t end) const {
      return std::string_view(bytes_).substr(begin, end - begin);
    }
    std::vector<Entry> entries_;
    std::string bytes_;
  };

  StoredProperty stored(std::size_t place) const {
    return {*type_, type_->sharded[place], head_.layouts[place], now_};
  }
  void choose(std::string_view property);
  void keep(Kept& kept, std::size_t place, const PartRecord& record);
  void keep_main(Kept& kept, const Wanted& wanted, std::string_view main_key, std::string_view main_record);
  void fold(Kept& kept, void* entity);

  const EntityType* type_ = nullptr;
  std::string_view entity_key_;
  MainHead head_;
  Now now_ = kBeforeAllTimes;
  Wanted wanted_, later_;
  bool has_later_ = false;

  // Of the property whose records `add` has come to.
  std::string name_;
  std::optional<std::size_t> place_;
  bool is_wanted_ = false, is_later_ = false;
  const Strategy* strategy_ = nullptr;

  Kept ordered_;     // what `finish` folds
  Kept kept_later_;  // what `finish_later` folds
  std::string order_;
  std::size_t deltas_ = 0;
  bool any_loose_ = false;
};

}  // namespace autoshard::detail
