#pragma once

#include <autoshard/generated.h>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// The entity of the examples in runtime/FORMAT.md, as the generator makes them: it has records of every
/// kind.
namespace school {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

class Course {
 public:
  explicit Course(int number) : number_(number) {}

  int number() const { return number_; }
  int votes() const { return votes_; }
  int views() const { return views_; }
  int seats() const { return seats_; }
  const std::vector<std::string>& questions() const { return questions_; }
  const std::set<std::string>& members() const { return members_; }
  const std::map<std::string, int>& ratings() const { return ratings_; }

  void vote(int votes) {
    autoshard_.pending.vote(votes);
    votes_ += votes;
  }

  std::string title;
  std::string teacher;
  Time begins{};
  std::set<std::string> tags;
  std::optional<Time> until;

  struct Shard {
    int votes_ = 0;
    bool replaced_votes_ = false;
    int views_ = 0;
    int seats_ = 0;
    std::vector<std::string> questions_{};
    std::set<std::string> members_{};
    std::map<std::string, int> ratings_{};
    int visits_ = 0;

    void vote(int votes) { votes_ += votes; }

    static int sum(int x, const int& y) { return x + y; }
    static int min_seats_() { return 0; }
    static int max_seats_() { return 100; }
  };

 private:
  friend struct ::autoshard::Traits<Course>;
  explicit Course(::autoshard::Loading) : number_() {}

  int number_;
  int votes_ = 0;
  int views_ = 0;
  int seats_ = 0;
  std::vector<std::string> questions_;
  std::set<std::string> members_;
  std::map<std::string, int> ratings_;
  int visits_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace school

template <>
struct autoshard::Traits<school::Course> {
  using Entity = school::Course;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Course";
  static constexpr auto kId = &Entity::number_;
  static constexpr auto kExpires = &Entity::until;
  static constexpr std::array kFormerNames = {FormerName{"stars", "ratings"}};

  static constexpr auto properties() {
    return std::tuple{Property{"title", &Entity::title}, Property{"teacher", &Entity::teacher},
                      Property{"begins", &Entity::begins}, Property{"tags", &Entity::tags},
                      Property{"until", &Entity::until}};
  }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"votes", 4, &Entity::votes_, &Shard::votes_, &Shard::sum}
            .replaced_by(&Shard::replaced_votes_)
            .folds_by(Fold::kSum),
        ShardedProperty{"views", kDynamic, &Entity::views_, &Shard::views_, &Shard::sum},
        ShardedProperty{"seats", 4, &Entity::seats_, &Shard::seats_, &Shard::sum}
            .at_least(&Shard::min_seats_)
            .at_most(&Shard::max_seats_),
        ShardedProperty{"questions", group(8), &Entity::questions_, &Shard::questions_, unite, kAnyOrder},
        ShardedProperty{"members", group(4), &Entity::members_, &Shard::members_, unite},
        ShardedProperty{"ratings", group(4), &Entity::ratings_, &Shard::ratings_, unite},
        ShardedProperty{"visits", 4, &Entity::visits_, &Shard::visits_, &Shard::sum}.windowed(
            {.last = 86'400, .bucket = 3'600}),
    };
  }
  static constexpr auto indexes() {
    return std::tuple{Index{"ByTeacher", std::tuple{Property{"teacher", &Entity::teacher}},
                            std::tuple{Property{"begins", &Entity::begins}}, 4},
                      unique_index("title", Property{"title", &Entity::title}),
                      elements_index("tags", Property{"tags", &Entity::tags}),
                      ranked_index("votes", Property{"votes", &Entity::votes_}, 10)};
  }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto title = field<Entity>("title", &Entity::title);
    static constexpr auto teacher = field<Entity>("teacher", &Entity::teacher);
    static constexpr auto begins = field<Entity>("begins", &Entity::begins);
    static constexpr auto tags = field<Entity>("tags", &Entity::tags);
    static constexpr auto votes = field<Entity>("votes", &Entity::votes_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::vote>,
                  "this is no [[autoshard::shard_method]] of school::Course");
    shard.vote(std::forward<Args>(args)...);
  }
};
