// A help desk: tickets with everything that people attach to them. The methods are defined in helpdesk.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helpdesk {

using Clock = std::chrono::system_clock;

struct Answer {
  std::string by;
  std::string text;
  Clock::time_point at;
};

enum class State : std::uint8_t { kOpen, kWaiting, kClosed };

constexpr int kGroups = 16;

class [[autoshard::entity]] Ticket {
 public:
  Ticket(std::uint64_t number, std::string customer, std::string subject);

  [[autoshard::shard_method]] void answer(Answer answer);
  [[autoshard::shard_method]] void attach(const std::vector<std::string>& files);
  [[autoshard::shard_method]] void watch(std::string who);
  [[autoshard::shard_method]] Ticket& set(const std::string& field, std::string value);
  [[autoshard::shard_method]] void log(std::string line) { log_.emplace_back(std::move(line)); }

  void close();
  const std::deque<Answer>& answers() const { return answers_; }
  std::size_t watchers() const { return watchers_.size(); }

 private:
  [[autoshard::before_save]] void touch();

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::index]] std::string customer_;
  std::string subject_;
  [[autoshard::index(elements)]] std::vector<std::string> labels_;
  [[autoshard::index]] State state_ = State::kOpen;
  [[autoshard::index]] Clock::time_point changed_;
  [[autoshard::shard_group(shards = kGroups)]] std::deque<Answer> answers_;
  [[autoshard::shard_group(shards = kGroups / 4)]] std::vector<std::string> files_;
  [[autoshard::shard_group(shards = 2)]] std::unordered_set<std::string> watchers_;
  [[autoshard::shard_group(shards = 2)]] std::unordered_map<std::string, std::string> fields_;
  [[autoshard::shard_group(shards = 1)]] std::list<std::string> log_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::uint32_t heat_ = 0;
};

}  // namespace helpdesk
