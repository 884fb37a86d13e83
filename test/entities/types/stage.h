// Bitsets: stored, and sharded in each of the ways that keep the laws.
#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace stage {

using Lamps = std::bitset<70>;
inline constexpr std::size_t kExits = 8;

class [[autoshard::entity]] Stage {
 public:
  Stage(std::string name, std::bitset<7> days) : name_(std::move(name)), days_(days) {}

  [[autoshard::shard_method]] void light(std::size_t lamp) { lit_.set(lamp); }
  [[autoshard::shard_method]] void light_all(const Lamps& lamps) { lit_ |= lamps; }
  [[autoshard::shard_method]] void close(std::size_t exit) { open_.reset(exit); }
  [[autoshard::shard_method]] void close_all_but(std::bitset<kExits> exits) { open_ = open_ & exits; }
  [[autoshard::shard_method]] void press(std::size_t key) { pressed_.flip(key); }
  [[autoshard::shard_method]] void press_all() { pressed_.flip(); }
  [[autoshard::shard_write]] void release() { pressed_ = 0; }

  std::bitset<7> days() const { return days_; }
  const std::optional<std::bitset<2>>& doors() const { return doors_; }
  const Lamps& lit() const { return lit_; }
  std::bitset<kExits> open() const { return open_; }
  std::bitset<3> pressed() const { return pressed_; }

 private:
  [[autoshard::shard_fold]] static Lamps either(const Lamps& one, const Lamps& other) { return one | other; }

  [[autoshard::id]] std::string name_;
  std::bitset<7> days_;
  std::optional<std::bitset<2>> doors_ = 2;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Lamps lit_;
  [[autoshard::shardable(neutral = ~std::bitset<kExits>(), shards = 2,
                         fold = std::bit_and<>{})]] std::bitset<kExits>
      open_ = ~std::bitset<kExits>();
  [[autoshard::shardable(neutral = 0, fold = std::bit_xor<>{})]] std::bitset<3> pressed_;
};

}  // namespace stage
