#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "keys.h"
#include "main_record.h"
#include "support/test_store.h"

namespace autoshard::test {

using forum::Post;
using forum::Topic;
using q = Fields<Topic>;
using Texts = std::vector<std::string>;

inline constexpr auto kOnlyWhenAsked = std::chrono::milliseconds(0);

template <class Range>
Texts texts(const Range& elements) {
  Texts texts;
  for (const Element<Post>& element : elements) texts.push_back(element.value.text);
  return texts;
}

class ElementsTest : public StoreTest {
 protected:
  bool has_tombstone(std::int64_t topic) {
    std::string record;
    return store_->snapshot()->get(detail::main_key(detail::entity_key("Topic", topic)), record) &&
           detail::is_tombstone(record);
  }

  /// Topic 1 with posts "0", "1", ….
  Texts save(int posts) {
    mapper_.save(Topic(1));
    Texts texts;
    for (int i = 0; i < posts; ++i) {
      texts.push_back(std::to_string(i));
      mapper_.apply<&Topic::add_post>(1, texts.back());
    }
    return texts;
  }
  ElementId id_of(const std::string& text) {
    for (const Element<Post>& post : mapper_.elements(1, q::posts)) {
      if (post.value.text == text) return post.id;
    }
    return ElementId();
  }
  Topic load() { return mapper_.load<Topic>(1).value(); }

  Mapper mapper_{*store_, {.compact_every = kOnlyWhenAsked}};
};

}  // namespace autoshard::test
