/// Iterates over the elements of groups.

#include <autoshard/detail/elements_run.h>
#include <autoshard/errors.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "compaction.h"
#include "continuation.h"
#include "elements.h"
#include "entity_expiry.h"
#include "hex.h"
#include "keys.h"
#include "main_record.h"
#include "mapper_core.h"
#include "merged_cursor.h"
#include "shard_record.h"
#include "shard_value.h"
#include "staged_writes.h"

namespace autoshard::detail {
namespace {

constexpr std::size_t kNumberSize = 2;  // of a group

/// Returns the prefix of the keys of a property's shards and elements, up to the number.
std::string prefix_of(EntityKeyView entity_key, std::string_view property) {
  std::string prefix = shard_key(entity_key, property, 0).bytes();
  prefix.resize(prefix.size() - kNumberSize);
  return prefix;
}

/// Returns the key of an element's record; empty if no element can have this id.
std::optional<RecordKey> key_of(const ShardedPropertyType& property, EntityKeyView entity_key,
                                std::string_view id) {
  const std::optional<std::string> bytes = from_hex(id);
  if (!bytes) return std::nullopt;
  RecordKey key(prefix_of(entity_key, property.name), *bytes);
  const std::optional<ShardKey> read = read_shard_key(entity_key, key);
  if (!read || !read->is_of_element()) return std::nullopt;
  return key;
}

class Run : public ElementsRun {
 public:
  Run(MapperCore& core, const ElementsSpec& spec)
      : spec_(spec), property_(spec.type->sharded[spec.place]), snapshot_(core.snapshot()) {
    if (!spec.after.empty()) last_ = read_position();
    std::string record;
    if (!snapshot_->get(main_key(spec.key), record) ||
        is_gone(*spec.type, spec.key, record, ask_clock(core.context.options, *spec.type)))
      return;
    MainHead head;
    read_head(*spec.type, spec.key, record, head);
    epoch_ = head.layouts[spec.place].epoch;
    std::string begin(1, '\0'), end(kNewIdSize + 1, '\xFF');  // keys of shards end with their number
    if (!property_.is_sequence) {
      begin.clear();
      end.resize(kNumberSize);  // up to the deltas
    }
    if (last_) (spec.newest_first ? end : begin) = spec.newest_first ? *last_ : *last_ + '\0';
    cursor_.emplace(*snapshot_, prefixes(), begin, end,
                    spec.newest_first ? Direction::kBackward : Direction::kForward);
    skip_others();
  }

  bool next() override {
    if (!is_at_first_) {
      AUTOSHARD_CHECK(is_valid());
      cursor_->next();
      skip_others();
    }
    is_at_first_ = false;
    if (given_ == spec_.limit || !is_valid()) return false;
    ++given_;
    last_ = cursor_->suffix();
    return true;
  }

  std::string id() const override {
    const std::size_t prefix = prefix_of(spec_.key, property_.name).size();
    return to_hex(cursor_->key().substr(prefix));
  }

  Decoder container() const override {
    Decoder in(cursor_->key(), cursor_->value());
    in.array();
    return in;
  }

  std::string cursor() const override {
    return !last_ || !is_valid() ? std::string() : write_continuation(question(), *last_, spec_.key.bytes());
  }

 private:
  bool is_valid() const { return cursor_ && cursor_->valid(); }

  /// Describes the request in words.
  std::string question() const {
    return "the elements of " + std::string(property_.name) + " of " + describe(spec_.key) +
           (spec_.newest_first ? ", newest first" : "");
  }

  /// Returns the key of the last element after the prefix of its range.
  std::string read_position() const {
    std::string position = read_continuation(question(), spec_.after, spec_.key.bytes());
    const std::size_t before_id = property_.is_sequence ? 0 : kNumberSize;
    if (position.size() < before_id || !is_id(std::string_view(position).substr(before_id)))
      throw_invalid_cursor(question(), spec_.after);
    return position;
  }

  /// Returns the prefixes of ranges that are each in the order of the result. For a sequence, these are all
  /// existing groups; for a set or map, one range with all groups.
  std::vector<std::string> prefixes() const {
    if (!property_.is_sequence) return {prefix_of(spec_.key, property_.name)};
    std::vector<std::string> prefixes;
    for (std::uint16_t first = 0; const std::optional<std::uint16_t> group = group_from(first);) {
      prefixes.push_back(shard_key(spec_.key, property_.name, *group).bytes());
      first = static_cast<std::uint16_t>(*group + 1);
    }
    return prefixes;
  }

  /// Returns the first existing group from this number on. Reads one record, unless there are foreign records
  /// before it.
  std::optional<std::uint16_t> group_from(std::uint16_t first) const {
    const std::unique_ptr<Cursor> cursor = snapshot_->scan(shard_key(spec_.key, property_.name, first),
                                                           shard_key(spec_.key, property_.name, kDeltas));
    for (; cursor->valid(); cursor->next()) {
      if (const std::optional<ShardKey> key = read_shard_key(spec_.key, cursor->key())) return key->shard;
    }
    return std::nullopt;
  }

  /// Skips shards from before the property was a group, void records, and records that no mapper has written.
  void skip_others() {
    for (; cursor_->valid(); cursor_->next()) {
      const std::optional<ShardKey> key = read_shard_key(spec_.key, cursor_->key());
      if (key && key->is_of_element() && is_id(key->element) &&
          read_tail(cursor_->key(), cursor_->value()).epoch == epoch_)
        return;
    }
  }

  /// Returns whether an element can have this id. A cursor at any other id is refused.
  bool is_id(std::string_view element) const {
    return property_.is_sequence ? element.size() == kNewIdSize : !element.empty();
  }

  const ElementsSpec spec_;
  const ShardedPropertyType& property_;
  const std::unique_ptr<Snapshot> snapshot_;
  std::uint64_t epoch_ = 0;
  std::optional<MergedCursor> cursor_;
  bool is_at_first_ = true;
  std::uint64_t given_ = 0;
  std::optional<std::string> last_;  // the position of the last element returned
};

/// Returns whether content that an earlier version of the class has left, and that is no element yet, holds
/// an element of a set or map. Elements lie between shards, so this passes one element in sixteen.
bool has_unadopted(const Snapshot& snapshot, const EntityType& type, const RecordKey& element,
                   std::size_t place, Now now) {
  const ShardedPropertyType& property = type.sharded[place];
  const EntityKeyView key = entity_of(element);
  std::string record;
  if (!get_main(snapshot, type, key, now, record)) return false;
  const std::string sought(read_shard_key(key, element)->element);
  ShardValue shard;
  const auto holds = [&](const auto& fold) {
    void* const value = property.in_shard(shard.make_neutral(type.shard));
    bool is_held = false;
    if (fold(value))
      property.split(value, [&](std::string_view bytes, std::string_view) { is_held |= bytes == sought; });
    return is_held;
  };
  if (holds([&](void* value) { return fold_unsharded(type, property, value, key, record); })) return true;
  MainHead head;
  read_head(type, key, record, head);
  const Layout& layout = head.layouts[place];
  const auto is_in = [&](std::string_view begin, std::string_view end) {
    for (const auto cursor = snapshot.scan(begin, end); cursor->valid(); cursor->next()) {
      const std::optional<ShardKey> read = read_shard_key(key, cursor->key());
      if (!read || !is_no_element(property, layout, *read, cursor->key(), cursor->value())) continue;
      if (holds([&](void* value) {
            return fold_shard(property, value, layout.epoch, cursor->key(), cursor->value());
          }))
        return true;
    }
    return false;
  };
  for (const FormerName& entry : type.former_names) {
    if (entry.name == property.name &&
        is_in(shard_key(key, entry.former, 0), end_of_property(key, entry.former)))
      return true;
  }
  return is_in(shard_key(key, property.name, 0), shard_key(key, property.name, kMostShards)) ||
         is_in(shard_key(key, property.name, kDeltas), end_of_property(key, property.name));
}

/// Makes an element of the content that earlier versions of the class have left of it. Throws
/// `CommitTooLarge` or `KeyTooLong` if it cannot.
void adopt(MapperCore& core, const EntityType& type, const RecordKey& element, std::size_t place) {
  const Now now = ask_clock(core.context.options, type);
  const auto is_done = [&] {
    return !has_unadopted(*core.context.store.snapshot(), type, element, place, now);
  };
  if (is_done()) return;
  const std::exception_ptr left = compact_property(core.context, type, entity_of(element), place);
  if (left && !is_done()) std::rethrow_exception(left);
}

using ChangeElement =
    std::function<void(const RecordKey& record_key, const Layout& layout, StagedWrites& writes)>;

enum class Sought : std::uint8_t {
  kAny,
  kAdopted,  ///< an element that compaction has made of what an earlier version of the class had left
};

/// Returns whether there is such an element in an entity. Sets `head` to that of the entity, if there is one.
template <class Reads>
bool find_element(Reads& reads, const EntityType& type, const RecordKey& record_key, std::size_t place,
                  Now now, Sought sought, MainHead& head) {
  const EntityKeyView key = entity_of(record_key);
  std::string record;
  if (!get_main(reads, type, key, now, record)) return false;
  read_head(type, key, record, head);
  return reads.get(record_key, record) && read_tail(record_key, record).epoch == head.layouts[place].epoch &&
         (sought == Sought::kAny || read_mark(record_key, record) == ElementMark::kAdopted);
}

/// Returns false if there is no such element or entity. `version`: that of the entity; 0: the entity that the
/// first attempt finds, which sets the version.
bool change_element(MapperCore& core, const EntityType& type, const RecordKey& record_key, std::size_t place,
                    std::uint64_t& version, const ChangeElement& change, Sought sought = Sought::kAny) {
  MapperContext& context = core.context;
  const EntityKeyView key = entity_of(record_key);
  const ShardedPropertyType& property = type.sharded[place];
  const InvalidateOnExit invalidation(context, key);
  const Now now = ask_clock(context.options, type);
  return commit_retried(context, "changing an element of", key, [&](Transaction& transaction) {
    MainHead head;
    const bool is_there = find_element(transaction, type, record_key, place, now, sought, head);
    if (version == 0) version = head.version;
    if (!is_there || !same_entity(version, head.version)) return false;
    StagedWrites writes;
    change(record_key, head.layouts[place], writes);
    if (!property.is_sequence)
      erase_former_elements(type, property, key, read_shard_key(key, record_key)->element, writes);
    writes.write(0, transaction);
    return true;
  });
}

}  // namespace

std::unique_ptr<ElementsRun> run(MapperCore& core, const ElementsSpec& spec) {
  return std::make_unique<Run>(core, spec);
}

/// The content that an earlier version of the class has left may hold an equal element, which would count
/// from now on. A program of that version may write a shard with the element again at any time, and
/// compaction then makes an element of the shard. So the erasure is repeated until no record has the element.
/// An element that an update has added since stays.
bool erase_element(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                   std::string_view element) {
  core.updates.commit_buffered(key);  // those updates came before this change
  const ShardedPropertyType& property = type.sharded[place];
  const std::optional<RecordKey> record_key = key_of(property, key, element);
  if (!record_key) return false;
  const auto erase = [](const RecordKey& erased, const Layout&, StagedWrites& writes) {
    writes.erase().key = erased;
  };
  std::uint64_t version = 0;
  if (property.is_sequence) return change_element(core, type, *record_key, place, version, erase);
  bool is_erased = false;
  const auto unknown = [&](const char* error) {
    return OutcomeUnknown("erasing an element of " + std::string(property.name) + " of " + describe(key) +
                          ": it was erased, and another program may have written it again since: load it "
                          "and see, or repeat the call (" +
                          error + ")");
  };
  try {
    for (Attempts attempts(core.context, "erasing an element of", key);; attempts.wait()) {
      adopt(core, type, *record_key, place);
      const Sought sought = is_erased ? Sought::kAdopted : Sought::kAny;
      is_erased |= change_element(core, type, *record_key, place, version, erase, sought);
      const std::unique_ptr<Snapshot> snapshot = core.context.store.snapshot();
      MainHead head;
      const Now now = ask_clock(core.context.options, type);
      const bool is_there = find_element(*snapshot, type, *record_key, place, now,
                                         is_erased ? Sought::kAdopted : Sought::kAny, head);
      if (version != 0 && !same_entity(version, head.version)) return is_erased;
      if (!is_there && !has_unadopted(*snapshot, type, *record_key, place, now)) return is_erased;
    }
  } catch (const std::exception& error) {
    if (!is_erased) throw;
    throw unknown(error.what());
  } catch (...) {
    if (!is_erased) throw;
    throw unknown("an exception without a message");
  }
}

void replace_element(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                     std::string_view element, const void* container) {
  core.updates.commit_buffered(key);  // those updates came before this change
  const ShardedPropertyType& property = type.sharded[place];
  const std::optional<RecordKey> record_key = key_of(property, key, element);
  const auto replace = [&](const RecordKey& replaced, const Layout& layout, StagedWrites& writes) {
    property.split(container, [&](std::string_view bytes, std::string_view encoded) {
      if (!bytes.empty() && read_shard_key(key, replaced)->element != bytes) {
        throw InvalidUse(
            "replace_element: the new element of " + std::string(property.name) +
            " has another key than the element that it replaces: erase that element, and add the new one");
      }
      StagedWrites::Write& write = writes.put();
      write.key = replaced;
      encode_new_element(write.value, type, property, encoded, layout);
    });
  };
  std::uint64_t version = 0;
  if (record_key && change_element(core, type, *record_key, place, version, replace)) return;
  throw NotFound(describe(key) + " has no element of " + std::string(property.name) +
                 " with this id: the element was erased");
}

}  // namespace autoshard::detail
