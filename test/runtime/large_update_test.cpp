// One update may be larger than what several updates share in a commit.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <deque>
#include <string>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "keys.h"
#include "shard_writer.h"

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

// Where the store has no limit either: others wait for a commit, and it is in memory several times.
TEST(LargeUpdate, SeveralShareNoCommitThatIsLargerThanOneShouldBe) {
  MemoryStore store;
  Mapper(store).save(Topic(1));
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  Topic::Shard megabyte;
  megabyte.add_post(std::string(std::size_t{1} << 20, 'x'));
  std::deque<detail::Request> updates;
  std::vector<detail::Request*> batch;
  for (int i = 0; i < 8; ++i)
    batch.push_back(&updates.emplace_back(detail::kEntityType<Topic>, key, &megabyte, 0, ""));
  detail::MapperContext context(store, {});
  detail::AffinityNumber affinity = 0;
  detail::ShardWriter(context, affinity).commit(batch);
  EXPECT_EQ(context.counters.commits.value(), 2U);
  EXPECT_THAT(Mapper(store).load<Topic>(1).value().posts(), ::testing::SizeIs(8));
}

}  // namespace
}  // namespace autoshard::test
