// Parcels on their way. Style: interfaces first, everything virtual, static factories.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace parcels {

/// What can be tracked.
class ITrackable {
 public:
  virtual ~ITrackable() = default;
  ITrackable() = default;
  ITrackable(const ITrackable&) = default;
  ITrackable(ITrackable&&) = default;
  ITrackable& operator=(const ITrackable&) = default;
  ITrackable& operator=(ITrackable&&) = default;

  virtual void scan(const std::string& place) = 0;
  virtual bool wasAt(const std::string& place) const = 0;
};

/// What can be counted.
struct ICountable {
  virtual void count(long by) = 0;
  virtual long counted() const noexcept = 0;

 protected:
  ~ICountable() = default;
};

/// A parcel: where it was, in which order nobody knows for sure.
class [[autoshard::entity]] Parcel : public ITrackable {
 public:
  static Parcel make(std::string number) { return Parcel(std::move(number)); }

  [[autoshard::shard_method]] void scan(const std::string& place) override { places_.emplace(place); }
  bool wasAt(const std::string& place) const override { return places_.find(place) != places_.end(); }

  using Size = std::tuple<int, int, int>;
  void setSize(int length, int width, int height) { size_ = {length, width, height}; }
  const Size& getSize() const { return size_; }
  const void* label() const { return label_; }

 protected:
  explicit Parcel(std::string number) : number_(std::move(number)) {}

 private:
  using Places = std::unordered_set<std::string>;
  [[autoshard::shard_fold]] static Places all(Places a, Places b) {
    a.merge(b);
    return a;
  }

  [[autoshard::id]] std::string number_;
  Size size_{};
  std::deque<std::string> instructions_;
  [[autoshard::transient]] const void* label_ = nullptr;
  [[autoshard::shardable(neutral = Places(), shards = 4)]] Places places_;
};

/// A depot: throughput by day of the week, and the parcels that are lost there.
class [[autoshard::entity]] Depot final : public ICountable {
 public:
  static constexpr int kDays = 7;
  static inline const std::string kUnknown = "?";
  enum Day { kMonday, kTuesday, kWednesday, kThursday, kFriday, kSaturday, kSunday };

  Depot() : Depot(0) {}
  explicit Depot(int number) : number_(number) {}

  [[autoshard::shard_method]] void count(long by) final { total_ += by; }
  [[autoshard::shard_method]] void count(Day day, long by) {
    byDay_[day] += by;
    count(by);
  }
  [[autoshard::shard_method]] void lost(std::vector<std::string> numbers) {
    for (std::string& number : numbers) lost_.push_back(std::move(number));
  }
  long counted() const noexcept override { return total_; }

 private:
  [[autoshard::shard_fold(byDay_)]] static std::map<Day, long> addDays(std::map<Day, long> a,
                                                                      const std::map<Day, long>& b) {
    for (const std::pair<const Day, long>& entry : b) a[entry.first] += entry.second;
    return a;
  }
  [[autoshard::shard_fold(lost_)]] static std::vector<std::string> join(std::vector<std::string>&& a,
                                                                       std::vector<std::string>&& b) {
    for (std::string& number : b) a.push_back(std::move(number));
    return std::move(a);
  }

  [[autoshard::id]] int number_;
  std::list<std::set<int>> gates_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<long>{})]] long total_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 10)]] std::map<Day, long> byDay_;
  [[autoshard::shardable(neutral = {}, shards = 10, order = any)]] std::vector<std::string> lost_;
};

/// Where a van is, now; nothing hot.
class [[autoshard::entity("Van")]] DeliveryVan {
 public:
  explicit DeliveryVan(std::string plate) : plate_(std::move(plate)) {}
  void load(std::string parcel) & { parcels_.insert(std::move(parcel)); }
  [[nodiscard]] std::size_t load() const& noexcept { return parcels_.size(); }

 private:
  [[autoshard::id]] std::string plate_;
  std::set<std::string> parcels_;
  std::unique_ptr<std::pair<double, double>> position_;
};

}  // namespace parcels
