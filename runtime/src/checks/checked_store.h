#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The store of a mapper, in builds with checks.
namespace autoshard::detail {

/// What a transaction has seen and what it is going to write, by keys. A record that was seen absent, or is
/// erased, has no value.
struct CheckedCommit {
  struct Write {
    enum Kind : std::uint8_t { kPut, kErase, kFold } kind;
    std::string value;     ///< of a fold, what stands behind the number
    bool is_read = false;  ///< the transaction has read it since
  };

  std::map<std::string, std::optional<std::string>, std::less<>> seen;
  std::map<std::string, Write, std::less<>> writes;
};

/// Checks each write by itself: its key and value have a form of runtime/FORMAT.md. To be called before the
/// commit.
void check_writes(const CheckedCommit& commit);

/// Checks that a commit which changes an entity carries the mark of its writer, without which nothing tells
/// what became of a lost acknowledgement. For stores that may lose them.
void check_mark(const CheckedCommit& commit);

/// Checks that the writes agree with each other and with what was read. To be called once the commit is known
/// to have taken effect: only then did all reads belong to one state of the store.
void check_transition(const CheckedCommit& commit);

/// Passes everything on to the store below it. Aborts if a transaction breaks the stored format or one of the
/// rules by which mappers change records. It adds no reads, and does not judge what the store holds.
class CheckedStore final : public Store {
 public:
  /// `below` must outlive it.
  explicit CheckedStore(Store& below) : below_(below) {}

  StoreTraits traits() const override { return below_.traits(); }
  std::unique_ptr<Transaction> begin() override;
  /// From here on, the transaction must read no record that it has neither prefetched nor written: another
  /// read would cost a store that prefetches a round trip of its own. Until `false` is passed.
  static void expect_prefetched(Transaction& transaction, bool expected);
  std::unique_ptr<Snapshot> snapshot() override { return below_.snapshot(); }
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override {
    return below_.scan(begin, end);
  }
  void reclaim(std::string_view begin, std::string_view end) override { below_.reclaim(begin, end); }

 private:
  Store& below_;
};

}  // namespace autoshard::detail
