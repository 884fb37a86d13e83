// Properties with bounds, where the class is not what it was when their records were written.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "controlled_store.h"
#include "keys.h"
#include "test_store.h"

namespace bus {

inline int most_free = 1000;

/// An entity as the generator makes them; of another release if `kRenamed`, in which its property has another
/// name.
template <bool kRenamed>
class Bus {
 public:
  explicit Bus(int number, int free = 0) : number_(number), free_(free) {}

  struct Shard {
    int free_ = 0;
    bool replaced_free_ = false;

    void take(int seats) { free_ -= seats; }
    void set_free(int seats) {
      replaced_free_ = true;
      free_ = seats;
    }
    static int fold_free_(int x, const int& y) { return x + y; }
    static int min_free_() { return 0; }
    static int max_free_() { return most_free; }
  };

  void take(int);
  void set_free(int);
  int free() const { return free_; }

 private:
  friend struct ::autoshard::Traits<Bus>;
  explicit Bus(::autoshard::Loading) : number_() {}

  int number_;
  int free_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace bus

template <bool kRenamed>
struct autoshard::Traits<bus::Bus<kRenamed>> {
  using Entity = bus::Bus<kRenamed>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Bus";
  static constexpr auto kId = &Entity::number_;
  static constexpr std::array<FormerName, kRenamed ? 1 : 0> kFormerNames = [] {
    std::array<FormerName, kRenamed ? 1 : 0> names{};
    if constexpr (kRenamed) names[0] = {"seats", "free"};
    return names;
  }();

  static constexpr auto properties() { return std::tuple{}; }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{kRenamed ? "free" : "seats", 4, &Entity::free_, &Shard::free_, &Shard::fold_free_}
            .replaced_by(&Shard::replaced_free_)
            .at_least(&Shard::min_free_)
            .at_most(&Shard::max_free_)};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::take>) {
      shard.take(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::set_free>) {
      shard.set_free(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of bus::Bus");
    }
  }
};

namespace autoshard::test {
namespace {

using Old = bus::Bus<false>;
using New = bus::Bus<true>;

class EscrowTest : public StoreTest {
 protected:
  ~EscrowTest() override { bus::most_free = 1000; }
  template <class Bus>
  int free() {
    return mapper_.load<Bus>(1).value().free();
  }

  Mapper mapper_{*store_, {.choice = ShardChoice::kRandom, .compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, EscrowTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(EscrowTest, KnowsWhatLiesUnderAFormerName) {
  for (const std::uint32_t shards : {4u, 7u, 1u}) {
    mapper_.save(Old(1, 600));
    mapper_.set_shards<Old>(1, "seats", shards);
    EXPECT_EQ(free<New>(), 600);
    EXPECT_THROW(mapper_.apply<&New::take>(1, 601), BoundExceeded);
    EXPECT_THROW(mapper_.apply<&New::take>(1, -401), BoundExceeded);
    mapper_.apply<&New::take>(1, -400);
    EXPECT_EQ(free<New>(), 1000);
    for (int i = 0; i < 10; ++i) mapper_.apply<&New::take>(1, 100);
    EXPECT_EQ(free<New>(), 0);
    EXPECT_THROW(mapper_.apply<&New::take>(1, 1), BoundExceeded);
    for (const auto& [key, value] : records(*store_)) {
      const auto shard = detail::read_shard_key(detail::entity_key("Bus", 1), key);
      EXPECT_TRUE(!shard || shard->property == "free") << "it has moved";
    }
    EXPECT_TRUE(mapper_.erase<New>(1));
  }
}

TEST_P(EscrowTest, ReplacesWhatLiesUnderAFormerName) {
  mapper_.save(Old(1, 600));
  mapper_.apply<&New::set_free>(1, 900);
  EXPECT_EQ(free<New>(), 900);
  mapper_.apply<&New::take>(1, -100);
  EXPECT_EQ(free<New>(), 1000);
}

TEST_P(EscrowTest, TheBoundsMayBecomeNarrower) {
  mapper_.save(Old(1, 900));
  bus::most_free = 500;
  EXPECT_THROW(mapper_.apply<&Old::take>(1, -1), BoundExceeded);
  EXPECT_THROW(mapper_.apply<&Old::set_free>(1, 501), BoundExceeded);
  mapper_.apply<&Old::take>(1, 1);
  EXPECT_EQ(free<Old>(), 899) << "it comes closer";
  mapper_.apply<&Old::set_free>(1, 500);
  EXPECT_EQ(free<Old>(), 500);
  bus::most_free = 1000;
  mapper_.apply<&Old::take>(1, -500);
  EXPECT_EQ(free<Old>(), 1000);
}

/// Whoever comes too late is told so as cheaply as that can be had, and is in nobody's way.
TEST_P(EscrowTest, ARefusedUpdateWritesNothing) {
  ControlledStore store(*store_);
  Mapper mapper(store, {.combine = false, .compact_every = std::chrono::milliseconds(0)});
  mapper.save(Old(1, 10));
  int commits = 0;
  ControlledStore::Keys written;
  store.open([&](Transaction& transaction, const ControlledStore::Keys& keys) {
    ++commits;
    written.insert(keys.begin(), keys.end());
    return transaction.commit();
  });
  for (const int seats : {11, -991}) {
    EXPECT_THROW(mapper.apply<&Old::take>(1, seats), BoundExceeded);
    EXPECT_THROW(mapper.apply<&Old::set_free>(1, 10 - seats), BoundExceeded);
  }
  EXPECT_EQ(commits, 4) << "what it goes by is validated";
  EXPECT_THAT(written, ::testing::IsEmpty());
  mapper.apply<&Old::take>(1, 10);
  EXPECT_THAT(written, ::testing::SizeIs(4)) << "shared out";
}

/// All three together are no `int`, which the sanitizer for undefined behaviour would tell of.
TEST_P(EscrowTest, UpdatesThatNobodyCanMakeAreNotAddedUp) {
  ControlledStore slow(*store_);
  Mapper mapper(slow);
  mapper.save(Old(1, 10));
  const int before = slow.commits_so_far();
  slow.close();
  std::thread first([&] { mapper.apply<&Old::take>(1, 1); });
  slow.wait_for_commit(before + 1);
  std::vector<Completion> greedy;
  for (int i = 0; i < 3; ++i) greedy.push_back(mapper.apply_async<&Old::take>(1, 2'000'000'000));
  Completion modest = mapper.apply_async<&Old::take>(1, 2);
  slow.open();
  first.join();
  for (Completion& each : greedy) EXPECT_THROW(each.get(), BoundExceeded);
  modest.get();
  EXPECT_EQ(free<Old>(), 7);
}

/// To apply it again would not help.
TEST_P(EscrowTest, ATransactionSaysWhatABoundRefused) {
  mapper_.save(Old(1, 10));
  EXPECT_THAT(
      [&] { mapper_.transact([](EntityTransaction& transaction) { transaction.apply<&Old::take>(1, 11); }); },
      ::testing::ThrowsMessage<OutcomeUnknown>(
          ::testing::AllOf(::testing::HasSubstr("were refused"), ::testing::HasSubstr("seats is 10"),
                           ::testing::Not(::testing::HasSubstr("missing")))));
  EXPECT_EQ(free<Old>(), 10);
}

}  // namespace
}  // namespace autoshard::test
