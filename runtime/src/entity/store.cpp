#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <utility>

namespace autoshard {
namespace {

/// A cursor that owns the snapshot that it walks through.
class SnapshotCursor final : public Cursor {
 public:
  SnapshotCursor(std::unique_ptr<Snapshot> snapshot, std::string_view begin, std::string_view end)
      : snapshot_(std::move(snapshot)), cursor_(snapshot_->scan(begin, end)) {}

  bool valid() const override { return cursor_->valid(); }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  void next() override { cursor_->next(); }

 private:
  const std::unique_ptr<Snapshot> snapshot_;
  const std::unique_ptr<Cursor> cursor_;
};

/// Walks through several ranges, one after the other.
class ChainedCursor final : public Cursor {
 public:
  ChainedCursor(const Snapshot& snapshot, std::vector<KeyRange> ranges)
      : snapshot_(snapshot), ranges_(std::move(ranges)) {
    find();
  }

  bool valid() const override { return cursor_ != nullptr; }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  void next() override {
    cursor_->next();
    if (!cursor_->valid()) find();
  }

 private:
  /// Moves to the first record of the next range that has any.
  void find() {
    for (cursor_ = nullptr; next_ < ranges_.size() && !cursor_; ++next_) {
      cursor_ = snapshot_.scan(ranges_[next_].begin, ranges_[next_].end);
      if (!cursor_->valid()) cursor_ = nullptr;
    }
  }

  const Snapshot& snapshot_;
  const std::vector<KeyRange> ranges_;
  std::size_t next_ = 0;
  std::unique_ptr<Cursor> cursor_;
};

}  // namespace

void Transaction::fold(std::string_view /*key*/, const NumberFold& /*fold*/) {
  throw InvalidUse("this store has no fold: ask StoreTraits::folds before Transaction::fold");
}

std::unique_ptr<Cursor> Snapshot::scan_all(std::vector<KeyRange> ranges) const {
  return std::make_unique<ChainedCursor>(*this, std::move(ranges));
}

std::unique_ptr<Cursor> Store::scan(std::string_view begin, std::string_view end) {
  return std::make_unique<SnapshotCursor>(snapshot(), begin, end);
}

}  // namespace autoshard
