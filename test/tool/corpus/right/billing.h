// Invoices and what they are paid with. Style: one include for all of the model, a base class for all records.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace autoshard {
template <class T>
struct Codec;
}

namespace billing {

/// An amount without a float in it. How it is stored says the codec in billing_codec.h.
class Money {
 public:
  constexpr Money() = default;
  constexpr explicit Money(std::int64_t cents) : cents_(cents) {}
  constexpr std::int64_t cents() const { return cents_; }
  friend constexpr Money operator+(Money a, Money b) { return Money(a.cents_ + b.cents_); }
  friend constexpr bool operator==(Money, Money) = default;

 private:
  std::int64_t cents_ = 0;
};

/// Values over time, in classes of their own.
template <class T>
class Series {
 public:
  void add(T value) { values_.push_back(std::move(value)); }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<T> values_;
};

}  // namespace billing

template <>
struct autoshard::Codec<billing::Money>;
template <class T>
struct autoshard::Codec<billing::Series<T>>;

namespace billing {

/// What every record has.
class [[autoshard::mapped]] Record {
 public:
  const std::string& created_by() const { return created_by_; }
  void created_by(std::string who) { created_by_ = std::move(who); }

 protected:
  Record() = default;
  ~Record() = default;
  Record(const Record&) = default;
  Record(Record&&) = default;
  Record& operator=(const Record&) = default;
  Record& operator=(Record&&) = default;

 private:
  friend class RecordTest;
  std::string created_by_;
  std::optional<std::chrono::sys_seconds> created_;
};

/// A record that has a number.
class [[autoshard::mapped]] Numbered : public Record {
 public:
  std::uint64_t number() const { return number_; }

 protected:
  Numbered() = default;
  explicit Numbered(std::uint64_t number) : number_(number) {}

 private:
  [[autoshard::id]] std::uint64_t number_ = 0;
};

struct Card {
  std::array<char, 4> last_digits{};
  int month = 1, year = 2030;
};
struct Transfer {
  std::string iban;
};
using Payment = std::variant<std::monostate, Card, Transfer>;

class [[autoshard::entity]] Invoice final : public Numbered {
 public:
  explicit Invoice(std::uint64_t number) : Numbered(number) {}

  void add(std::string what, Money costs) { items_.emplace_back(std::move(what), costs); }
  void paid_with(Payment payment) { payment_ = std::move(payment); }
  Money total() const {
    Money sum;
    for (const auto& [what, costs] : items_) sum = sum + costs;
    return sum;
  }

 private:
  std::vector<std::pair<std::string, Money>> items_;
  Payment payment_;
  Series<Money> reminders_;
};

/// An account that is charged all the time.
class [[autoshard::entity]] Wallet : public Numbered {
 public:
  explicit Wallet(std::uint64_t number) : Numbered(number) {}

  [[autoshard::shard_method]] void charge(std::int64_t cents) { balance_ -= cents; }
  [[autoshard::shard_method]] void top_up(std::int64_t cents) noexcept(true) { balance_ += cents; }
  [[nodiscard]] bool is_empty() const noexcept { return balance_ <= 0; }
  [[deprecated("use is_empty()")]] bool empty() const noexcept { return is_empty(); }

 private:
  [[autoshard::shardable(neutral = 0, shards = 20, fold = std::plus<std::int64_t>{})]] std::int64_t balance_ = 0;
  std::unique_ptr<Transfer> refill_from_;
};

/// Sees created_by_.
class RecordTest {
 public:
  static bool is_anonymous(const Record& record) { return record.created_by_.empty(); }
};

}  // namespace billing
