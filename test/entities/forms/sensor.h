// No namespace, a macro for the attributes, `#if` around members, and a declaration ahead of the class.
#pragma once

#include <cstdint>

#define COUNTED [[autoshard::shardable(neutral = 0, shards = 8)]]
#define COUNTER(name) [[autoshard::shardable(neutral = 0, shards = SHARDS)]] std::int64_t name = 0
#define SHARDS 12

class Sensor;
inline std::int64_t readings_of(const Sensor& sensor);

class [[autoshard::entity]] Sensor {
 public:
  [[autoshard::shard_method]] constexpr void fail() {
    ++faults_;
    ++drops_;
  }
  [[autoshard::shard_method]] void read() {
    ++readings_;
#if defined(SENSOR_ERRORS)
    ++errors_;
#else
    // nothing to count
#endif
  }
  [[using autoshard: shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
  std::int64_t readings() const { return readings_; }
  void rename(std::uint32_t id) { id_ = id; }

 private:
  [[maybe_unused]] std::uint32_t id_ [[autoshard::id]] = 0;
  COUNTED std::int64_t readings_ = 0;
  COUNTER(faults_);
  COUNTED std::int64_t drops_ = 0, losses_{};
#if defined(SENSOR_ERRORS)
  COUNTED std::int64_t errors_ = 0;
#elif !defined(SENSOR_PLACELESS)
  double place_ = 0;
#else
  int nothing_ = 0;
#endif
};

inline std::int64_t readings_of(const Sensor& sensor) { return sensor.readings(); }
