#include "verify.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "checked_keys.h"
#include "checked_values.h"
#include "record_json.h"
#include "scan.h"
#include "table.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;

class Verification {
 public:
  Verification(Store& store, Output output) : snapshot_(store.snapshot()), output_(output) {}

  std::uint64_t run() {
    std::uint64_t records = 0;
    for_each_record(*snapshot_, "", [&](std::string_view key, std::string_view value) {
      ++records;
      look_at(key, value);
      return true;
    });
    if (!output_.is_json)
      output_.out << with_commas(records) << " records, " << with_commas(problems_) << " problems\n";
    return problems_;
  }

 private:
  void look_at(std::string_view key, std::string_view value) {
    const CheckedKey parsed = detail::parse_checked_key(key);
    const Json record = describe_record(key, value);
    if (record.contains("problem")) report(record, text_of(record["problem"]));
    if (parsed.kind == CheckedKey::kMain) {
      look_at_main(parsed, record, key, value);
    } else if (parsed.is_of_entity()) {
      look_at_part(parsed, record, key, value);
    } else if (parsed.kind == CheckedKey::kExpiry) {
      look_at_expiry(parsed, record);
    } else if (parsed.is_of_index() && parsed.index != index_) {
      index_ = parsed.index;
      std::string generation;
      if (!snapshot_->get(parsed.indexes, generation))
        report(record, "the kind has records of an index and no generation: call admin::rebuild_indexes");
    }
  }

  void look_at_main(const CheckedKey& parsed, const Json& record, std::string_view key,
                    std::string_view value) {
    entity_ = parsed.entity;
    const std::optional<detail::CheckedMain> main = detail::read_checked_main(key, value);
    if (!main || !main->expires) return;
    std::string expiry;
    if (!snapshot_->get(detail::checked_expiry_key(parsed.entity, *main->expires), expiry))
      report(record, "the entity expires, and the record is missing by which it is removed: save the entity");
  }

  void look_at_part(const CheckedKey& parsed, const Json& record, std::string_view key,
                    std::string_view value) {
    if (parsed.entity != entity_ && parsed.entity != orphan_) {
      orphan_ = parsed.entity;
      report(record, "the entity has no main record, so nothing reads its other records");
    }
    const std::optional<detail::CheckedShard> shard = detail::read_checked_shard(key, value);
    if (shard && shard->share && shard->part &&
        (*shard->part < shard->share->first || *shard->part > shard->share->second))
      report(record, "the part is beyond the share of its shard");
  }

  void look_at_expiry(const CheckedKey& parsed, const Json& record) {
    std::string value;
    const std::string main_key = detail::checked_main_key(parsed.entity);
    if (snapshot_->get(main_key, value)) {
      const std::optional<detail::CheckedMain> main = detail::read_checked_main(main_key, value);
      const auto time = static_cast<std::int64_t>(parsed.time);
      if (!main || (main->expires && std::max<std::int64_t>(*main->expires, 0) == time)) return;
    }
    report(record, "no entity expires at this time: maintenance removes the record");
  }

  void report(const Json& record, const std::string& why) {
    ++problems_;
    if (output_.is_json) {
      Json line = record;
      line["problem"] = why;
      output_.out << line.dump() << '\n';
      return;
    }
    output_.out << (record.contains("kind") && record.contains("id")
                        ? text_of(record["kind"]) + ' ' + record["id"].dump() + ", "
                        : std::string())
                << text_of(record["form"]);
    if (record.contains("property")) output_.out << " of " << text_of(record["property"]);
    output_.out << ": " << why << "\n  key " << text_of(record["key"]) << '\n';
  }

  const std::unique_ptr<Snapshot> snapshot_;
  const Output output_;
  std::uint64_t problems_ = 0;
  std::string entity_;  // of the last main record
  std::string orphan_;  // the last entity that was reported to have no main record
  std::string index_;   // the last index that was looked at
};

}  // namespace

std::uint64_t verify(Store& store, Output output) { return Verification(store, output).run(); }

}  // namespace autoshard::ctl
