#include "verify.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checked_keys.h"
#include "checked_values.h"
#include "record_json.h"
#include "scan.h"
#include "table.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;

// Values of runtime/FORMAT.md.
constexpr std::string_view kExpiryValue = "\xC0";  // nil
constexpr std::string_view kTrue = "\xC3";

class Verification {
 public:
  Verification(Store& store, Output output, Repair* repair)
      : snapshot_(store.snapshot()), output_(output), repair_(repair) {}

  std::uint64_t run() {
    std::uint64_t records = 0;
    for_each_record(*snapshot_, "", [&](std::string_view key, std::string_view value) {
      ++records;
      look_at(key, value);
      return true;
    });
    if (!output_.is_json) {
      output_.out << with_commas(records) << (records == 1 ? " record, " : " records, ")
                  << with_commas(problems_) << (problems_ == 1 ? " problem" : " problems");
      if (repair_) output_.out << ", " << with_commas(repaired_) << " repaired";
      output_.out << '\n';
    }
    return problems_ - repaired_;
  }

 private:
  void look_at(std::string_view key, std::string_view value) {
    const CheckedKey parsed = detail::parse_checked_key(key);
    const Json record = describe_record(key, value);
    if (parsed.kind == CheckedKey::kMain) {
      entity_ = parsed.entity;
      look_at_end(parsed, record, key, value);
    } else if (parsed.is_of_entity()) {
      if (remove_orphan(parsed, record, key, value)) return;
      look_at_share(record, key, value);
    } else if (parsed.kind == CheckedKey::kExpiry) {
      if (remove_expiry(parsed, record, key, value)) return;
    } else if (parsed.is_of_index()) {
      look_at_index(parsed, record);
    }
    if (record.contains("problem")) report(record, text_of(record["problem"]));
  }

  void look_at_index(const CheckedKey& parsed, const Json& record) {
    if (parsed.index != index_) {
      index_ = parsed.index;
      std::string generation, state;
      if (!snapshot_->get(parsed.indexes, generation))
        report(record, "the kind has records of an index and no generation: call admin::rebuild_indexes");
      is_complete_ = snapshot_->get(parsed.index, state) && state == kTrue;
    }
    // The value of an entry of a unique index is an id. If there is no such entity, the entry is free.
    if (parsed.kind != CheckedKey::kIndexRecord || !is_complete_ || record.contains("problem")) return;
    if (!record["value"].is_null()) return;
    const std::vector<std::string> entities = detail::entities_of_index_record(parsed);
    if (std::ranges::none_of(entities, [&](const std::string& entity) { return is_there(entity); }))
      report(record, "the index is complete, and this record is of no entity: call admin::rebuild_indexes");
  }

  /// Whether the entity has a main record, and no tombstone.
  bool is_there(const std::string& entity) {
    constexpr std::size_t kMostKnown = 10'000;
    if (known_.size() == kMostKnown) known_.clear();
    const auto [found, is_new] = known_.try_emplace(entity, false);
    std::string value;
    if (const std::string key = detail::checked_main_key(entity); is_new && snapshot_->get(key, value)) {
      const std::optional<detail::CheckedMain> main = detail::read_checked_main(key, value);
      found->second = !main || !main->is_tombstone;
    }
    return found->second;
  }

  void look_at_end(const CheckedKey& parsed, const Json& record, std::string_view key,
                   std::string_view value) {
    const std::optional<detail::CheckedMain> main = detail::read_checked_main(key, value);
    if (!main || !main->expires) return;
    std::string expiry;
    const std::string expiry_key = detail::checked_expiry_key(parsed.entity, *main->expires);
    if (snapshot_->get(expiry_key, expiry)) return;
    // If the end is past, or another end is in the store, the main record may be what is wrong.
    const bool is_sure = *main->expires > now_ && !has_another_end_.contains(parsed.entity);
    const Change unchanged{std::string(key), std::string(value), std::string(value)};
    report(record, "the entity expires, and the record is missing by which it is removed: save the entity",
           is_sure && repair(unchanged, {expiry_key, std::nullopt, std::string(kExpiryValue)}));
  }

  /// Reports a record of an entity without a main record. Returns whether it is removed.
  bool remove_orphan(const CheckedKey& parsed, const Json& record, std::string_view key,
                     std::string_view value) {
    if (parsed.entity == entity_) return false;
    const bool is_removed = repair({detail::checked_main_key(parsed.entity), std::nullopt, std::nullopt},
                                   {std::string(key), std::string(value), std::nullopt});
    if (parsed.entity != orphan_ || repair_)
      report(record, "the entity has no main record: no load reads its other records", is_removed);
    orphan_ = parsed.entity;
    return is_removed;
  }

  void look_at_share(const Json& record, std::string_view key, std::string_view value) {
    const std::optional<detail::CheckedShard> shard = detail::read_checked_shard(key, value);
    if (shard && shard->share && shard->part &&
        (*shard->part < shard->share->first || *shard->part > shard->share->second))
      report(record, "the part is beyond the share of its shard");
  }

  /// Reports an expiry of no entity. Returns whether it is removed.
  bool remove_expiry(const CheckedKey& parsed, const Json& record, std::string_view key,
                     std::string_view value) {
    std::string main_record;
    const std::string main_key = detail::checked_main_key(parsed.entity);
    const bool is_there = snapshot_->get(main_key, main_record);
    if (is_there) {
      const std::optional<detail::CheckedMain> main = detail::read_checked_main(main_key, main_record);
      const auto time = static_cast<std::int64_t>(parsed.time);
      if (!main || (main->expires && std::max<std::int64_t>(*main->expires, 0) == time)) return false;
    }
    if (is_there) has_another_end_.insert(parsed.entity);  // keys of expiries come before those of entities
    const std::optional<std::string> seen = is_there ? std::optional(main_record) : std::nullopt;
    const bool is_removed =
        repair({main_key, seen, seen}, {std::string(key), std::string(value), std::nullopt});
    report(record, "no entity expires at this time: maintenance removes the record", is_removed);
    return is_removed;
  }

  bool repair(const Change& unchanged, const Change& change) const {
    return repair_ && repair_->make(unchanged, change);
  }

  void report(const Json& record, const std::string& why, bool is_repaired = false) {
    ++problems_;
    if (is_repaired) ++repaired_;
    if (output_.is_json) {
      Json line = record;
      line["problem"] = why;
      if (repair_) line["repaired"] = is_repaired;
      output_.out << line.dump() << '\n';
      return;
    }
    output_.out << (record.contains("kind") && record.contains("id")
                        ? text_of(record["kind"]) + ' ' + record["id"].dump() + ", "
                        : std::string())
                << text_of(record["form"]);
    if (record.contains("property")) output_.out << " of " << text_of(record["property"]);
    output_.out << ": " << why << "\n  key " << text_of(record["key"]) << '\n';
    if (is_repaired) output_.out << "  repaired\n";
  }

  const std::unique_ptr<Snapshot> snapshot_;
  const Output output_;
  Repair* const repair_;
  std::uint64_t problems_ = 0, repaired_ = 0;
  const std::int64_t now_ =
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
  std::set<std::string> has_another_end_;  // entities with an expiry that their main records do not repeat
  std::string entity_;                     // of the last main record
  std::string orphan_;                     // the last entity that was reported to have no main record
  std::string index_;                      // the last index that was looked at
  bool is_complete_ = false;               // whether its state says so
  std::map<std::string, bool> known_;      // whether entities are there, of records of indexes
};

}  // namespace

std::uint64_t verify(Store& store, Output output, Repair* repair) {
  return Verification(store, output, repair).run();
}

}  // namespace autoshard::ctl
