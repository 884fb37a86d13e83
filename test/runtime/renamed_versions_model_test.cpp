// Random updates, replacements, saves, compactions and changes of the number of shards by programs of three
// versions of a class, in each of which its sharded numbers have other names, on one store in turn: each
// version has in every load what a model says.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "entities/versions/tally.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

/// A number without bounds: the sums of the records under the name that each version gives it. A version adds
/// to its own, and sees those up to that.
class Parts {
 public:
  void set(int version, int value) {
    parts_ = {};
    part(version) = value;
  }
  void add(int version, int value) { part(version) += value; }
  int seen_by(int version) const { return std::accumulate(parts_.begin(), parts_.begin() + version, 0); }
  /// What that version sees has moved to its own name.
  void compact(int version) { compact(version, ~0U); }
  /// Likewise, but for the earlier versions whose bits are not set.
  void compact(int version, unsigned moved) {
    for (int earlier = 1; earlier < version; ++earlier) {
      if ((moved >> earlier & 1U) != 0) part(version) += std::exchange(part(earlier), 0);
    }
  }
  /// It has moved as much as leaves earlier versions with this.
  void move_to(int version, int seen_by_first, int seen_by_second) {
    const int all = seen_by(version);
    if (version > 1) part(1) = seen_by_first;
    if (version > 2) part(2) = seen_by_second - seen_by_first;
    part(version) += all - seen_by(version);
  }

 private:
  int& part(int version) { return parts_[static_cast<std::size_t>(version - 1)]; }

  std::array<int, 3> parts_{};
};

class RenamedVersionsModelTest : public StoreTest {
 protected:
  using First = poll::FirstTally;
  using Second = poll::SecondTally;
  using Third = poll::ThirdTally;

  template <class Version>
  static constexpr int kNumber = std::is_same_v<Version, First>    ? 1
                                 : std::is_same_v<Version, Second> ? 2
                                                                   : 3;
  /// Of each version the names of the votes, the views and the seats.
  static constexpr const char* kNames[][3] = {
      {"votes", "views", "seats"}, {"likes", "hits", "places"}, {"zeal", "visits", "tickets"}};
  static constexpr std::size_t kSeats = 2;

  static MapperOptions by_hand(bool combine) {
    return {.choice = ShardChoice::kRandom,
            .combine = combine,
            .compact_every = std::chrono::milliseconds(0),
            .adaptive = {.window = std::chrono::milliseconds(0)}};
  }

  int below(int bound) { return static_cast<int>(test::below(generator_, static_cast<std::size_t>(bound))); }
  Mapper& mapper() { return below(2) == 0 ? combining_ : alone_; }

  template <class Use>
  void with_version(Use use) {
    switch (below(3)) {
      case 0:
        return use(std::type_identity<First>());
      case 1:
        return use(std::type_identity<Second>());
      default:
        return use(std::type_identity<Third>());
    }
  }

  template <class Version>
  void create() {
    const int votes = below(3), views = below(3);
    seats_ = below(poll::FirstTally::kMostSeats + 1);
    Version tally(1, votes, views, seats_);
    tally.title = title_ = "title " + std::to_string(below(1000));
    mapper().save(tally);
    votes_.set(kNumber<Version>, votes);
    views_.set(kNumber<Version>, views);
  }

  template <class Version>
  void update(Mapper& mapper) {
    const int amount = 1 + below(9);
    const bool replaces = below(6) == 0;
    switch (below(3)) {
      case 0:
        mapper.update<Version>(1,
                               [&](auto& tally) { replaces ? tally.set_votes(amount) : tally.vote(amount); });
        return replaces ? votes_.set(kNumber<Version>, amount) : votes_.add(kNumber<Version>, amount);
      case 1:
        mapper.update<Version>(1,
                               [&](auto& tally) { replaces ? tally.set_views(amount) : tally.view(amount); });
        return replaces ? views_.set(kNumber<Version>, amount) : views_.add(kNumber<Version>, amount);
      default:
        return update_seats<Version>(mapper, replaces);
    }
  }
  template <class Version>
  void update_seats(Mapper& mapper, bool replaces) {
    const std::int64_t amount = replaces        ? below(poll::FirstTally::kMostSeats + 10)
                                : below(4) == 0 ? below(160) - 80
                                                : below(21) - 10;
    bool is_refused = false;
    try {
      mapper.update<Version>(1,
                             [&](auto& tally) { replaces ? tally.set_seats(amount) : tally.sell(amount); });
    } catch (const BoundExceeded&) {
      is_refused = true;
    }
    const std::int64_t after = replaces ? amount : seats_ - amount;
    ASSERT_EQ(is_refused, after < 0 || after > poll::FirstTally::kMostSeats) << after;
    if (!is_refused) seats_ = after;
  }

  template <class Version>
  void save() {
    auto tally = mapper().template load<Version>(1).value();
    with_version([&](auto other) {
      if (below(3) == 0) disturb<typename decltype(other)::type>();
    });
    tally.title = title_ = "title " + std::to_string(below(1000));
    const int votes = below(4);
    tally.vote(votes);
    mapper().save(tally);
    votes_.add(kNumber<Version>, votes);
  }
  /// What does not keep an entity from being saved that was loaded before.
  template <class Version>
  void disturb() {
    below(2) == 0 ? update<Version>(mapper()) : compact<Version>();
  }

  template <class Version, std::size_t kPlace>
  void set_shards() {
    constexpr bool kIsBounded = kPlace == kSeats;  // which has no deltas
    const auto shards = static_cast<std::uint32_t>(kIsBounded ? 1 + below(8) : below(9));
    constexpr const char* name = kNames[kNumber<Version> - 1][kPlace];
    const bool is_change = admin::shards<Version>(mapper(), 1, name) != shards;
    admin::set_shards<Version>(mapper(), 1, name, shards);
    if (is_change) note_compaction(kNumber<Version>);
    ASSERT_EQ(admin::shards<First>(mapper(), 1, kNames[0][kPlace]), shards);
    ASSERT_EQ(admin::shards<Second>(mapper(), 1, kNames[1][kPlace]), shards);
    ASSERT_EQ(admin::shards<Third>(mapper(), 1, kNames[2][kPlace]), shards);
  }
  template <class Version>
  void set_any_shards() {
    switch (below(3)) {
      case 0:
        return set_shards<Version, 0>();
      case 1:
        return set_shards<Version, 1>();
      default:
        return set_shards<Version, 2>();
    }
  }

  template <class Version>
  void compact() {
    admin::compact<Version>(mapper(), 1);
    note_compaction(kNumber<Version>);
    expect_no_former_records<Version>();
  }
  void note_compaction(int version) {
    votes_.compact(version);
    views_.compact(version);
  }
  template <class Version>
  void expect_no_former_records() {
    const detail::EntityKey key = detail::entity_key("Tally", 1);
    const auto records_of = [&](std::string_view property) {
      return records(*store_, detail::shard_key(key, property, 0), detail::end_of_property(key, property))
          .size();
    };
    for (int earlier = 1; earlier < kNumber<Version>; ++earlier) {
      for (const std::string_view name : kNames[earlier - 1])
        ASSERT_TRUE(name == kNames[0][kSeats] || records_of(name) == 0) << name;
    }
    ASSERT_TRUE(kNumber<Version> == 1 || records_of(kNames[kNumber<Version> - 1][kSeats]) == 0);
  }

  /// By a process that ends before it has compacted all: of each name of a number, it has moved all or
  /// nothing.
  template <class Version>
  void begin_compaction() {
    const int survives = below(3);
    faulty_.before_commit([&](int nth) { return nth <= survives ? Fate::kCommits : Fate::kCrashes; });
    try {
      admin::compact<Version>(disturbed_, 1);
    } catch (const StoreUnavailable&) {
    }
    faulty_.before_commit({});
    const First first = mapper().load<First>(1).value();
    const Second second = mapper().load<Second>(1).value();
    const auto note = [&](Parts& parts, int seen_by_first, int seen_by_second) {
      for (const unsigned moved : {0U, 2U, 4U, 6U}) {
        Parts after = parts;
        after.compact(kNumber<Version>, moved);
        if (after.seen_by(1) != seen_by_first || after.seen_by(2) != seen_by_second) continue;
        parts = after;
        return;
      }
      FAIL() << seen_by_first << ", " << seen_by_second;
    };
    note(votes_, first.votes(), second.votes());
    note(views_, first.views(), second.views());
  }

  /// While a program of any version does something else, which its commits meet.
  void disturb_once() {
    faulty_.before_commit([this, is_done = false](int) mutable {
      if (!std::exchange(is_done, true))
        with_version([&](auto version) { disturb<typename decltype(version)::type>(); });
      return Fate::kCommits;
    });
  }
  template <class Version>
  void update_disturbed() {
    disturb_once();
    update<Version>(disturbed_);
    faulty_.before_commit({});
  }
  /// What is written meanwhile may be left under former names.
  template <class Version>
  void compact_disturbed() {
    disturb_once();
    admin::compact<Version>(disturbed_, 1);
    faulty_.before_commit({});
    const First first = mapper().load<First>(1).value();
    const Second second = mapper().load<Second>(1).value();
    votes_.move_to(kNumber<Version>, first.votes(), second.votes());
    views_.move_to(kNumber<Version>, first.views(), second.views());
  }

  template <class Version>
  void expect(const Version& tally) {
    ASSERT_EQ(tally.votes(), votes_.seen_by(kNumber<Version>)) << kNumber<Version>;
    ASSERT_EQ(tally.views(), views_.seen_by(kNumber<Version>)) << kNumber<Version>;
    ASSERT_EQ(tally.seats(), seats_) << kNumber<Version>;
    ASSERT_EQ(tally.title, title_) << kNumber<Version>;
  }
  template <class Version>
  void look() {
    expect(mapper().template load<Version>(1).value());
    if (below(4) != 0) return;
    mapper().transact([&](EntityTransaction& transaction) { expect(transaction.load<Version>(1).value()); });
  }

  template <class Version>
  void step() {
    switch (below(40)) {
      case 0:
        mapper().template erase<Version>(1);
        return with_version([&](auto version) { create<typename decltype(version)::type>(); });
      case 1:
      case 2:
        return set_any_shards<Version>();
      case 3:
      case 4:
        return compact<Version>();
      case 5:
        return begin_compaction<Version>();
      case 6:
      case 7:
      case 8:
        return save<Version>();
      case 9:
        return compact_disturbed<Version>();
      case 10:
      case 11:
      case 12:
        return update_disturbed<Version>();
      default:
        return update<Version>(mapper());
    }
  }

  std::mt19937_64 generator_ = seeded_generator();
  FaultyStore faulty_{*store_};
  Mapper combining_{*store_, by_hand(true)}, alone_{*store_, by_hand(false)},
      disturbed_{faulty_, by_hand(false)};
  Parts votes_, views_;
  std::int64_t seats_ = 0;
  std::string title_;
};
INSTANTIATE_TEST_SUITE_P(Stores, RenamedVersionsModelTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(RenamedVersionsModelTest, EachVersionSeesWhatItKnows) {
  with_version([&](auto version) { create<typename decltype(version)::type>(); });
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    with_version([&](auto version) { step<typename decltype(version)::type>(); });
    look<First>();
    look<Second>();
    look<Third>();
  }
}

}  // namespace
}  // namespace autoshard::test
