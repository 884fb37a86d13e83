// "The first one wins": the fold keeps what stands on its left.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace first {

// wrong: the first number that is not zero wins: 1 and 2 give the left one
class [[autoshard::entity]] Owner {
 public:
  explicit Owner(int plot) : plot_(plot) {}
  [[autoshard::shard_method]] void claim(std::uint32_t person) {
    if (owner_ == 0) owner_ = person;
  }
  std::uint32_t owner() const { return owner_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t first(std::uint32_t a, std::uint32_t b) {
    return a != 0 ? a : b;
  }

  [[autoshard::id]] int plot_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint32_t owner_ = 0;
};

// wrong: the left optional wins where both have a value
class [[autoshard::entity]] Reservation {
 public:
  explicit Reservation(int seat) : seat_(seat) {}
  [[autoshard::shard_method]] void reserve(std::uint64_t customer) { by_ = first(by_, customer); }
  bool is_free() const { return !by_; }

 private:
  using Customer = std::optional<std::uint64_t>;
  [[autoshard::shard_fold]] static Customer first(const Customer& a, const Customer& b) {
    return a.has_value() ? a : b;
  }

  [[autoshard::id]] int seat_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 2)]] Customer by_;
};

// wrong: of two alternatives that are both set the left one stays, whichever they are
class [[autoshard::entity]] Result {
 public:
  explicit Result(int match) : match_(match) {}
  [[autoshard::shard_method]] void win(long player) { result_ = first(result_, Outcome(player)); }
  [[autoshard::shard_method]] void draw(bool agreed) { result_ = first(result_, Outcome(agreed)); }
  bool is_open() const { return result_.index() == 0; }

 private:
  using Outcome = std::variant<std::monostate, long, bool>;
  [[autoshard::shard_fold]] static Outcome first(const Outcome& a, const Outcome& b) {
    return a.index() == 0 ? b : a;
  }

  [[autoshard::id]] int match_;
  [[autoshard::shardable(neutral = Outcome{}, shards = 2)]] Outcome result_;
};

// wrong: alternatives are ordered by their index, but of two of the same index the left one stays
class [[autoshard::entity]] Sanction {
 public:
  explicit Sanction(int user) : user_(user) {}
  [[autoshard::shard_method]] void mute(std::uint32_t hours) { kind_ = stricter(kind_, Kind(hours)); }
  [[autoshard::shard_method]] void ban() { kind_ = stricter(kind_, Kind(true)); }
  bool may_write() const { return kind_.index() == 0; }

 private:
  using Kind = std::variant<std::monostate, std::uint32_t, bool>;
  [[autoshard::shard_fold]] static Kind stricter(const Kind& a, const Kind& b) {
    return b.index() > a.index() ? b : a;
  }

  [[autoshard::id]] int user_;
  [[autoshard::shardable(neutral = std::monostate{}, shards = 2)]] Kind kind_;
};

enum class Sex : std::uint8_t { kUnknown, kFemale, kMale };

// wrong: the enumerator that is not "unknown" wins, and of two the left one
class [[autoshard::entity]] Bird {
 public:
  explicit Bird(int ring) : ring_(ring) {}
  [[autoshard::shard_method]] void observe(Sex sex) {
    if (sex_ == Sex::kUnknown) sex_ = sex;
  }
  Sex sex() const { return sex_; }

 private:
  [[autoshard::shard_fold]] static Sex known(Sex a, Sex b) {
    switch (a) {
      case Sex::kFemale:
      case Sex::kMale:
        return a;
      case Sex::kUnknown:
        break;
    }
    return b;
  }

  [[autoshard::id]] int ring_;
  [[autoshard::shardable(neutral = Sex::kUnknown, shards = 2)]] Sex sex_ = Sex::kUnknown;
};

// wrong: the slots of the right operand are only taken where the left has none
class [[autoshard::entity]] Table {
 public:
  explicit Table(int number) : number_(number) {}
  [[autoshard::shard_method]] void sit(unsigned chair, std::uint32_t guest) {
    std::uint32_t& at = guests_[chair % 4];
    if (at == 0) at = guest;
  }
  std::uint32_t guest(std::size_t chair) const { return guests_.at(chair); }

 private:
  using Guests = std::array<std::uint32_t, 4>;
  [[autoshard::shard_fold]] static Guests seat(Guests a, const Guests& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == 0) a[i] = b[i];
    }
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Guests guests_{};
};

// wrong: the version is folded by its maximum, and the value that belongs to it stays the left one
class [[autoshard::entity]] Setting {
 public:
  explicit Setting(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void set(std::uint32_t version, std::int32_t value) {
    if (version > setting_.version) setting_ = {version, value};
  }
  std::int32_t value() const { return setting_.value; }

 private:
  struct Versioned {
    std::uint32_t version = 0;
    std::int32_t value = 0;
  };
  [[autoshard::shard_fold]] static Versioned newest(const Versioned& a, const Versioned& b) {
    return {std::max(a.version, b.version), a.version == 0 ? b.value : a.value};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = Versioned{}, shards = 2)]] Versioned setting_;
};

// wrong: an error of the left operand hides that of the right one: codes 404 and 500
class [[autoshard::entity]] Import {
 public:
  explicit Import(int number) : number_(number) {}
  [[autoshard::shard_method]] void rows(std::uint32_t count, int error = 0) {
    state_.rows += count;
    if (state_.error == 0) state_.error = error;
  }
  int error() const { return state_.error; }

 private:
  struct State {
    std::uint64_t rows = 0;
    int error = 0;
  };
  [[autoshard::shard_fold]] static State join(State a, const State& b) {
    a.rows += b.rows;
    if (!a.error) a.error = b.error;
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] State state_;
};

}  // namespace first
