#include "copy.h"

#include <autoshard/errors.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "changes.h"
#include "hex.h"
#include "room.h"
#include "scan.h"

namespace autoshard::ctl {
namespace {

constexpr std::uint64_t kProgressStep = 1000;
constexpr std::size_t kBatch = 1000;

/// All records of a snapshot but those that are reserved for the store.
class Records {
 public:
  explicit Records(const Snapshot& snapshot) : cursor_(snapshot.scan("", beyond_all_keys())) {
    skip_reserved();
  }

  bool valid() const { return cursor_->valid(); }
  std::string_view key() const { return cursor_->key(); }
  std::string_view value() const { return cursor_->value(); }
  void next() {
    cursor_->next();
    skip_reserved();
  }

 private:
  void skip_reserved() {
    while (valid() && is_reserved(key())) cursor_->next();
  }

  const std::unique_ptr<Cursor> cursor_;
};

using Value = std::optional<std::string_view>;

/// Calls `visit(key, value in the source, value in the target)` for each key that one of them has.
template <class Visit>
void for_each_key(const Snapshot& from, const Snapshot& to, Visit visit) {
  Records source(from), target(to);
  while (source.valid() || target.valid()) {
    const int order = !target.valid() ? -1 : !source.valid() ? 1 : source.key().compare(target.key());
    visit(order <= 0 ? source.key() : target.key(), order <= 0 ? Value(source.value()) : Value(),
          order >= 0 ? Value(target.value()) : Value());
    if (order <= 0) source.next();
    if (order >= 0) target.next();
  }
}

class Copy {
 public:
  Copy(Store& from, Store& to, const CopyOptions& options)
      : from_(from), to_(to), options_(options), traits_(to.traits()), source_(from.snapshot()) {}

  Copied run() {
    {
      const std::unique_ptr<Snapshot> before = to_.snapshot();
      check(*before);
      write(*before);
    }
    compare();
    return copied_;
  }

 private:
  void check(const Snapshot& before) {
    std::uint64_t passed = 0, others = 0;
    for_each_key(*source_, before, [&](std::string_view key, Value wanted, Value present) {
      report(CopyPhase::kCheck, ++passed);
      if (present && present != wanted) ++others;
      if (!wanted) return;
      ++copied_.records;
      copied_.bytes += key.size() + wanted->size();
      if (traits_.longest_key == 0 || key.size() <= traits_.longest_key) return;
      throw KeyTooLong("the target allows keys of " + std::to_string(traits_.longest_key) +
                       " bytes, and this one has " + std::to_string(key.size()) +
                       ": nothing was copied; key " + detail::to_hex(key));
    });
    if (copied_.records == 0)
      throw InvalidUse("the source has no records: is its name right? Nothing was changed");
    if (others == 0 || options_.replace) return;
    throw InvalidUse("the target has " + std::to_string(others) +
                     " records that the source does not have, or has with other values: nothing was copied; "
                     "choose an empty store, or add --replace to replace and remove these records");
  }

  void write(const Snapshot& before) {
    std::uint64_t passed = 0;
    detail::Room room(traits_, kBatch);
    std::vector<Change> batch;
    const auto commit_all = [&] {
      if (batch.empty()) return;
      detail::commit_in_halves(std::span<const Change>(batch),
                               [&](std::span<const Change> some) { commit(some); });
      batch.clear();
      room = detail::Room(traits_, kBatch);
    };
    for_each_key(*source_, before, [&](std::string_view key, Value wanted, Value present) {
      report(CopyPhase::kWrite, ++passed);
      if (present == wanted) return;
      if (!room.is_left()) commit_all();
      room.take(key.size() + (wanted ? wanted->size() : 0) + (present ? present->size() : 0));
      batch.push_back(
          {std::string(key), std::optional<std::string>(present), std::optional<std::string>(wanted)});
      ++(wanted ? copied_.written : copied_.removed);
    });
    commit_all();
  }

  void commit(std::span<const Change> changes) try {
    if (const std::optional<std::string> key = commit_changes(to_, changes)) throw_another_writes(*key);
  } catch (const CommitTooLarge& error) {
    throw CommitTooLarge(std::string(error.what()) + "; key " + detail::to_hex(changes.front().key));
  }

  void compare() {
    const std::unique_ptr<Snapshot> now = options_.is_live ? nullptr : from_.snapshot();
    const std::unique_ptr<Snapshot> after = to_.snapshot();
    std::uint64_t passed = 0;
    for_each_key(now ? *now : *source_, *after, [&](std::string_view key, Value wanted, Value present) {
      report(CopyPhase::kCompare, ++passed);
      if (present != wanted) throw_another_writes(key);
    });
  }

  void report(CopyPhase phase, std::uint64_t records) const {
    if (options_.progress && records % kProgressStep == 0) options_.progress(phase, records);
  }

  [[noreturn]] static void throw_another_writes(std::string_view key) {
    throw InvalidUse(
        "another program writes to one of the stores: stop it, and copy again. With --replace that "
        "loses what was written to the target; key " +
        detail::to_hex(key));
  }

  Store& from_;
  Store& to_;
  const CopyOptions& options_;
  const StoreTraits traits_;
  const std::unique_ptr<Snapshot> source_;
  Copied copied_;
};

}  // namespace

Copied copy(Store& from, Store& to, const CopyOptions& options) { return Copy(from, to, options).run(); }

}  // namespace autoshard::ctl
