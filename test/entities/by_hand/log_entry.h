#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <string>
#include <utility>

/// An entity and its companion, written by hand: the generator refuses a point in time as an id, and stores
/// of format 1 have such ids.
namespace activity {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

class LogEntry {
 public:
  LogEntry(std::string user, std::string company, Time time)
      : user_(std::move(user)), company_(std::move(company)), time_(time) {}

  /// In the order of time, spread over four shards.
  using ByCompany = ::autoshard::IndexOf<LogEntry, 0>;

  const std::string& user() const { return user_; }
  const std::string& company() const { return company_; }
  Time time() const { return time_; }
  int seen() const { return seen_; }
  void see(int times) {
    autoshard_.pending.see(times);
    seen_ += times;
  }

  std::string text;

  struct Shard {
    int seen_ = 0;
    void see(int times) { seen_ += times; }
    static int fold_seen(int x, const int& y) { return x + y; }
  };

 private:
  friend struct ::autoshard::Traits<LogEntry>;
  explicit LogEntry(::autoshard::Loading) {}

  std::string user_, company_;
  Time time_{};
  int seen_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace activity

template <>
struct autoshard::Traits<activity::LogEntry> {
  using Entity = activity::LogEntry;
  using Shard = Entity::Shard;
  using Id = std::tuple<std::string, std::string, activity::Time>;

  static constexpr std::string_view kKind = "LogEntry";
  static constexpr auto kId = std::tuple{&Entity::user_, &Entity::company_, &Entity::time_};

  static constexpr auto properties() { return std::tuple{Property{"text", &Entity::text}}; }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"seen", 4, &Entity::seen_, &Shard::seen_, &Shard::fold_seen}};
  }
  static constexpr auto indexes() {
    return std::tuple{Index{"ByCompany", std::tuple{Property{"company", &Entity::company_}},
                            std::tuple{Property{"time", &Entity::time_}}, 4}};
  }

  struct Fields {
    static constexpr auto user = field<Entity>("user", &Entity::user_);
    static constexpr auto company = field<Entity>("company", &Entity::company_);
    static constexpr auto time = field<Entity>("time", &Entity::time_);
    static constexpr auto text = field<Entity>("text", &Entity::text);
    static constexpr auto seen = field<Entity>("seen", &Entity::seen_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::see>,
                  "this is no [[autoshard::shard_method]] of activity::LogEntry");
    shard.see(std::forward<Args>(args)...);
  }
};
