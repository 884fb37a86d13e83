#pragma once

#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Versions of one class, as its programs have it one after the other: what one writes, the others read.
namespace forum {

/// Today's version: both collections are groups.
struct Grouped {
  static constexpr std::string_view kPosts = "posts", kStars = "stars";
  static constexpr ::autoshard::Shards kShards = ::autoshard::group(4);
  static constexpr bool kReplaces = false;
};
/// The version before: each collection is one value, in so many shards.
struct Sharded : Grouped {
  static constexpr ::autoshard::Shards kShards = 1;
};
/// The same, with methods that replace a whole collection.
struct Replacing : Sharded {
  static constexpr bool kReplaces = true;
};
struct Spread : Grouped {
  static constexpr ::autoshard::Shards kShards = 4;
};
struct Dynamic : Grouped {
  static constexpr ::autoshard::Shards kShards = ::autoshard::kDynamic;
};
/// Later versions: other names, which sort before or behind today's.
struct RenamedEarlier : Grouped {
  static constexpr std::string_view kPosts = "articles", kStars = "marks";
};
struct RenamedLater : Grouped {
  static constexpr std::string_view kPosts = "writings", kStars = "votes";
};

template <class Version>
class TopicVersion {
 public:
  using Stars = std::map<std::string, int>;
  static constexpr bool kIsGroup = Version::kShards.kind == ::autoshard::Shards::Kind::kGroup;

  explicit TopicVersion(int id) : id_(id) {}

  struct Shard {
    std::vector<std::string> posts_{};
    Stars stars_{};
    bool replaced_posts_ = false, replaced_stars_ = false;

    void add_post(const std::string& text) { posts_.push_back(text); }
    void rate(const std::string& reader, int stars) { stars_.insert_or_assign(reader, stars); }
    void post_anew(const std::string& text) {
      replaced_posts_ = true;
      posts_ = {text};
    }
    void rate_anew(const std::string& reader, int stars) {
      replaced_stars_ = true;
      stars_ = {{reader, stars}};
    }

    /// Of a group the last value of a key counts; elsewhere a fold must not depend on an order.
    static Stars fold_stars_(Stars all, const Stars& more) {
      if constexpr (kIsGroup) return ::autoshard::unite(std::move(all), more);
      for (const auto& [reader, stars] : more) all[reader] = std::max(all[reader], stars);
      return all;
    }
  };

  void add_post(const std::string& text) {
    autoshard_.pending.add_post(text);
    posts_.push_back(text);
  }
  void rate(const std::string& reader, int stars) {
    autoshard_.pending.rate(reader, stars);
    stars_.insert_or_assign(reader, stars);
  }

  const std::vector<std::string>& posts() const { return posts_; }
  const Stars& stars() const { return stars_; }

 private:
  friend struct ::autoshard::Traits<TopicVersion>;
  explicit TopicVersion(::autoshard::Loading) : id_() {}

  int id_;
  std::vector<std::string> posts_;
  Stars stars_;
  ::autoshard::State<Shard> autoshard_;
};

/// The oldest version: nothing is sharded, and a save writes both collections.
class UnshardedTopic {
 public:
  using Stars = std::map<std::string, int>;

  explicit UnshardedTopic(int id) : id_(id) {}

  void add_post(const std::string& text) { posts_.push_back(text); }
  void rate(const std::string& reader, int stars) { stars_.insert_or_assign(reader, stars); }

 private:
  friend struct ::autoshard::Traits<UnshardedTopic>;
  explicit UnshardedTopic(::autoshard::Loading) : id_() {}

  int id_;
  std::vector<std::string> posts_;
  Stars stars_;
  ::autoshard::State<> autoshard_;
};

}  // namespace forum

template <class Version>
struct autoshard::Traits<forum::TopicVersion<Version>> {
  using Entity = forum::TopicVersion<Version>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Topic";
  static constexpr auto kId = &Entity::id_;

  static constexpr auto properties() { return std::tuple{}; }
  static constexpr auto sharded_properties() {
    const ShardedProperty posts{Version::kPosts, Version::kShards, &Entity::posts_, &Shard::posts_,
                                unite,           kAnyOrder};
    const ShardedProperty stars{Version::kStars, Version::kShards, &Entity::stars_, &Shard::stars_,
                                &Shard::fold_stars_};
    if constexpr (Version::kReplaces) {
      return std::tuple{posts.replaced_by(&Shard::replaced_posts_),
                        stars.replaced_by(&Shard::replaced_stars_)};
    } else {
      return std::tuple{posts, stars};
    }
  }
  /// All other names, of which a version that has not been renamed finds no records but its own.
  static constexpr auto former_names() {
    if constexpr (Version::kPosts == forum::Grouped::kPosts) {
      return std::array<FormerName, 0>{};
    } else {
      return std::array{FormerName{forum::Grouped::kPosts, Version::kPosts},
                        FormerName{forum::Grouped::kStars, Version::kStars}};
    }
  }
  static constexpr auto kFormerNames = former_names();

  struct Fields {
    static constexpr auto posts = field<Entity>(Version::kPosts, &Entity::posts_);
    static constexpr auto stars = field<Entity>(Version::kStars, &Entity::stars_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::add_post>) {
      shard.add_post(std::forward<Args>(args)...);
    } else {
      static_assert(kSameMethod<kMethod, &Entity::rate>, "this is no [[autoshard::shard_method]]");
      shard.rate(std::forward<Args>(args)...);
    }
  }
};

template <>
struct autoshard::Traits<forum::UnshardedTopic> {
  using Entity = forum::UnshardedTopic;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Topic";
  static constexpr auto kId = &Entity::id_;

  static constexpr auto properties() {
    return std::tuple{Property{"posts", &Entity::posts_}, Property{"stars", &Entity::stars_}};
  }
  static constexpr auto sharded_properties() { return std::tuple{}; }

  struct Fields {};

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard&, Args&&...) {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]]");
  }
};
