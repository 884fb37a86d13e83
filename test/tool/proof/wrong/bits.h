// Sets of bits that are updated or folded by an operation that does not fit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace bits {

// wrong: `reset` in a union: a bit that another shard has set comes back
class [[autoshard::entity]] Seats {
 public:
  explicit Seats(int flight) : flight_(flight) {}
  [[autoshard::shard_method]] void take(std::size_t seat) { taken_.set(seat % 64); }
  [[autoshard::shard_method]] void free(std::size_t seat) { taken_.reset(seat % 64); }
  std::size_t taken() const { return taken_.count(); }

 private:
  [[autoshard::id]] int flight_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::bit_or<>{})]] std::bitset<64> taken_;
};

// wrong: `set` in an intersection: a bit that another shard has cleared stays cleared
class [[autoshard::entity]] Options {
 public:
  explicit Options(int poll) : poll_(poll) {}
  [[autoshard::shard_method]] void strike(unsigned option) { left_ &= ~(1U << (option & 31)); }
  [[autoshard::shard_method]] void allow(unsigned option) { left_ |= 1U << (option & 31); }
  unsigned left() const { return left_; }

 private:
  [[autoshard::id]] int poll_;
  [[autoshard::shardable(neutral = ~0U, shards = 4, fold = std::bit_and<>{})]] unsigned left_ = ~0U;
};

// wrong: a union in a fold by `^`: a bit that two shards have is gone
class [[autoshard::entity]] Faults {
 public:
  explicit Faults(int machine) : machine_(machine) {}
  [[autoshard::shard_method]] void raise(std::uint16_t fault) { faults_ |= fault; }
  std::uint32_t faults() const { return faults_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return a ^ b; }

  [[autoshard::id]] int machine_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t faults_ = 0;
};

// wrong: a union in a fold by `+`: the bit 4 of two shards is the bit 8
class [[autoshard::entity]] Days {
 public:
  explicit Days(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void open(unsigned day) { days_ |= 1U << (day % 7); }
  unsigned days() const { return days_; }

 private:
  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] unsigned days_ = 0;
};

// wrong: a history that is shifted by each update moves one shard's bits only
class [[autoshard::entity]] History {
 public:
  explicit History(int host) : host_(host) {}
  [[autoshard::shard_method]] void ping(bool answered) { last_ = last_ << 1 | (answered ? 1U : 0U); }
  std::uint64_t last() const { return last_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t either(std::uint64_t a, std::uint64_t b) { return a | b; }

  [[autoshard::id]] int host_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint64_t last_ = 0;
};

// wrong: the left operand is rotated before the words are joined
class [[autoshard::entity]] Parity {
 public:
  explicit Parity(int stripe) : stripe_(stripe) {}
  [[autoshard::shard_method]] void block(std::uint32_t word) { parity_ ^= word; }
  std::uint32_t parity() const { return parity_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    return std::rotl(a, 1) ^ b;
  }

  [[autoshard::id]] int stripe_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t parity_ = 0;
};

// wrong: bits that the left operand has and the right has not: `a & ~b`
class [[autoshard::entity]] Rights {
 public:
  explicit Rights(std::string user) : user_(std::move(user)) {}
  [[autoshard::shard_method]] void revoke(std::uint16_t rights) { rights_ &= ~std::uint32_t{rights}; }
  [[autoshard::shard_write]] void grant(std::uint16_t rights) { rights_ = rights; }
  std::uint32_t rights() const { return rights_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t left(std::uint32_t a, std::uint32_t b) { return a & ~b; }

  [[autoshard::id]] std::string user_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint32_t rights_ = 0xFFFF;
};

// wrong: the word with more bits wins, and of two with as many the left one
class [[autoshard::entity]] Fullest {
 public:
  explicit Fullest(int box) : box_(box) {}
  [[autoshard::shard_method]] void page(std::uint32_t stamps) { fullest_ = fuller(fullest_, stamps); }
  std::uint32_t fullest() const { return fullest_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t fuller(std::uint32_t a, std::uint32_t b) {
    return std::popcount(b) > std::popcount(a) ? b : a;
  }

  [[autoshard::id]] int box_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint32_t fullest_ = 0;
};

// wrong: the topmost bit is the one that says "closed", and the fold clears it where both have it
class [[autoshard::entity]] Channels {
 public:
  explicit Channels(int band) : band_(band) {}
  [[autoshard::shard_method]] void use(std::uint64_t channels) { used_ |= channels; }
  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint64_t kClosed = std::uint64_t{1} << 63;
  [[autoshard::shard_fold]] static std::uint64_t join(std::uint64_t a, std::uint64_t b) {
    return (a | b) & ~(a & b & kClosed);
  }

  [[autoshard::id]] int band_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint64_t used_ = 0;
};

// wrong: the number of a bit is not masked in the fold's loop: bits 32 to 39 are left out
class [[autoshard::entity]] Rooms {
 public:
  explicit Rooms(std::string castle) : castle_(std::move(castle)) {}
  [[autoshard::shard_method]] void enter(std::size_t room) { entered_.set(room % 40); }
  std::size_t entered() const { return entered_.count(); }

 private:
  using Set = std::bitset<40>;
  [[autoshard::shard_fold]] static Set join(Set a, const Set& b) {
    for (std::size_t i = 0; i < 32; ++i) {
      if (b.test(i)) a.set(i);
    }
    return a;
  }

  [[autoshard::id]] std::string castle_;
  [[autoshard::shardable(neutral = Set(), shards = 4)]] Set entered_;
};

}  // namespace bits
