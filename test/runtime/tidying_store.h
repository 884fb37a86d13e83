#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::test {

/// Passes on everything, and notes where it is told to tidy up.
class TidyingStore final : public Store {
 public:
  struct Tidied {
    std::string begin, end;
    int snapshots;  // that are held meanwhile: what they show stays
  };

  explicit TidyingStore(Store& store) : store_(store) {}

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Transaction> begin() override { return store_.begin(); }
  std::unique_ptr<Snapshot> snapshot() override {
    return std::make_unique<CountedSnapshot>(store_.snapshot(), snapshots_);
  }
  void reclaim(std::string_view begin, std::string_view end) override {
    tidied.push_back({std::string(begin), std::string(end), snapshots_});
    store_.reclaim(begin, end);
  }

  std::vector<Tidied> tidied;

 private:
  class CountedSnapshot final : public Snapshot {
   public:
    CountedSnapshot(std::unique_ptr<Snapshot> snapshot, int& number)
        : snapshot_(std::move(snapshot)), number_(number) {
      ++number_;
    }
    ~CountedSnapshot() override { --number_; }
    bool get(std::string_view key, std::string& value) const override { return snapshot_->get(key, value); }
    std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                 Direction direction) const override {
      return snapshot_->scan(begin, end, direction);
    }

   private:
    const std::unique_ptr<Snapshot> snapshot_;
    int& number_;
  };

  Store& store_;
  int snapshots_ = 0;
};

}  // namespace autoshard::test
