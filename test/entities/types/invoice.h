// Base classes whose members belong to the entity, and a class with private members as the type of properties.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace billing {

class Invoice;

/// What every entity here begins with.
class [[autoshard::mapped]] Record {
 public:
  long number() const { return number_; }
  int revision() const { return revision_; }

 protected:
  Record() = default;
  explicit Record(long number) : number_(number) {}
  void revise() { ++revision_; }

 private:
  [[autoshard::id]] long number_ = 0;
  [[autoshard::also_load("changes")]] int revision_ = 0;
};

class [[autoshard::mapped]] Owned : public Record {
 public:
  const std::string& owner() const { return owner_; }

 protected:
  Owned() = default;
  Owned(long number, std::string owner) : Record(number), owner_(std::move(owner)) {}

  [[autoshard::transient]] const char* cached = nullptr;

 private:
  std::string owner_;
};

/// Has no members, so there is nothing to store.
struct Printable {
  static const char* title() { return "Invoice"; }
};

class [[autoshard::embedded]] Money {
 public:
  Money() = default;
  explicit Money(std::int64_t cents) : cents_(cents) {}
  std::int64_t cents() const { return cents_; }
  bool print() { return std::exchange(printed_, true); }

 private:
  std::int64_t cents_ = 0;
  [[autoshard::transient]] bool printed_ = false;
};

class [[autoshard::entity]] Invoice : public Owned, public Printable {
 public:
  Invoice(long number, std::string owner, Money total) : Owned(number, std::move(owner)), total_(total) {}

  void add(Money item) {
    revise();
    items_.push_back(item);
  }
  [[autoshard::shard_method]] void remind() { ++reminders_; }
  const Money& total() const { return total_; }
  const std::vector<Money>& items() const { return items_; }
  int reminders() const { return reminders_; }

 private:
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

  Money total_;
  std::vector<Money> items_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int reminders_ = 0;
};

}  // namespace billing
