#include "insert_hints.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace autoshard::rocksdb_store {
namespace {

// A hint takes some 300 bytes of the write buffer.
constexpr std::size_t kBufferBytesAPlace = 4096;
constexpr std::size_t kMostPlaces = 1 << 14;

class InsertHints final : public rocksdb::SliceTransform {
 public:
  explicit InsertHints(std::size_t places) : places_(places) {
    for (std::size_t i = 0; i < places; ++i) places_[i].number = static_cast<std::uint32_t>(i);
  }

  const char* Name() const override { return "AutoShard.InsertHints"; }

  /// Returns whether the key was the last one at its place.
  bool InDomain(const rocksdb::Slice& key) const override {
    const std::size_t hash = hash_of(key);
    std::atomic<std::size_t>& last = place(hash).last;
    if (last.load(std::memory_order_relaxed) == hash) return true;
    last.store(hash, std::memory_order_relaxed);
    return false;
  }

  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    const std::uint32_t& number = place(hash_of(key)).number;
    return {reinterpret_cast<const char*>(&number), sizeof number};
  }

 private:
  struct Place {
    mutable std::atomic<std::size_t> last{0};  // hash of the key
    std::uint32_t number = 0;
  };

  static std::size_t hash_of(const rocksdb::Slice& key) {
    return std::hash<std::string_view>()(key.ToStringView());
  }
  const Place& place(std::size_t hash) const { return places_[hash % places_.size()]; }

  std::vector<Place> places_;
};

}  // namespace

std::shared_ptr<const rocksdb::SliceTransform> insert_hints(std::size_t write_buffer_bytes) {
  const std::size_t places = std::clamp<std::size_t>(write_buffer_bytes / kBufferBytesAPlace, 1, kMostPlaces);
  return std::make_shared<InsertHints>(std::bit_floor(places));
}

}  // namespace autoshard::rocksdb_store
