#include "elements.h"

#include "keys.h"
#include "random.h"

namespace autoshard::detail {

void put_elements(const ShardedPropertyType& property, std::string_view entity_key, const Layout& layout,
                  const void* value, StagedWrites& writes) {
  property.split(value, [&](std::string_view bytes, std::string_view container) {
    StagedWrites::Write& write = writes.put();
    if (bytes.empty()) {
      const auto group = static_cast<std::uint16_t>(random_below(layout.shards));
      set_new_element_key(write.key, entity_key, property.name, group);
    } else {
      set_equal_element_key(write.key, entity_key, property.name, bytes);
    }
    encode_element(write.value, container, layout.epoch);
  });
}

}  // namespace autoshard::detail
