#include "entities/forms/depot.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(depot) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Depot depot{};
  depot.move(detail::Region::kWest, 7);
  CHECK(depot.take(-3) == -3);
  mapper.save(depot);
  constexpr auto kTake = static_cast<std::int64_t (Depot::*)(std::int64_t, int)>(&Depot::take);
  mapper.apply<kTake>({detail::Region::kWest, detail::Key{7}}, 1, 1);
  const auto loaded = mapper.load<Depot>({detail::Region::kWest, detail::Key{7}});
  CHECK(loaded.has_value());
  CHECK(loaded->stock() == 2);
  CHECK(loaded->level() == 3);
}
