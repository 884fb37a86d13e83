#include "erase.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "changes.h"
#include "checked_keys.h"
#include "checked_values.h"
#include "index_records.h"
#include "main_record.h"
#include "random.h"
#include "record_json.h"
#include "scan.h"
#include "table.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;

constexpr std::string_view kTrue = "\xC3";

/// What the commit of the tombstone changes, and what it validates, in one state of the store.
class ErasePlan {
 public:
  ErasePlan(Store& store, const std::string& kind, const std::string& id)
      : snapshot_(store.snapshot()),
        kind_(kind),
        id_(id),
        name_(kind + ' ' + id),
        entity_(entity_key_of(kind, id_from_text(id))) {}

  /// Fills in `changes` and `records`. Returns what is missing if there is no entity.
  Missing make() {
    count_own_records();
    std::string main_record;
    if (!snapshot_->get(main_key(), main_record)) return about_missing();
    is_erased_ = detail::is_tombstone(main_record);
    if (is_erased_) return {};
    changes.push_back({main_key(), main_record, detail::tombstone()});
    add_expiries();
    add_indexes();
    return {};
  }

  /// Whether there is a tombstone already, which leaves no changes to make.
  bool is_erased() const { return is_erased_; }
  const std::string& entity() const { return entity_; }

  std::vector<Change> changes;
  EntityRecords records;

 private:
  std::string main_key() const { return detail::checked_main_key(entity_); }

  void count_own_records() {
    for_each_record(*snapshot_, entity_, [&](std::string_view key, std::string_view value) {
      if (detail::parse_checked_key(key).is_of_entity())  // foreign records stay
        ++records.removed[text_of(describe_record(key, value)["form"])];
      return true;
    });
    for_each_record(*snapshot_, tokens_key() + entity_, [&](std::string_view, std::string_view) {
      ++records.tokens;
      return true;
    });
  }

  Missing about_missing() const {
    if (records.removed.empty()) return missing_entity(*snapshot_, kind_, id_);
    throw InvalidUse(name_ + " has no main record, but other records: 'verify --repair' removes them");
  }

  void remove(std::string_view key, std::string_view value, const char* form) {
    changes.push_back({std::string(key), std::string(value), std::nullopt});
    ++records.removed[form];
  }

  /// Expiry records have the time before the id, so all of the kind are read.
  void add_expiries() {
    for_each_record(*snapshot_, expiries_key(kind_), [&](std::string_view key, std::string_view value) {
      const CheckedKey parsed = detail::parse_checked_key(key);
      if (parsed.kind == CheckedKey::kExpiry && parsed.entity == entity_) remove(key, value, "expiry");
      return true;
    });
  }

  void add_indexes() {
    const std::string generation = detail::checked_generation_key(entity_);
    const std::string id(detail::checked_id(entity_));
    std::string index;  // whose records are read; empty while it is one that was given up
    IndexRecords records_of_index(id);
    bool has_generation = false;
    const auto end_index = [&] {
      if (!index.empty()) add_index(index, records_of_index);
      index.clear();
    };
    for_each_record(*snapshot_, generation, [&](std::string_view key, std::string_view value) {
      const CheckedKey parsed = detail::parse_checked_key(key);
      if (parsed.kind == CheckedKey::kIndexState) {
        end_index();
        index = parsed.index;
        records_of_index = IndexRecords(id);
        if (value != kTrue)
          throw InvalidUse(name_ + " is not erased: index " + name_of(key, value) +
                           " is being built, and the build may give the entity an entry meanwhile. Let a "
                           "program call admin::build_indexes first");
      } else if (parsed.kind == CheckedKey::kIndexRecord && parsed.index == index) {
        records_of_index.see(parsed, key, value);
      }
      // Validated: no index comes or goes until the commit.
      if (parsed.kind == CheckedKey::kIndexState || parsed.kind == CheckedKey::kGeneration) keep(key, value);
      has_generation |= parsed.kind == CheckedKey::kGeneration;
      return true;
    });
    end_index();
    if (has_generation) return;
    std::string drawn;
    Encoder(drawn).natural(detail::random_bits());
    changes.push_back({generation, std::nullopt, drawn});  // as a mapper does
  }

  void add_index(const std::string& index, const IndexRecords& records_of_index) {
    const auto of_entity = records_of_index.of_entity();
    if (!of_entity)
      throw InvalidUse(name_ + " is not erased: the records of index " + name_of(index, kTrue) +
                       " do not tell which are of the entity. Let a program call admin::rebuild_indexes, or "
                       "erase the entity");
    std::set<std::string, std::less<>> keys;
    for (const auto& [key, value] : *of_entity) {
      remove(key, value, "index record");
      keys.insert(key);
    }
    for (const std::string& end : records_of_index.written_by_updates()) {
      if (!keys.contains(index + end)) changes.push_back({index + end, std::nullopt, std::nullopt});
    }
  }

  static std::string name_of(std::string_view state_key, std::string_view state) {
    return text_of(describe_record(state_key, state)["index"]);
  }

  void keep(std::string_view key, std::string_view value) {
    changes.push_back({std::string(key), std::string(value), std::string(value)});
  }

  const std::unique_ptr<Snapshot> snapshot_;
  const std::string kind_, id_, name_, entity_;
  bool is_erased_ = false;
};

}  // namespace

std::string EntityRecords::in_words() const {
  std::vector<std::string> parts;
  for (const auto& [form, records] : removed) parts.push_back(counted(records, form));
  return fmt::format("{}", fmt::join(parts, ", "));
}

EntityRecords count_records(Store& store, const std::string& kind, const std::string& id, Missing& missing) {
  ErasePlan plan(store, kind, id);
  missing = plan.make();
  return plan.records;
}

EntityRecords erase_entity(Store& store, const std::string& kind, const std::string& id, Missing& missing) {
  constexpr int kMostAttempts = 20;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    ErasePlan plan(store, kind, id);
    missing = plan.make();
    if (!missing.empty()) return {};
    if (!plan.is_erased() && commit_changes(store, plan.changes)) continue;  // another program has changed it
    finish_erases(store, {&plan.entity(), 1});
    return plan.records;
  }
  throw Contention(kind + ' ' + id + " is not erased: programs change it all the time. Repeat the command");
}

}  // namespace autoshard::ctl
