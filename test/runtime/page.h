#pragma once

#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

/// Entities as the generator makes them of versions of one class: one counts the clicks of the last minute,
/// in buckets of ten seconds, one did so under another name, and one counted all clicks.
namespace pages {

enum class Version { kToday, kFormerName, kAllTime };

inline constexpr std::uint32_t kLast = 60, kBucket = 10;  // seconds

template <Version kVersion>
class BasicPage {
 public:
  explicit BasicPage(int number, long clicks = 0) : number_(number), clicks_(clicks) {}

  int number() const { return number_; }
  long clicks() const { return clicks_; }
  int slowest() const { return slowest_; }

  void click(long times, int milliseconds) {
    autoshard_.pending.click(times, milliseconds);
    clicks_ += times;
    slowest_ = std::max(slowest_, milliseconds);
  }
  void count_from(long clicks) {
    autoshard_.pending.count_from(clicks);
    clicks_ = clicks;
  }

  std::string title;

  struct Shard {
    long clicks_ = 0;
    int slowest_ = 0;
    bool replaced_clicks_ = false;

    void click(long times, int milliseconds) {
      clicks_ += times;
      slowest_ = std::max(slowest_, milliseconds);
    }
    void count_from(long clicks) {
      clicks_ = clicks;
      replaced_clicks_ = true;
    }

    static long fold_clicks_(long x, const long& y) { return x + y; }
    static int fold_slowest_(int x, const int& y) { return std::max(x, y); }
  };

 private:
  friend struct ::autoshard::Traits<BasicPage>;
  explicit BasicPage(::autoshard::Loading) {}

  int number_ = 0;
  long clicks_ = 0;
  int slowest_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

using Page = BasicPage<Version::kToday>;
using FormerPage = BasicPage<Version::kFormerName>;
using AllTimePage = BasicPage<Version::kAllTime>;

}  // namespace pages

template <pages::Version kVersion>
struct autoshard::Traits<pages::BasicPage<kVersion>> {
  using Entity = pages::BasicPage<kVersion>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Page";
  static constexpr auto kId = &Entity::number_;
  static constexpr std::array kFormerNames{
      FormerName{kVersion == pages::Version::kFormerName ? "none" : "hits", "clicks"}};

  static constexpr auto properties() { return std::tuple{Property{"title", &Entity::title}}; }
  static constexpr auto sharded_properties() {
    constexpr const char* kName = kVersion == pages::Version::kFormerName ? "hits" : "clicks";
    constexpr ShardedProperty kClicks =
        ShardedProperty{kName, 3, &Entity::clicks_, &Shard::clicks_, &Shard::fold_clicks_}
            .replaced_by(&Shard::replaced_clicks_)
            .folds_by(Fold::kSum);
    constexpr ShardedProperty kSlowest =
        ShardedProperty{"slowest", 1, &Entity::slowest_, &Shard::slowest_, &Shard::fold_slowest_}.folds_by(
            Fold::kMaximum);
    if constexpr (kVersion == pages::Version::kAllTime) {
      return std::tuple{kClicks, kSlowest};
    } else {
      return std::tuple{kClicks.windowed({.last = pages::kLast, .bucket = pages::kBucket}),
                        kSlowest.windowed({.last = pages::kLast, .bucket = pages::kBucket})};
    }
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::click>) {
      shard.click(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::count_from>) {
      shard.count_from(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of pages::Page");
    }
  }
};
