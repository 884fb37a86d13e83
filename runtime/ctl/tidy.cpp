#include "tidy.h"

#include <autoshard/errors.h>

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "changes.h"
#include "checked_keys.h"
#include "checked_values.h"
#include "main_record.h"
#include "record_json.h"
#include "room.h"
#include "scan.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;

constexpr std::size_t kBatch = 256;

class Tidy {
 public:
  explicit Tidy(Store& store) : store_(store), snapshot_(store.snapshot()) {
    std::string value;
    if (!snapshot_->get(kStoreClockKey, value)) return;
    now_ = store_clock_in(value);
    clock_.present = clock_.wanted = value;
  }

  Missing run(const std::string& kind, const std::string& id) {
    const std::string prefix = kind.empty() ? "\2" : entity_key_of(kind, id.empty() ? "" : id_from_text(id));
    bool is_there = false;
    for_each_record(*snapshot_, prefix, [&](std::string_view key, std::string_view value) {
      is_there = true;
      look_at(key, value);
      return true;
    });
    for_each_record(*snapshot_, tokens_key() + (kind.empty() ? "" : prefix),
                    [&](std::string_view key, std::string_view value) {
                      is_there = true;
                      if (has_ended(key, value)) tokens_.push_back(removal(key, value));
                      if (tokens_.size() == kBatch) remove_tokens();
                      return true;
                    });
    remove_buckets();
    remove_tokens();
    tidied.erased = erased_.size();
    tidied.records = finish_erases(store_, erased_);
    if (is_there || kind.empty()) return {};
    return id.empty() ? missing_kind(*snapshot_, kind) : missing_entity(*snapshot_, kind, id);
  }

  Tidied tidied;

 private:
  void look_at(std::string_view key, std::string_view value) {
    const CheckedKey parsed = detail::parse_checked_key(key);
    if (parsed.kind == CheckedKey::kMain) {
      remove_buckets();
      is_tombstone_ = detail::is_tombstone(value);
      main_ = {std::string(key), std::string(value), std::string(value)};
      entity_ = parsed.entity;
      if (is_tombstone_) erased_.push_back(parsed.entity);
    }
    if (!parsed.is_of_entity() || parsed.entity != entity_ || is_tombstone_) return;
    if (parsed.kind == CheckedKey::kDelta) ++tidied.deltas[kind_of(parsed.entity)];
    if (parsed.kind != CheckedKey::kBucket) return;
    const std::optional<detail::CheckedShard> bucket = detail::read_checked_shard(key, value);
    if (!bucket || !bucket->third || *bucket->third > now_) return;
    buckets_.push_back(removal(key, value));
    if (buckets_.size() == kBatch) remove_buckets();
  }

  /// Whether a token has ended by the store's clock. One without an end is left to programs.
  bool has_ended(std::string_view key, std::string_view value) const {
    if (detail::parse_checked_key(key).kind != CheckedKey::kToken) return false;
    const auto numbers = detail::read_checked_numbers(key, value, 2);
    return numbers && std::cmp_less_equal((*numbers)[1], now_);
  }

  static Change removal(std::string_view key, std::string_view value) {
    return {std::string(key), std::string(value), std::nullopt};
  }

  static std::string kind_of(std::string_view entity) {
    return text_of(describe_record(detail::checked_main_key(entity), "\xC0")["kind"]);
  }

  /// A commit that removes a record of an entity also validates its main record.
  void remove_buckets() {
    tidied.buckets += remove(buckets_, {clock_, main_});
    buckets_.clear();
  }

  void remove_tokens() {
    tidied.tokens += remove(tokens_, {clock_});
    tokens_.clear();
  }

  /// Removes a batch, if `unchanged` are as they were seen. Returns how many records are removed: none if
  /// programs have changed one of them.
  std::uint64_t remove(std::span<const Change> batch, const std::vector<Change>& unchanged) {
    std::uint64_t removed = 0;
    detail::commit_in_halves(batch, [&](std::span<const Change> some) {
      if (some.empty()) return;
      std::vector<Change> changes = unchanged;
      changes.insert(changes.end(), some.begin(), some.end());
      if (!commit_changes(store_, changes)) removed += some.size();
    });
    return removed;
  }

  Store& store_;
  const std::unique_ptr<Snapshot> snapshot_;
  std::uint64_t now_ = 0;  ///< of the store's clock
  Change clock_{std::string(kStoreClockKey), {}, {}};
  Change main_;         ///< the last main record
  std::string entity_;  ///< of that record
  bool is_tombstone_ = false;
  std::vector<std::string> erased_;
  std::vector<Change> buckets_, tokens_;  ///< that have ended; buckets of that entity
};

}  // namespace

Tidied tidy(Store& store, const std::string& kind, const std::string& id, Missing& missing) {
  Tidy run(store);
  missing = run.run(kind, id);
  return run.tidied;
}

}  // namespace autoshard::ctl
