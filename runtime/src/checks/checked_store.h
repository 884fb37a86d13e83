#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The store of a mapper in builds with checks.
namespace autoshard::detail {

/// The reads and writes of a transaction, by keys. A record that was absent, or is erased, has no value.
struct CheckedCommit {
  struct Write {
    enum Kind : std::uint8_t { kPut, kErase, kFold } kind;
    std::string value;     ///< of a fold: the elements after the number
    bool is_read = false;  ///< the transaction has read the record since the write
  };

  std::map<std::string, std::optional<std::string>, std::less<>> seen;
  std::map<std::string, Write, std::less<>> writes;
};

/// Checks each write by itself: its key and value have a form of runtime/FORMAT.md. Must be called before the
/// commit.
void check_writes(const CheckedCommit& commit);

/// Checks that a commit that changes an entity carries the mark of its writer. Without the mark, the outcome
/// of a lost acknowledgement cannot be found out. For stores that may lose acknowledgements.
void check_mark(const CheckedCommit& commit);

/// Checks that the writes agree with each other and with the reads. Must be called once the commit is known
/// to have taken effect: only then do all reads belong to one state of the store.
void check_transition(const CheckedCommit& commit);

/// Passes all calls on to the store below. Aborts if a transaction breaks the stored format or a rule by
/// which mappers change records. It adds no reads, and does not judge the content of the store.
class CheckedStore final : public Store {
 public:
  /// `below` must outlive the object.
  explicit CheckedStore(Store& below) : below_(below) {}

  StoreTraits traits() const override { return below_.traits(); }
  std::unique_ptr<Transaction> begin() override;
  /// With true: from now on the transaction may read only records that it has prefetched or written. Any
  /// other read would cost a store that prefetches a round trip of its own. With false: ends that. Does not
  /// depend on whether the store below prefetches.
  static void expect_prefetched(Transaction& transaction, bool expected);
  std::unique_ptr<Snapshot> snapshot() override { return below_.snapshot(); }
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override {
    return below_.scan(begin, end);
  }

 private:
  Store& below_;
};

}  // namespace autoshard::detail
