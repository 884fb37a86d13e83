// Random batches of updates of a property with bounds, which share a commit, while the bounds become narrower
// and wider: each fares as it would alone.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "entities/versions/bus.h"
#include "keys.h"
#include "marked_writer.h"
#include "shard_writer.h"
#include "support/test_store.h"

namespace autoshard::detail {
namespace {

using Bus = bus::SeatsBus;
using Renamed = bus::FreeBus;
using Result = Request::Result;

class EscrowModelTest : public test::StoreTest {
 protected:
  ~EscrowModelTest() override {
    bus::least = 0;
    bus::most = 1000;
  }

  int below(std::size_t bound) { return static_cast<int>(test::below(generator_, bound)); }

  /// Whether an update may be made, and if so, what the value is then. It may lead back into bounds that have
  /// become narrower, but not further out of them.
  bool admit_in_model(const Renamed::Shard& shard) {
    if (shard.replaced_free_) {
      if (shard.free_ < bus::least || shard.free_ > bus::most) return false;
      value_ = shard.free_;
      return true;
    }
    const std::int64_t sum = value_ + shard.free_;
    if (shard.free_ != 0 &&
        (sum < std::min<std::int64_t>(bus::least, value_) || sum > std::max<std::int64_t>(bus::most, value_)))
      return false;
    value_ = sum;
    return true;
  }

  template <class E>
  void commit_batch() {
    std::deque<typename E::Shard> shards;
    std::deque<Request> requests;
    std::vector<Request*> batch;
    std::vector<bool> are_admitted;
    std::string updates;
    for (int i = below(2) == 0 ? 1 : 2 + below(4); i > 0; --i) {
      typename E::Shard& shard = shards.emplace_back();
      shard.free_ = below(4) > 0 ? below(7) - 3 : below(300) - 150;
      shard.replaced_free_ = below(10) == 0;
      if (shard.replaced_free_) shard.free_ = std::max(shard.free_ + 50, 0);
      batch.push_back(&requests.emplace_back(kEntityType<E>, key_, &shard));
      are_admitted.push_back(admit_in_model({shard.free_, shard.replaced_free_}));
      updates += (shard.replaced_free_ ? " =" : " +") + std::to_string(shard.free_);
    }
    ShardWriter(context_, affinity_).commit(batch);
    for (std::size_t i = 0; i < requests.size(); ++i)
      ASSERT_EQ(requests[i].result, are_admitted[i] ? Result::kCommitted : Result::kFailed)
          << "number " << i << " of" << updates << ", after which it is to be " << value_;
  }

  /// Often so that the value is just outside of them.
  void narrow_bounds() {
    bus::least = -below(200);
    bus::most = 1 + below(200);
    const int value = static_cast<int>(value_);
    if (below(3) == 0) bus::least = value + below(6);
    if (below(3) == 0) bus::most = value - below(6);
    bus::most = std::max(bus::most, bus::least + 1);
  }

  void step() {
    switch (below(8)) {
      case 0:
        narrow_bounds();
        break;
      case 1:
        admin::set_shards<Renamed>(mapper_, 1, "free", static_cast<std::uint32_t>(1 + below(6)));
        break;
      case 2:
        admin::compact<Renamed>(mapper_);
        break;
      default:
        commit_batch<Renamed>();
    }
    ASSERT_EQ(mapper_.load<Renamed>(1).value().free(), value_);
  }

  std::mt19937_64 generator_ = test::seeded_generator();
  MapperOptions options_{.choice = ShardChoice::kRandom, .compact_every = std::chrono::milliseconds(0)};
  Mapper mapper_{*store_, options_};
  MapperContext context_{*store_, options_};
  AffinityNumber affinity_ = 0;
  const EntityKey key_ = entity_key("Bus", 1);
  std::int64_t value_ = 0;
};

TEST_P(EscrowModelTest, EachUpdateFaresAsItWouldAlone) {
  for (int round = 0; round < 200 && !HasFatalFailure(); ++round) {
    bus::least = 0;
    bus::most = 1000;
    value_ = below(1001);
    mapper_.save(Bus(1, static_cast<int>(value_)));
    for (int i = 0; i < 40 && !HasFatalFailure(); ++i) step();
    mapper_.erase<Renamed>(1);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, EscrowModelTest, ::testing::ValuesIn(test::all_stores()), test::store_name);

}  // namespace
}  // namespace autoshard::detail
