#include "steps.h"

#include <algorithm>

namespace autoshard {
namespace {

// Of one statement.
constexpr std::size_t kMostKeys = 256;

template <class Use>
void in_parts(std::span<const MySqlAccesses::value_type* const> keys, Use use) {
  for (; !keys.empty(); keys = keys.subspan(std::min(kMostKeys, keys.size())))
    use(keys.first(std::min(kMostKeys, keys.size())));
}

}  // namespace

MySqlSteps::MySqlSteps(MySqlDatabase& database, const MySqlAccesses& accesses, std::uint64_t lane)
    : table_(database.table()) {
  std::vector<const MySqlAccesses::value_type*> only_read, read_and_written, inserted, replaced, removed;
  for (const auto& each : accesses) {
    const MySqlAccess& access = each.second;
    if (access.version) (access.written ? read_and_written : only_read).push_back(&each);
    if (access.read && (access.value || !access.version)) inserted.push_back(&each);
    if (!access.read && access.value) replaced.push_back(&each);
    // That there is none is validated by inserting one, if it was read; then that goes.
    if (!access.value && !access.version) removed.push_back(&each);
  }
  const std::uint64_t version = database.unique_number();
  const std::string forced = table_ + " FORCE INDEX (PRIMARY) WHERE ";
  in_parts(only_read, [&](Keys keys) {
    validate(keys, "INSERT INTO " + database.reads_table() + " (id, k) SELECT ?, k FROM " + forced, lane);
    steps_.back().sql += " LOCK IN SHARE MODE";
    push(add("DELETE FROM " + database.reads_table() + " WHERE id = ", 1, "?", ""), lane);
  });
  in_parts(read_and_written,
           [&](Keys keys) { validate(keys, "DELETE FROM " + table_ + " USING " + forced, std::nullopt); });
  in_parts(inserted, [&](Keys keys) { insert(keys, "INSERT INTO ", version); });
  in_parts(replaced, [&](Keys keys) { insert(keys, "REPLACE INTO ", version); });
  in_parts(removed, [&](Keys keys) { remove(keys); });
}

MySqlStep& MySqlSteps::add(std::string sql, std::size_t repeats, std::string_view repeated,
                           std::string_view between) {
  for (std::size_t i = 0; i < repeats; ++i) sql.append(i == 0 ? "" : between).append(repeated);
  bytes_ += sql.size() + 64;
  return steps_.emplace_back(MySqlStep{std::move(sql), {}, {}});
}

void MySqlSteps::push(MySqlStep& step, MySqlConnection::Parameter parameter) {
  const auto* bytes = std::get_if<std::string_view>(&parameter);
  bytes_ += 16 + (bytes ? bytes->size() : 0);
  ++parameters_;
  step.parameters.push_back(parameter);
}

void MySqlSteps::validate(Keys keys, const std::string& sql, std::optional<std::uint64_t> first) {
  MySqlStep& step = add(sql, keys.size(), "(k = ? AND version = ?)", " OR ");
  if (first) push(step, *first);
  for (const auto* key : keys) {
    push(step, std::string_view(key->first));
    push(step, *key->second.version);
  }
  step.expected = keys.size();
}

void MySqlSteps::insert(Keys keys, const std::string& sql, std::uint64_t version) {
  MySqlStep& step = add(sql + table_ + " (k, version, v) VALUES ", keys.size(), "(?, ?, ?)", ", ");
  for (const auto* key : keys) {
    push(step, std::string_view(key->first));
    push(step, version);
    push(step, key->second.value ? std::string_view(*key->second.value) : std::string_view());
  }
}

void MySqlSteps::remove(Keys keys) {
  MySqlStep& step = add("DELETE FROM " + table_ + " USING " + table_ + " FORCE INDEX (PRIMARY) WHERE k IN (",
                        keys.size(), "?", ", ");
  step.sql += ')';
  for (const auto* key : keys) push(step, std::string_view(key->first));
}

}  // namespace autoshard
