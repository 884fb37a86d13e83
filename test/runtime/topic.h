#pragma once

#include <autoshard/generated.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// An entity as the generator makes them, with groups: a sequence, a set and a map.
namespace forum {

struct Post {
  std::string text;
  int likes = 0;

  friend bool operator==(const Post&, const Post&) = default;
};

class Topic {
 public:
  explicit Topic(int id, std::vector<Post> posts = {}) : id_(id), posts_(std::move(posts)) {}

  struct Shard {
    std::vector<Post> posts_{};
    std::set<std::string> readers_{};
    std::map<std::string, int> stars_{};
    int views_ = 0;

    void add_post(const std::string& text) { posts_.push_back({text}); }
    void read_by(const std::string& reader) {
      readers_.insert(reader);
      ++views_;
    }
    void rate(const std::string& reader, int stars) { stars_.insert_or_assign(reader, stars); }
    void view() { ++views_; }

    static int fold_views_(int x, const int& y) { return x + y; }
  };

  void add_post(const std::string& text) {
    autoshard_.pending.add_post(text);
    posts_.push_back({text});
  }
  void read_by(const std::string& reader) {
    autoshard_.pending.read_by(reader);
    readers_.insert(reader);
    ++views_;
  }
  void rate(const std::string& reader, int stars) {
    autoshard_.pending.rate(reader, stars);
    stars_.insert_or_assign(reader, stars);
  }
  void view() {
    autoshard_.pending.view();
    ++views_;
  }
  void set_title(std::string title) { title_ = std::move(title); }

  const std::string& title() const { return title_; }
  const std::vector<Post>& posts() const { return posts_; }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Post& post : posts_) texts.push_back(post.text);
    return texts;
  }
  const std::set<std::string>& readers() const { return readers_; }
  const std::map<std::string, int>& stars() const { return stars_; }
  int views() const { return views_; }

 private:
  friend struct ::autoshard::Traits<Topic>;
  explicit Topic(::autoshard::Loading) : id_() {}

  int id_;
  std::string title_;
  std::vector<Post> posts_;
  std::set<std::string> readers_;
  std::map<std::string, int> stars_;
  int views_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace forum

template <>
struct autoshard::Traits<forum::Topic> {
  using Entity = forum::Topic;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Topic";
  static constexpr auto kId = &Entity::id_;

  static constexpr auto properties() { return std::tuple{Property{"title", &Entity::title_}}; }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"posts", group(8), &Entity::posts_, &Shard::posts_, unite, kAnyOrder},
        ShardedProperty{"readers", group(4), &Entity::readers_, &Shard::readers_, unite},
        ShardedProperty{"stars", group(4), &Entity::stars_, &Shard::stars_, unite},
        ShardedProperty{"views", 4, &Entity::views_, &Shard::views_, &Shard::fold_views_},
    };
  }
  static constexpr std::array kFormerNames = {FormerName{"comments", "posts"},
                                              FormerName{"ratings", "stars"}};
  static constexpr auto members(const forum::Post*) {
    return std::tuple{Property{"text", &forum::Post::text}, Property{"likes", &forum::Post::likes}};
  }

  struct Fields {
    static constexpr auto id = field<Entity>("id", &Entity::id_);
    static constexpr auto title = field<Entity>("title", &Entity::title_);
    static constexpr auto posts = field<Entity>("posts", &Entity::posts_);
    static constexpr auto readers = field<Entity>("readers", &Entity::readers_);
    static constexpr auto stars = field<Entity>("stars", &Entity::stars_);
    static constexpr auto views = field<Entity>("views", &Entity::views_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::add_post>) {
      shard.add_post(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::read_by>) {
      shard.read_by(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::rate>) {
      shard.rate(std::forward<Args>(args)...);
    } else {
      static_assert(kSameMethod<kMethod, &Entity::view>,
                    "this is no [[autoshard::shard_method]] of forum::Topic");
      shard.view();
    }
  }
};
