#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "entities/versions/topic.h"
#include "support/test_store.h"

namespace autoshard::test {

using forum::UnshardedTopic;
using Dynamic = forum::DynamicTopic;
using Grouped = forum::GroupedTopic;
using RenamedEarlier = forum::RenamedEarlierTopic;
using RenamedLater = forum::RenamedLaterTopic;
using Replacing = forum::ReplacingTopic;
using Sharded = forum::ShardedTopic;
using Windowed = forum::WindowedTopic;

/// Programs of two versions of a class, which use one store at the same time.
class GroupVersionsTest : public StoreTest {
 protected:
  template <class E>
  E load() {
    return mapper_.load<E>(1).value();
  }
  template <class E>
  std::vector<std::string> paged() {
    std::vector<std::string> texts;
    for (const auto& [id, text] : mapper_.elements(1, forum::posts_of<E>())) texts.push_back(text);
    return texts;
  }
  /// Adds to what an unsharded class has, as its programs do.
  template <class Change>
  void save_unsharded(Change change) {
    auto topic = mapper_.load<UnshardedTopic>(1).value();
    change(topic);
    mapper_.save(topic);
  }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};

}  // namespace autoshard::test
