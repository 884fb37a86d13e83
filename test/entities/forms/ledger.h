// Names that meet those of the generated code, friends outside the class, and parameters without a name.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

class Transaction;
struct State {
  int level = 0;
  friend bool operator==(const State&, const State&) = default;
};

namespace books {

class Auditor;

/// What must not be thrown away.
struct [[nodiscard]] Receipt {
  long number;
};

class [[autoshard::entity]] Ledger {
 public:
  enum class Column : std::uint8_t { kDebit, kCredit };

  explicit Ledger(Column id) : column(id) {}

  [[autoshard::shard_method]] long book(long cents, Column = Column::kDebit) {
    total += cents;
    ++result;
    return cents;
  }
  [[autoshard::shard_method]] Receipt pending_receipt(const std::string& text) {
    first_text += static_cast<long>(text.size());
    return {static_cast<long>(text.size())};
  }
  [[autoshard::shard_method]] void take(std::string&& text) { pending += static_cast<long>(std::move(text).size()); }

  long sum() const { return total + result + pending + first_text; }

  friend class Auditor;
  friend class LedgerTest;
  friend void zero(const Ledger& ledger);
  friend std::ostream& operator<<(std::ostream& out, const Ledger& ledger);
  friend bool operator==(const Ledger&, const Ledger&) = default;

 private:
  static long add(long&& x, long&& y) { return x + y; }
  [[autoshard::id]] Column column;
  State state_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = [](long x, long y) { return x + y; })]] long total = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<long>())]] long result = 0;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long pending = 0;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long first_text = 0;
  [[autoshard::shard_fold]] static long fold(long&& x, long&& y) { return add(std::move(x), std::move(y)); }
}; inline constexpr int kAfter = 1;  // NOLINT: what stands here must survive

class Auditor {
 public:
  static long look(const Ledger& ledger) { return ledger.total; }
};

inline void zero(const Ledger& ledger) { static_cast<void>(ledger.pending); }
inline std::ostream& operator<<(std::ostream& out, const Ledger& ledger) { return out << ledger.total; }

}  // namespace books
