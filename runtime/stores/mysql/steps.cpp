#include "steps.h"

#include <algorithm>
#include <map>

#include "check.h"

namespace autoshard::mysql_store {
namespace {

// The bytes of a packet besides its parameters, and of a parameter besides its value.
constexpr std::size_t kPacketOverhead = 1 << 10, kParameterOverhead = 16;

/// Returns how many bytes an access adds to a statement.
std::size_t bytes_of(const Accesses::value_type* access) {
  const std::optional<std::string>& value = access->second.value;
  return access->first.size() + (value ? value->size() : 0) + 3 * kParameterOverhead;
}

/// Returns an expression of SQL: the integer that `bytes` encode in MessagePack; NULL if they encode no
/// signed integer of 64 bits.
std::string integer_in(const std::string& bytes) {
  const std::string first = "ASCII(" + bytes + ")", behind = "HEX(SUBSTR(" + bytes + ", 2))",
                    size = "LENGTH(" + bytes + ")", size_of_tag = "1 + (1 << (" + first + " & 3))";
  return "CASE WHEN " + size + " = 1 AND " + first + " < 128 THEN CAST(" + first + " AS SIGNED) WHEN " +
         size + " = 1 AND " + first + " >= 224 THEN CAST(" + first + " AS SIGNED) - 256 WHEN " + first +
         " BETWEEN 204 AND 207 AND " + size + " = " + size_of_tag + " AND (" + size +
         " < 9 OR ASCII(SUBSTR(" + bytes + ", 2)) < 128) THEN CAST(CONV(" + behind +
         ", 16, 10) AS SIGNED) WHEN " + first + " BETWEEN 208 AND 211 AND " + size + " = " + size_of_tag +
         " THEN CAST(CONV(LPAD(" + behind + ", 16, IF(ASCII(SUBSTR(" + bytes +
         ", 2)) < 128, '0', 'F')), 16, -10) AS SIGNED) END";
}

/// Returns an expression of SQL: the record after a fold of the stored record, `v`, with the inserted one;
/// NULL if they cannot be folded. The inserted record has the form of `number_record`: a byte, D3, 8 bytes of
/// the number, and the other elements.
std::string folded(const FoldWithin& fold) {
  const std::string its = "VALUES(v)", behind = "SUBSTR(" + its + ", 11)";
  const std::string number = integer_in("SUBSTR(v, 2, LENGTH(v) - LENGTH(" + its + ") + 9)");
  const std::string other = "CAST(CONV(HEX(SUBSTR(" + its + ", 3, 8)), 16, -10) AS SIGNED)";
  const std::string result = fold.fold == Fold::kSum       ? "(" + number + ") + " + other
                             : fold.fold == Fold::kMinimum ? "LEAST(" + number + ", " + other + ")"
                                                           : "GREATEST(" + number + ", " + other + ")";
  return "IF(LEFT(v, 1) = LEFT(" + its + ", 1) AND LENGTH(v) > LENGTH(" + its + ") - 9 AND RIGHT(v, LENGTH(" +
         its + ") - 10) = " + behind + " AND " + result + " BETWEEN " + std::to_string(fold.least) + " AND " +
         std::to_string(fold.most) + ", CONCAT(LEFT(" + its + ", 1), X'D3', UNHEX(LPAD(HEX(" + result +
         "), 16, '0')), " + behind + "), NULL)";
}

/// Returns whether the statement has a parameter for each `?`.
bool has_its_parameters(const Step& step) {
  return std::ranges::count(step.sql, '?') == static_cast<std::ptrdiff_t>(step.parameters.size());
}

}  // namespace

Steps::Steps(Database& database, const Accesses& accesses, std::uint64_t lane, std::uint64_t longest_packet)
    : table_(database.table()) {
  std::vector<const Accesses::value_type*> only_read, read_and_written, inserted, replaced, removed;
  std::map<FoldWithin, std::vector<const Accesses::value_type*>> folds;
  for (const auto& each : accesses) {
    const Access& access = each.second;
    if (access.fold) {
      folds[*access.fold].push_back(&each);
      continue;
    }
    if (access.version) (access.written ? read_and_written : only_read).push_back(&each);
    if (access.read && (access.value || !access.version)) inserted.push_back(&each);
    if (!access.read && access.value) replaced.push_back(&each);
    // If a read has found no record, the commit validates that by inserting one. Then it removes the record.
    if (!access.value && !access.version) removed.push_back(&each);
  }
  const auto in_statements = [&](Keys keys, const auto& use) {
    in_parts(keys, longest_packet - kPacketOverhead, bytes_of, use);
  };
  const std::uint64_t version = database.unique_number();
  const std::string forced = table_ + " FORCE INDEX (PRIMARY) WHERE ";
  in_statements(only_read, [&](Keys keys) {
    validate(keys, "INSERT INTO " + database.reads_table() + " (id, k) SELECT ?, k FROM " + forced, lane);
    steps_.back().sql += " LOCK IN SHARE MODE";
    // With USING: MariaDB 10.11 answers a killed DELETE of another form as if it had found no row. A
    // reference that stays keeps other transactions from the record for ever.
    const std::string& reads = database.reads_table();
    Step& step =
        add("DELETE FROM " + reads + " USING " + reads + " FORCE INDEX (PRIMARY) WHERE id = ", 1, "?", "");
    push(step, lane);
    step.expected = keys.size();
  });
  in_statements(read_and_written, [&](Keys keys) {
    validate(keys, "DELETE FROM " + table_ + " USING " + forced, std::nullopt);
  });
  in_statements(inserted, [&](Keys keys) { insert(keys, "INSERT INTO ", version); });
  in_statements(replaced, [&](Keys keys) { insert(keys, "REPLACE INTO ", version); });
  in_statements(removed, [&](Keys keys) { remove(keys); });
  for (const auto& [its, folded_keys] : folds)
    in_statements(folded_keys, [&, fold = its](Keys keys) { this->fold(keys, fold, version); });
  AUTOSHARD_CHECK(std::ranges::all_of(steps_, has_its_parameters), {"steps", steps_.size()});
}

Step& Steps::add(std::string sql, std::size_t repeats, std::string_view repeated, std::string_view between) {
  for (std::size_t i = 0; i < repeats; ++i) sql.append(i == 0 ? "" : between).append(repeated);
  bytes_ += sql.size() + 4 * kParameterOverhead;
  return steps_.emplace_back(Step{.sql = std::move(sql), .bytes = kPacketOverhead});
}

std::size_t Steps::largest() const {
  std::size_t largest = 0;
  for (const Step& step : steps_) largest = std::max(largest, step.bytes);
  return largest;
}

void Steps::push(Step& step, Connection::Parameter parameter) {
  const auto* bytes = std::get_if<std::string_view>(&parameter);
  const std::size_t size = kParameterOverhead + (bytes ? bytes->size() : 0);
  step.bytes += size;
  bytes_ += size;
  ++parameters_;
  step.parameters.push_back(parameter);
}

void Steps::validate(Keys keys, const std::string& sql, std::optional<std::uint64_t> first) {
  Step& step = add(sql, keys.size(), "(k = ? AND version = ?)", " OR ");
  if (first) push(step, *first);
  for (const auto* key : keys) {
    push(step, std::string_view(key->first));
    push(step, *key->second.version);
  }
  step.expected = keys.size();
}

void Steps::insert(Keys keys, const std::string& sql, std::uint64_t version) {
  Step& step = add(sql + table_ + " (k, version, v) VALUES ", keys.size(), "(?, ?, ?)", ", ");
  for (const auto* key : keys) {
    push(step, std::string_view(key->first));
    push(step, version);
    push(step, key->second.value ? std::string_view(*key->second.value) : std::string_view());
  }
}

/// The column refuses the NULL of records that cannot be folded.
void Steps::fold(Keys keys, const FoldWithin& fold, std::uint64_t version) {
  insert(keys, "INSERT INTO ", version);
  const std::string update = " ON DUPLICATE KEY UPDATE v = " + folded(fold) + ", version = VALUES(version)";
  steps_.back().sql += update;
  bytes_ += update.size();
}

void Steps::remove(Keys keys) {
  Step& step = add("DELETE FROM " + table_ + " USING " + table_ + " FORCE INDEX (PRIMARY) WHERE k IN (",
                   keys.size(), "?", ", ");
  step.sql += ')';
  for (const auto* key : keys) push(step, std::string_view(key->first));
}

}  // namespace autoshard::mysql_store
