// One update may be larger than what several updates share in a commit.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <string>

#include "topic.h"

namespace autoshard::test {
namespace {

using forum::Topic;

TEST(LargeUpdate, IsCommittedWhereTheStoreHasNoLimit) {
  MemoryStore store;
  Mapper mapper(store);
  mapper.save(Topic(1));
  const std::string megabyte(std::size_t{1} << 20, 'x');
  mapper.update<Topic>(1, [&](auto& topic) {
    for (int i = 0; i < 10; ++i) topic.add_post(megabyte);
  });
  EXPECT_THAT(mapper.load<Topic>(1).value().posts(), ::testing::SizeIs(10));
}

}  // namespace
}  // namespace autoshard::test
