#include <autoshard/store.h>

#include <utility>

namespace autoshard {
namespace {

/// With the snapshot that it walks through.
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

}  // namespace

std::unique_ptr<Cursor> Store::scan(std::string_view begin, std::string_view end) {
  return std::make_unique<SnapshotCursor>(snapshot(), begin, end);
}

}  // namespace autoshard
