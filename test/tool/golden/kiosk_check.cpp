#include "entities/strategies/kiosk.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(kiosk) {
  using sales::Kiosk;

  constexpr auto sharded = autoshard::Traits<Kiosk>::sharded_properties();
  static_assert(std::get<0>(sharded).shards.most == 6);
  static_assert(std::get<1>(sharded).shards.least == 2 && std::get<1>(sharded).shards.most == 24);
  static_assert(std::get<2>(sharded).shards.most == 3);
  static_assert(std::get<3>(sharded).shards.most == 4);

  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(Kiosk{"corner", "Ulm", 1});
  mapper.apply<&Kiosk::sell>("corner", 500);
  CHECK(mapper.load<Kiosk>("corner")->papers() == 0);
  bool is_refused = false;
  try {
    mapper.apply<&Kiosk::sell>("corner", 1);
  } catch (const autoshard::BoundExceeded&) {
    is_refused = true;
  }
  CHECK(is_refused);
}
