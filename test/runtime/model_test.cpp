// Random sequences of operations, by several threads, against a model without any.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <stop_token>
#include <thread>

#include "entities/strategies/stock.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using shop::Stock;

class ModelTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ModelTest, ::testing::ValuesIn(stores_for_threads()), store_name);

struct Model {
  double price = 1;
  std::int64_t pieces = 0;
  std::set<std::string> buyers{};
  std::uint64_t saves = 0;  // of the main record, over all entities there have been of this id
};

/// What the application holds of an entity: the object, and the same in the model.
struct Held {
  Stock stock;
  double price;
  std::int64_t refilled = 0;
  std::set<std::string> sold_to;
  std::uint64_t saves;
  bool main_changed = false;
};

/// Does random things to entities that nobody else uses, and compares every result.
class SoleUser {
 public:
  SoleUser(Mapper& mapper, std::mt19937_64::result_type seed, int number)
      : mapper_(mapper), generator_(seed), prefix_("own " + std::to_string(number) + ' ') {}

  void run(int operations) {
    for (int i = 0; i < operations && !::testing::Test::HasFatalFailure(); ++i) step();
    for (int id = 0; id < kIds; ++id) expect_loaded(article(id));
  }

 private:
  static constexpr int kIds = 3;

  std::string article(int id) const { return prefix_ + std::to_string(id); }

  void expect_loaded(const std::string& id) {
    const std::optional<Stock> loaded = mapper_.load<Stock>(id);
    const auto model = model_.find(id);
    ASSERT_EQ(loaded.has_value(), model != model_.end());
    if (!loaded) return;
    ASSERT_EQ(loaded->price(), model->second.price);
    ASSERT_EQ(loaded->pieces(), model->second.pieces);
    ASSERT_EQ(loaded->buyers(), model->second.buyers);
  }

  void step() {
    const std::string id = article(static_cast<int>(below(generator_, kIds)));
    const auto model = model_.find(id);
    const bool there = model != model_.end();
    const auto amount = static_cast<std::int64_t>(below(generator_, 10));
    switch (below(generator_, 9)) {
      case 0: {
        Stock created(id, amount);
        if (there) {
          ASSERT_THROW(mapper_.save(created), StaleEntity);
        } else {
          mapper_.save(created);
          model_[id] = {.pieces = amount, .saves = ++saves_};
          held_.insert_or_assign(id, Held{created, 1, 0, {}, saves_, false});
        }
        break;
      }
      case 1:
        expect_loaded(id);
        if (there)
          held_.insert_or_assign(
              id,
              Held{mapper_.load<Stock>(id).value(), model->second.price, 0, {}, model->second.saves, false});
        break;
      case 2:
        if (there) {
          mapper_.apply<&Stock::refill>(id, amount);
          model->second.pieces += amount;
        } else {
          ASSERT_THROW(mapper_.apply<&Stock::refill>(id, amount), NotFound);
        }
        break;
      case 3:
        if (there) {
          mapper_.update<Stock>(id, [&](auto& shard) {
            shard.sell(amount, std::to_string(amount));
            shard.refill(1);
          });
          model->second.pieces += 1 - amount;
          model->second.buyers.insert(std::to_string(amount));
        }
        break;
      case 4:
        if (const auto held = held_.find(id); held != held_.end()) {
          held->second.stock.sell(amount, "held");
          held->second.refilled -= amount;
          held->second.sold_to.insert("held");
        }
        break;
      case 5:
        if (const auto held = held_.find(id); held != held_.end()) {
          held->second.price = 1000 + static_cast<double>(saves_) + static_cast<double>(amount);
          held->second.stock.set_price(held->second.price);
          held->second.main_changed = true;
        }
        break;
      case 6:
        if (const auto held = held_.find(id); held != held_.end()) save(held->second, id);
        break;
      case 7:
        ASSERT_EQ(mapper_.erase<Stock>(id), there);
        model_.erase(id);
        break;
      default:
        ASSERT_EQ(mapper_.exists<Stock>(id), there);
        if (there) {
          mapper_.transact([&](EntityTransaction& transaction) {
            Stock stock = transaction.load<Stock>(id).value();
            stock.set_price(static_cast<double>(amount));
            stock.refill(amount);
            transaction.save(stock);
          });
          model->second.price = static_cast<double>(amount);
          model->second.pieces += amount;
          model->second.saves = ++saves_;
        }
    }
  }

  void save(Held& held, const std::string& id) {
    const auto model = model_.find(id);
    if (model == model_.end() || model->second.saves != held.saves) {
      ASSERT_ANY_THROW(mapper_.save(held.stock));  // absent, another one, or saved since
      return;
    }
    mapper_.save(held.stock);
    if (held.main_changed && held.price != model->second.price) held.saves = model->second.saves = ++saves_;
    model->second.price = held.price;
    model->second.pieces += held.refilled;
    model->second.buyers.merge(held.sold_to);
    held.refilled = 0;
    held.sold_to.clear();
    held.main_changed = false;
  }

  Mapper& mapper_;
  std::mt19937_64 generator_;
  const std::string prefix_;
  std::map<std::string, Model> model_;
  std::map<std::string, Held> held_;
  std::uint64_t saves_ = 0;
};

/// Changes entities that all threads use, and keeps account of what it was told to have done.
class SharingUser {
 public:
  SharingUser(Mapper& mapper, std::mt19937_64::result_type seed, int number)
      : mapper_(mapper), generator_(seed), name_(std::to_string(number)) {}

  static constexpr int kIds = 3;
  static std::string article(std::size_t id) { return "shared " + std::to_string(id); }

  void run(int operations) {
    for (int i = 0; i < operations; ++i) step();
  }

  std::array<std::int64_t, kIds> refilled{};
  std::array<std::set<std::string>, kIds> sold_to;

 private:
  void step() {
    const std::size_t index = below(generator_, kIds);
    const std::string id = article(index);
    const auto amount = static_cast<std::int64_t>(below(generator_, 100));
    const std::string buyer = name_ + ' ' + std::to_string(amount % 5);
    switch (below(generator_, 4)) {
      case 0:
        mapper_.apply<&Stock::refill>(id, amount);
        refilled[index] += amount;
        return;
      case 1:
        mapper_.update<Stock>(id, [&](auto& shard) {
          shard.sell(amount, buyer);
          shard.refill(1);
        });
        refilled[index] += 1 - amount;
        break;
      case 2:
        mapper_.transact([&](EntityTransaction& transaction) {
          Stock stock = transaction.load<Stock>(id).value();
          stock.set_price(stock.price() + 1);
          stock.sell(amount, buyer);
          transaction.save(stock);
        });
        refilled[index] -= amount;
        break;
      default:
        for (;;) {
          Stock stock = mapper_.load<Stock>(id).value();
          stock.sell(amount, buyer);
          if (below(generator_, 2) == 0) stock.set_price(static_cast<double>(amount));
          try {
            mapper_.save(stock);
            break;
          } catch (const StaleEntity&) {
          }
        }
        refilled[index] -= amount;
    }
    sold_to[index].insert(buyer);
  }

  Mapper& mapper_;
  std::mt19937_64 generator_;
  const std::string name_;
};

constexpr int kThreads = 4;

TEST_P(ModelTest, EveryThreadSeesItsOwnEntitiesAsTheModelHasThem) {
  std::mt19937_64 generator = seeded_generator();
  Mapper mapper(*store_);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&mapper, thread, seed = generator()] { SoleUser(mapper, seed, thread).run(1500); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(ModelTest, SharedEntitiesCountEveryUpdateOnce) {
  std::mt19937_64 generator = seeded_generator();
  Mapper mapper(*store_);
  for (std::size_t id = 0; id < SharingUser::kIds; ++id) mapper.save(Stock(SharingUser::article(id), 1000));
  std::vector<SharingUser> users;
  for (int thread = 0; thread < kThreads; ++thread) users.emplace_back(mapper, generator(), thread);
  std::vector<std::thread> threads;
  for (SharingUser& user : users) threads.emplace_back([&user] { user.run(500); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t id = 0; id < SharingUser::kIds; ++id) {
    std::int64_t pieces = 1000;
    std::set<std::string> buyers;
    for (const SharingUser& user : users) {
      pieces += user.refilled[id];
      buyers.insert(user.sold_to[id].begin(), user.sold_to[id].end());
    }
    const Stock loaded = mapper.load<Stock>(SharingUser::article(id)).value();
    EXPECT_EQ(loaded.pieces(), pieces);
    EXPECT_EQ(loaded.buyers(), buyers);
  }
}

// Updates, and entities that come and go: nothing is left of an erased one, nothing counted that was not
// acknowledged, and everything that was.
TEST_P(ModelTest, ErasedEntitiesLeaveNothing) {
  Mapper mapper(*store_);
  std::atomic<std::int64_t> begun{0};  // less those that met no entity
  std::atomic<std::int64_t> acknowledged{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          try {
            ++begun;
            mapper.apply<&Stock::refill>("x", 1);
            ++acknowledged;
          } catch (const NotFound&) {
            --begun;
          }
        }
      });
    }
    for (int round = 0; round < 200; ++round) {
      const std::int64_t begun_before = begun;
      mapper.save(Stock("x", 0));
      // As many may still have come to the entity before this one.
      const std::int64_t theirs = acknowledged + kThreads;
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (acknowledged < theirs + 1 + round % 20) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "nothing is acknowledged";
        std::this_thread::yield();
      }
      const std::int64_t at_least = acknowledged - theirs;
      const std::int64_t counted = mapper.load<Stock>("x").value().pieces();
      ASSERT_GE(counted, at_least);
      ASSERT_LE(counted, begun - begun_before + kThreads);
      ASSERT_TRUE(mapper.erase<Stock>("x"));
      ASSERT_TRUE(records(*store_).empty());
    }
  }
  mapper.save(Stock("x", 0));
  EXPECT_EQ(mapper.load<Stock>("x").value().pieces(), 0);
}

}  // namespace
}  // namespace autoshard::test
