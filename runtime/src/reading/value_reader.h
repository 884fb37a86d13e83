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

/// Folds the records of one entity into the values of its sharded properties. All reads of entities use it.
/// Reuses its memory from one entity to the next.
class ValueReader {
 public:
  /// Begins an entity whose main record was read. The key, and the objects that `wanted` and `later` refer
  /// to, must outlive the use. `wanted`: the properties to fold; `later`: the properties that `finish_later`
  /// may fold afterwards.
  void begin(const EntityType& type, EntityKeyView entity_key, MainHead head, Now now,
             const FieldMask& wanted = {}, const FieldMask* later = nullptr);

  const MainHead& head() const { return head_; }

  /// Keeps the content of the main record for values whose parts have an order. Must be called if `head` says
  /// that there is such content.
  void add_main(std::string_view main_record);

  /// Folds the next record of the entity into the value in `entity`, or keeps the record until all are known.
  /// Accepts any record of the entity.
  void add(std::string_view record_key, std::string_view record, void* entity);

  /// Folds the records that were kept.
  void finish(void* entity);

  /// `add_main` and `finish` for the properties of `later`.
  void add_main_later(std::string_view main_record);
  void finish_later(void* entity);

  /// Returns whether there are records to compact, once all are folded: many deltas, or any record that a
  /// resize, a replacement or an earlier version of the class has left. Must not be called if `begin` got
  /// `later`: the reader of a scan saves the time to find out.
  bool is_compactable() const;

 private:
  /// Records that are folded in their order once all are known.
  class Kept {
   public:
    void clear();
    void add(std::size_t place, std::string_view key, std::string_view record, std::string_view order,
             bool is_main = false);
    template <class Fold>
    void fold(Fold fold);

   private:
    /// Positions in `bytes_`: the key from `begin`, the record from `value`, its fold order from `order` to
    /// `end`.
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
  bool choose(std::string_view property);
  void fold(const Strategy& strategy, const StoredProperty& property, const PartRecord& record, void* entity);
  void keep(Kept& kept, std::size_t place, const PartRecord& record);
  void keep_main(Kept& kept, const FieldMask& wanted, std::string_view main_record);
  void fold(Kept& kept, void* entity);

  const EntityType* type_ = nullptr;
  EntityKeyView entity_key_;
  MainHead head_;
  Now now_ = kBeforeAllTimes;
  FieldMask wanted_, later_;
  bool has_later_ = false;

  // The property whose records `add` receives at present.
  std::string_view name_;  // its present or a former name; empty: no property is chosen
  std::size_t place_ = 0;
  const Strategy* strategy_ = nullptr;
  Kept* records_ = nullptr;  // where its records are kept; null: they are folded at once
  std::string skipped_;      // the beginning of the keys of a property that is not read

  Kept ordered_;     // the records that `finish` folds
  Kept kept_later_;  // the records that `finish_later` folds
  std::string order_;
  std::size_t deltas_ = 0;
  bool any_compactable_ = false;
};

}  // namespace autoshard::detail
