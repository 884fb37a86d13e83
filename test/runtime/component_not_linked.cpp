#include <autoshard/autoshard.h>

void use() {
  autoshard::RocksDbStore store{"folder", {.sync = false}};
  autoshard::MemcachedCache cache;
  autoshard::Mapper mapper{store, {.cache = &static_cast<autoshard::SharedCache&>(cache)}};
  autoshard::Mapper other{autoshard::MySqlStore(autoshard::MySqlOptions{})};
}
