// Indexes of values that are not sharded: of one member, unique, and sharded with a key and an order of two
// members.
#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace activity {

enum class Level : std::uint8_t { kNew, kKnown, kTrusted };

class [[autoshard::entity]] [[autoshard::sharded_index(name = ByTeam, key = (team, active),
                                                       order = (level, joined), shards = 3)]] Member {
 public:
  /// Name other indexes for ranges. The generator names sharded indexes only, and numbers them first.
  using ByName = ::autoshard::IndexOf<Member, 1>;
  using ByEmail = ::autoshard::IndexOf<Member, 2>;

  explicit Member(int number) : number_(number) {}

  int number() const { return number_; }

  [[autoshard::index]] std::string name;
  [[autoshard::index(unique)]] std::string email;
  std::string team;
  std::string note;
  bool active = false;
  Level level = Level::kNew;
  std::chrono::sys_days joined{};

  friend bool operator==(const Member&, const Member&) = default;

 private:
  [[autoshard::id]] int number_;
};

}  // namespace activity
