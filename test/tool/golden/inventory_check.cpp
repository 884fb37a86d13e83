#include "entities/types/inventory.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(inventory) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  stock::Inventory inventory{stock::Unit::kKilogram, "nuts"};
  inventory.fill();
  CHECK(!inventory.is_filled());  // what is cached in memory is not persisted
  mapper.save(inventory);
  mapper.apply<&stock::Inventory::sell>("nuts", 12);
  const auto loaded = mapper.load<stock::Inventory>("nuts");
  CHECK(loaded && loaded->is_filled());
  CHECK(loaded->sold() == 12);
  using q = autoshard::Fields<stock::Inventory>;
  const auto news = mapper.query<stock::Inventory>(q::tags.contains("new"));
  CHECK(news.count() == 1);
  CHECK(news.explain().find("index tags") != std::string::npos);
  CHECK(mapper.query<stock::Inventory>(q::tags.contains("lost")).count() == 0);
}
