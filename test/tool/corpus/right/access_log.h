// Who entered which building when: nobody counts on a single index keeping up.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace access_log {

struct Badge {
  std::array<std::byte, 8> bytes{};
};

class [[autoshard::mapped]] Timed {
 protected:
  std::chrono::sys_time<std::chrono::milliseconds> at_;
};

enum Direction { kIn, kOut };

// The people at the gate want to see the last ones, those upstairs one person's.
class [[autoshard::entity("access")]] [[autoshard::sharded_index(name = ByGate, key = (building_, gate_), order = at_, shards = 16),
                                       autoshard::sharded_index(name = ByBadge, key = badge_, order = (at_, gate_), shards = 64)]]
Entry : public Timed {
 public:
  Entry(std::string building, int gate, Badge badge)
      : building_(std::move(building)), gate_(gate), badge_(badge) {}

  Direction direction() const { return direction_; }

 private:
  [[autoshard::id]] std::string building_;
  [[autoshard::id]] int gate_;
  [[autoshard::id]] Badge badge_;
  [[autoshard::index]] Direction direction_ = kIn;
};

}  // namespace access_log
