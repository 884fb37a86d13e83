#pragma once

/// Topics, whose collections are groups.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {

using forum::Topic;
using Texts = std::vector<std::string>;

class GroupTest : public StoreTest {
 protected:
  /// Of one property of topic 1.
  std::vector<std::pair<std::string, std::string>> elements(std::string_view property) {
    const detail::EntityKey key = detail::entity_key("Topic", 1);
    return records(*store_, detail::shard_key(key, property, 0), detail::end_of_property(key, property));
  }
  Topic load() { return mapper_.load<Topic>(1).value(); }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};

}  // namespace autoshard::test
