#pragma once

#include <autoshard/codec.h>
#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "operation.h"

namespace autoshard::simulation {

/// A value whose codec is the application's.
struct Title {
  OperationId by = 0;
  friend bool operator==(const Title&, const Title&) = default;
};

/// A class that has changed: version 2 against version 1
/// - keeps the lists `posts` and `lines` (formerly `words`) and the map `marks` as groups, not in shards;
/// - calls the group `tags` `labels`, and the property `title` `headline`;
/// - keeps the plain list `drawn` as a group;
/// - calls `stock` `copies`, has bounded it by 40, not by 100, and can replace it;
/// - has the property `revised` besides, an index of `shelf`, and a ranked index of `copies`;
/// - has a hook that sets the property `touched` in each save.
/// Its companion is written by hand, see ledger.h; so both versions can be one template.
template <int kVersion>
class Album {
 public:
  static constexpr bool kIsNew = kVersion == 2;
  static constexpr int kMostStock = kIsNew ? 40 : 100;
  using Entries = std::map<OperationId, OperationId>;
  using List = std::vector<OperationId>;

  Album(int number, const Operation& by)
      : number_(number),
        created_(by.id),
        saved_(by.id),
        first_stock_(by.amount),
        shelf_(shelf_of(by.id)),
        title_{by.id},
        revised_(kIsNew ? by.id : 0),
        stock_(by.amount) {}

  static int shelf_of(OperationId saved) { return static_cast<int>(saved % 3); }

  struct Shard {
    List posts_{};
    List lines_{};
    List drawn_{};
    Entries labels_{};
    Entries marks_{};
    Effects sales_{};
    bool replaced_sales_ = false;
    int stock_ = 0;
    bool replaced_stock_ = false;

    void post(OperationId id) {
      user_code("a shard method");
      posts_.push_back(id);
    }
    void say(OperationId id) { lines_.push_back(id); }
    void draw(OperationId id) { drawn_.push_back(id); }
    void tag(OperationId id) { labels_[id % kKeys] = id; }
    void mark(OperationId id) {
      user_code("a shard method");
      marks_[id % kKeys] = id;
    }
    void sell(OperationId id, int copies) {
      ++sales_[id];
      stock_ -= copies;
    }
    void refill(OperationId id, int copies) {
      replaced_sales_ = replaced_stock_ = true;
      sales_ = {{id, 1}};
      stock_ = copies;
    }

    static List fold_lists_(List x, const List& y) {
      user_code("a fold");
      x.insert(x.end(), y.begin(), y.end());
      return x;
    }
    /// Of no order, as a fold must be that is not a group's.
    static Entries fold_marks_(Entries x, const Entries& y) {
      for (const auto& [key, id] : y) x[key] = std::max(x[key], id);
      return x;
    }
    static Effects fold_sales_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static int fold_stock_(int x, const int& y) { return x + y; }
    static int min_stock_() { return 0; }
    static int max_stock_() { return kMostStock; }
  };

  /// Runs shard methods on the object, and notes them for the next save.
  template <class Change>
  void update(const Change& change) {
    Shard now{posts_, lines_, drawn_, labels_, marks_, sales_, false, stock_, false};
    change(now);
    change(autoshard_.pending);
    posts_ = now.posts_;
    lines_ = now.lines_;
    if constexpr (kIsNew) drawn_ = now.drawn_;
    labels_ = now.labels_;
    marks_ = now.marks_;
    sales_ = now.sales_;
    stock_ = now.stock_;
  }
  /// Changes what lies in the main record.
  void save_by(const Operation& operation) {
    saved_ = operation.id;
    shelf_ = shelf_of(operation.id);
    if (kIsNew) revised_ = operation.id;
    if (!kIsNew && (operation.parts & kDraw)) drawn_.push_back(operation.id);
  }

  int number() const { return number_; }
  OperationId created() const { return created_; }
  OperationId saved() const { return saved_; }
  int first_stock() const { return first_stock_; }
  int shelf() const { return shelf_; }
  const Title& title() const { return title_; }
  /// The last save by this version, or the creation by it.
  OperationId revised() const { return revised_; }
  /// When that was.
  Time touched() const { return Time(touched_); }
  const List& posts() const { return posts_; }
  const List& lines() const { return lines_; }
  const List& drawn() const { return drawn_; }
  const Entries& labels() const { return labels_; }
  const Entries& marks() const { return marks_; }
  const Effects& sales() const { return sales_; }
  int stock() const { return stock_; }

  friend bool operator==(const Album&, const Album&) = default;

  // The shard methods by themselves, for `apply`.
  void post(OperationId id) {
    update([&](Shard& shard) { shard.post(id); });
  }
  void say(OperationId id) {
    update([&](Shard& shard) { shard.say(id); });
  }
  void tag(OperationId id) {
    update([&](Shard& shard) { shard.tag(id); });
  }
  void mark(OperationId id) {
    update([&](Shard& shard) { shard.mark(id); });
  }
  void sell(OperationId id, int copies) {
    update([&](Shard& shard) { shard.sell(id, copies); });
  }
  void refill(OperationId id, int copies) {
    update([&](Shard& shard) { shard.refill(id, copies); });
  }

 private:
  friend struct ::autoshard::Traits<Album>;
  explicit Album(::autoshard::Loading) {}

  int number_ = 0;
  OperationId created_ = 0;
  OperationId saved_ = 0;
  int first_stock_ = 0;
  int shelf_ = 0;
  Title title_;
  OperationId revised_ = 0;
  Time::rep touched_ = 0;
  List posts_, lines_, drawn_;
  Entries labels_, marks_;
  Effects sales_;
  int stock_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

/// What `Traits::run` does, for both versions.
template <class Entity, auto kMethod, class... Args>
void run_album_method(typename Entity::Shard& shard, Args&&... args) {
  if constexpr (kSameMethod<kMethod, &Entity::post>) {
    shard.post(std::forward<Args>(args)...);
  } else if constexpr (kSameMethod<kMethod, &Entity::say>) {
    shard.say(std::forward<Args>(args)...);
  } else if constexpr (kSameMethod<kMethod, &Entity::tag>) {
    shard.tag(std::forward<Args>(args)...);
  } else if constexpr (kSameMethod<kMethod, &Entity::mark>) {
    shard.mark(std::forward<Args>(args)...);
  } else if constexpr (kSameMethod<kMethod, &Entity::sell>) {
    shard.sell(std::forward<Args>(args)...);
  } else if constexpr (kSameMethod<kMethod, &Entity::refill> && Entity::kIsNew) {
    shard.refill(std::forward<Args>(args)...);
  } else {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of Album");
  }
}

}  // namespace autoshard::simulation

template <>
struct autoshard::Codec<autoshard::simulation::Title> {
  static void encode(Encoder& out, const simulation::Title& title) {
    simulation::user_code("a codec, encoding");
    out.natural(title.by);
  }
  static void decode(Decoder& in, simulation::Title& title) {
    simulation::user_code("a codec, decoding");
    title.by = static_cast<simulation::OperationId>(in.natural());
  }
};

template <>
struct autoshard::Traits<autoshard::simulation::Album<1>> {
  using Entity = simulation::Album<1>;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Album";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple{Property{"created", &Entity::created_},
                      Property{"saved", &Entity::saved_},
                      Property{"first_stock", &Entity::first_stock_},
                      Property{"shelf", &Entity::shelf_},
                      Property{"title", &Entity::title_},
                      Property{"drawn", &Entity::drawn_}};
  }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"posts", 2, &Entity::posts_, &Shard::posts_, &Shard::fold_lists_, kAnyOrder},
        ShardedProperty{"words", kDynamic, &Entity::lines_, &Shard::lines_, &Shard::fold_lists_, kAnyOrder},
        ShardedProperty{"tags", group(2), &Entity::labels_, &Shard::labels_, unite},
        ShardedProperty{"marks", 1, &Entity::marks_, &Shard::marks_, &Shard::fold_marks_},
        ShardedProperty{"sales", 2, &Entity::sales_, &Shard::sales_, &Shard::fold_sales_},
        ShardedProperty{"stock", 4, &Entity::stock_, &Shard::stock_, &Shard::fold_stock_}
            .at_least(&Shard::min_stock_)
            .at_most(&Shard::max_stock_),
    };
  }

  struct Fields {
    static constexpr auto labels = field<Entity>("tags", &Entity::labels_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    simulation::run_album_method<Entity, kMethod>(shard, std::forward<Args>(args)...);
  }
};

template <>
struct autoshard::Traits<autoshard::simulation::Album<2>> {
  using Entity = simulation::Album<2>;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Album";
  static constexpr auto kId = &Entity::number_;
  static constexpr std::array kFormerNames = {FormerName{"title", "headline"}, FormerName{"words", "lines"},
                                              FormerName{"tags", "labels"}, FormerName{"stock", "copies"}};

  static constexpr auto properties() {
    return std::tuple{Property{"created", &Entity::created_},         Property{"saved", &Entity::saved_},
                      Property{"first_stock", &Entity::first_stock_}, Property{"shelf", &Entity::shelf_},
                      Property{"headline", &Entity::title_},          Property{"revised", &Entity::revised_},
                      Property{"touched", &Entity::touched_}};
  }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"posts", group(3), &Entity::posts_, &Shard::posts_, unite},
        ShardedProperty{"lines", group(2), &Entity::lines_, &Shard::lines_, unite},
        ShardedProperty{"drawn", group(2), &Entity::drawn_, &Shard::drawn_, unite},
        ShardedProperty{"labels", group(2), &Entity::labels_, &Shard::labels_, unite},
        ShardedProperty{"marks", group(2), &Entity::marks_, &Shard::marks_, unite},
        ShardedProperty{"sales", 2, &Entity::sales_, &Shard::sales_, &Shard::fold_sales_}.replaced_by(
            &Shard::replaced_sales_),
        ShardedProperty{"copies", 4, &Entity::stock_, &Shard::stock_, &Shard::fold_stock_}
            .replaced_by(&Shard::replaced_stock_)
            .at_least(&Shard::min_stock_)
            .at_most(&Shard::max_stock_),
    };
  }

  static constexpr auto indexes() {
    return std::tuple{index("ByShelf", Property{"shelf", &Entity::shelf_}),
                      ranked_index("copies", Property{"copies", &Entity::stock_}, 10)};
  }
  struct Fields {
    static constexpr auto shelf = field<Entity>("shelf", &Entity::shelf_);
    static constexpr auto labels = field<Entity>("labels", &Entity::labels_);
    static constexpr auto marks = field<Entity>("marks", &Entity::marks_);
  };

  static void before_save(Entity& album) {
    album.touched_ = simulation::Scheduler::get().time().count();
    simulation::user_code("before_save");
  }
  static void after_load(Entity&) { simulation::user_code("after_load"); }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    simulation::run_album_method<Entity, kMethod>(shard, std::forward<Args>(args)...);
  }
};
