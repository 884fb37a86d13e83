// Alternatives, tuples, pointers to values, which make the entity move-only, and a type with a codec of its own.
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

// How Money is stored is nobody's business here: money_codec.h says it to whoever stores a shipment.
namespace autoshard {
template <class T>
struct Codec;
}

namespace logistics {

class Money {
 public:
  Money() = default;
  explicit Money(long cents) : cents_(cents) {}
  long cents() const { return cents_; }

 private:
  long cents_ = 0;
};

/// A leg of the way, and what comes after it.
struct Leg {
  std::string to;
  std::unique_ptr<Leg> next;
};

template <class T>
struct Range {
  T from{};
  T to{};
};

struct Pallet {
  int number = 0;
};
struct Container {
  std::string seal;
  std::vector<Pallet> pallets;
};

}  // namespace logistics

template <>
struct autoshard::Codec<logistics::Money>;

namespace logistics {

class [[autoshard::entity]] Shipment {
 public:
  using Places = std::unordered_set<std::string>;

  explicit Shipment(long number) : number_(number) {}

  [[autoshard::shard_method]] void scan(std::string place) { places_.insert(std::move(place)); }
  [[autoshard::shard_fold]] static Places all(Places a, const Places& b) {
    a.insert(b.begin(), b.end());
    return a;
  }
  const Places& places() const { return places_; }

  void fill();
  bool is_filled() const;

 private:
  [[autoshard::id]] long number_;
  std::variant<std::monostate, Pallet, Container> load_;
  std::tuple<int, double, std::string> size_;
  std::pair<std::monostate, int> rest_;
  std::deque<std::string> queue_;
  std::list<std::list<int>> batches_;
  std::unordered_set<int> gates_;
  std::unique_ptr<Leg> way_;
  std::unique_ptr<std::string> remark_;
  std::vector<std::unique_ptr<std::variant<int, std::string>>> marks_;
  Range<int> degrees_;
  Money price_;
  std::vector<Money> tolls_;
  [[autoshard::shardable(neutral = {}, shards = 3)]] Places places_;
};

inline void Shipment::fill() {
  load_ = Container{"s", {{1}, {2}}};
  size_ = {3, 0.5, "m"};
  rest_ = {{}, 4};
  queue_ = {"first", "second"};
  batches_ = {{1}, {}, {2, 3}};
  gates_ = {7, 8};
  way_ = std::make_unique<Leg>();
  way_->to = "Ulm";
  way_->next = std::make_unique<Leg>();
  way_->next->to = "Bonn";
  marks_.push_back(nullptr);
  marks_.push_back(std::make_unique<std::variant<int, std::string>>("fragile"));
  degrees_ = {-5, 8};
  price_ = Money{1999};
  tolls_ = {Money{1}, Money{2}};
}

inline bool Shipment::is_filled() const {
  const auto* container = std::get_if<Container>(&load_);
  return container && container->seal == "s" && container->pallets.size() == 2 && container->pallets[1].number == 2 &&
         size_ == std::tuple(3, 0.5, "m") && rest_.second == 4 && queue_.back() == "second" &&
         batches_ == std::list<std::list<int>>{{1}, {}, {2, 3}} && gates_ == std::unordered_set{8, 7} &&
         way_->next->to == "Bonn" && way_->next->next == nullptr && remark_ == nullptr && marks_[0] == nullptr &&
         std::get<1>(*marks_[1]) == "fragile" && degrees_.from == -5 && degrees_.to == 8 && price_.cents() == 1999 &&
         tolls_[1].cents() == 2;
}

}  // namespace logistics
