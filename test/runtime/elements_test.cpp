// The elements of groups one by one, and pages of them.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "elements_fixture.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/groups/wall.autoshard.h"
#include "keys.h"
#include "main_record.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using ::testing::UnorderedElementsAre;

INSTANTIATE_TEST_SUITE_P(Stores, ElementsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ElementsTest, ComeInTheOrderInWhichTheyWereAdded) {
  Texts expected = save(100);
  EXPECT_EQ(texts(mapper_.elements(1, q::posts)), expected);
  EXPECT_EQ(load().texts(), expected);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(texts(mapper_.elements(1, q::posts).newest_first()), expected);
}

TEST_P(ElementsTest, PagesFollowEachOtherInBothDirections) {
  Texts expected = save(25);
  for (const bool newest_first : {false, true}) {
    Texts found;
    std::string cursor;
    int pages = 0;
    do {
      auto elements = mapper_.elements(1, q::posts).after(cursor).limit(5);
      if (newest_first) elements = elements.newest_first();
      const auto page = elements.page();
      EXPECT_THAT(page.rows, SizeIs(5));
      for (const Element<Post>& post : page.rows) found.push_back(post.value.text);
      cursor = page.cursor;
      ++pages;
    } while (!cursor.empty());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(pages, 5);
    std::reverse(expected.begin(), expected.end());
  }
}

TEST_P(ElementsTest, APageOfNoneHasNoCursor) {
  save(2);
  const auto page = mapper_.elements(1, q::posts).limit(0).page();
  EXPECT_THAT(page.rows, IsEmpty());
  EXPECT_EQ(page.cursor, "");
}

TEST_P(ElementsTest, APageGoesOnBehindAnElementThatIsGone) {
  save(4);
  const auto page = mapper_.elements(1, q::posts).limit(2).page();
  ASSERT_TRUE(mapper_.erase_element(1, q::posts, page.rows.back().id));
  mapper_.apply<&Topic::add_post>(1, "new");
  EXPECT_EQ(texts(mapper_.elements(1, q::posts).after(page.cursor)), (Texts{"2", "3", "new"}));
}

TEST_P(ElementsTest, OfSetsAndMapsComeInPagesToo) {
  mapper_.save(Topic(1));
  std::set<std::string> expected;
  for (int i = 0; i < 30; ++i) {
    const std::string reader = "reader " + std::to_string(i);
    mapper_.apply<&Topic::read_by>(1, reader);
    mapper_.apply<&Topic::rate>(1, reader, i);
    expected.insert(reader);
  }
  std::vector<std::string> all;
  for (const auto& [id, reader] : mapper_.elements(1, q::readers)) all.push_back(reader);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()), expected);
  EXPECT_THAT(all, SizeIs(30));
  std::vector<std::string> paged;
  std::string cursor;
  do {
    const auto page = mapper_.elements(1, q::readers).after(cursor).limit(7).page();
    for (const auto& [id, reader] : page.rows) paged.push_back(reader);
    cursor = page.cursor;
  } while (!cursor.empty());
  EXPECT_EQ(paged, all);
  int sum = 0;
  for (const auto& [id, entry] : mapper_.elements(1, q::stars)) {
    EXPECT_EQ(entry.first, "reader " + std::to_string(entry.second));
    sum += entry.second;
  }
  EXPECT_EQ(sum, 29 * 30 / 2);
}

TEST_P(ElementsTest, ThereAreNoneOfWhatIsNotThere) {
  EXPECT_THAT(mapper_.elements(1, q::posts).page().rows, IsEmpty());
  save(3);
  FaultyStore faulty(*store_);
  Mapper crashing(faulty, {.compact_every = kOnlyWhenAsked});
  faulty.before_commit([&](int) { return has_tombstone(1) ? Fate::kCrashes : Fate::kCommits; });
  crashing.erase<Topic>(1);  // leaves a tombstone, and the records
  EXPECT_THAT(mapper_.elements(1, q::posts).page().rows, IsEmpty());
  EXPECT_THAT(mapper_.elements(1, q::posts).page().cursor, IsEmpty());
}

TEST_P(ElementsTest, ACursorOfSomethingElseIsRefused) {
  save(3);
  mapper_.apply<&Topic::read_by>(1, "ann");
  mapper_.apply<&Topic::read_by>(1, "bob");
  const std::string cursor = mapper_.elements(1, q::posts).limit(1).page().cursor;
  const std::string readers = mapper_.elements(1, q::readers).limit(1).page().cursor;
  const auto posts = mapper_.elements(1, q::posts);
  EXPECT_EQ(texts(posts.after(cursor)), (Texts{"1", "2"}));
  EXPECT_THROW(posts.newest_first().after(cursor).page(), InvalidCursor);
  EXPECT_THROW(posts.after(readers).page(), InvalidCursor);
  EXPECT_THROW(mapper_.elements(2, q::posts).after(cursor).page(), InvalidCursor);
  EXPECT_THROW(posts.after("nonsense").page(), InvalidCursor);
  EXPECT_THROW(posts.after(cursor.substr(0, cursor.size() - 2)).page(), InvalidCursor);
  EXPECT_THROW(posts.after(cursor + "00").page(), InvalidCursor);
  EXPECT_THROW(mapper_.query<Topic>().after(cursor).page(), InvalidCursor);
}

TEST_P(ElementsTest, ACursorOfALongIdIsOfThatIdOnly) {
  const std::string one(200, 'a'), other = one.substr(1) + 'b';
  for (const std::string& name : {one, other}) {
    mapper_.save(forum::Wall(name, {"1", "2", "3"}));
  }
  const auto lines = [&](const std::string& name) {
    return mapper_.elements(name, Fields<forum::Wall>::lines);
  };
  const std::string cursor = lines(one).limit(2).page().cursor;
  EXPECT_THAT(lines(one).after(cursor).page().rows, SizeIs(1));
  EXPECT_THROW(lines(other).after(cursor).page(), InvalidCursor);
}

/// Counts the records that cursors come to.
class CountingStore final : public Store {
 public:
  explicit CountingStore(Store& store) : store_(store) {}

  std::uint64_t read() { return std::exchange(read_, 0); }

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Transaction> begin() override { return store_.begin(); }
  std::unique_ptr<Snapshot> snapshot() override {
    return std::make_unique<CountingSnapshot>(store_.snapshot(), read_);
  }

 private:
  class CountingCursor final : public Cursor {
   public:
    CountingCursor(std::unique_ptr<Cursor> cursor, std::uint64_t& read)
        : cursor_(std::move(cursor)), read_(read) {
      count();
    }
    bool valid() const override { return cursor_->valid(); }
    std::string_view key() const override { return cursor_->key(); }
    std::string_view value() const override { return cursor_->value(); }
    void next() override {
      cursor_->next();
      count();
    }

   private:
    void count() { read_ += cursor_->valid() ? 1 : 0; }
    std::unique_ptr<Cursor> cursor_;
    std::uint64_t& read_;
  };

  class CountingSnapshot final : public Snapshot {
   public:
    CountingSnapshot(std::unique_ptr<Snapshot> snapshot, std::uint64_t& read)
        : snapshot_(std::move(snapshot)), read_(read) {}
    bool get(std::string_view key, std::string& value) const override { return snapshot_->get(key, value); }
    std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                 Direction direction) const override {
      return std::make_unique<CountingCursor>(snapshot_->scan(begin, end, direction), read_);
    }

   private:
    std::unique_ptr<Snapshot> snapshot_;
    std::uint64_t& read_;
  };

  Store& store_;
  std::uint64_t read_ = 0;
};

TEST_P(ElementsTest, PagesOfManyReadNoMoreThanTheyGive) {
  constexpr int kPosts = 100'000, kOnce = 1'000;
  constexpr std::uint64_t kPage = 50, kGroups = 8;
  mapper_.save(Topic(1));
  for (int i = 0; i < kPosts; i += kOnce) {
    mapper_.update<Topic>(1, [&](auto& topic) {
      for (int post = i; post < i + kOnce; ++post) topic.add_post(std::to_string(post));
    });
  }
  CountingStore counting(*store_);
  Mapper mapper(counting, {.compact_every = kOnlyWhenAsked});
  int next = 0;
  std::string cursor;
  do {
    const auto page = mapper.elements(1, q::posts).after(cursor).limit(kPage).page();
    for (const Element<Post>& post : page.rows) ASSERT_EQ(post.value.text, std::to_string(next++));
    // One of each group more, to find out which groups there are, and one to begin with.
    ASSERT_LE(counting.read(), kPage + 2 * kGroups);
    cursor = page.cursor;
  } while (!cursor.empty());
  EXPECT_EQ(next, kPosts);
}

/// A page, while others add and remove, is what was there at some instant.
TEST_P(ElementsTest, AreThoseOfOneInstant) {
  save(10);
  auto element = mapper_.elements(1, q::posts).begin();
  mapper_.erase_element(1, q::posts, id_of("5"));
  mapper_.apply<&Topic::add_post>(1, "new");
  Texts found;
  for (; element != std::default_sentinel; ++element) found.push_back(element->value.text);
  EXPECT_EQ(found, (Texts{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

/// A replacement of the group leaves such records until a compaction.
TEST_P(ElementsTest, ARecordOfAnotherEpochIsNone) {
  save(3);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  const auto transaction = store_->begin();
  for (auto [record_key, record] :
       records(*store_, detail::shard_key(key, "posts", 0), detail::end_of_property(key, "posts"))) {
    if (record.find("\xA1"
                    "1") == std::string::npos)
      continue;
    ASSERT_EQ(record.front(), '\x91') << "it has no epoch";
    record.front() = '\x92';
    transaction->put(record_key, record + '\x07');
  }
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(load().texts(), (Texts{"0", "2"}));
  EXPECT_EQ(texts(mapper_.elements(1, q::posts)), (Texts{"0", "2"}));
}

TEST_P(ElementsTest, ARecordWhoseIdHasAnotherLengthIsNone) {
  const Texts expected = save(3);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  const auto found =
      records(*store_, detail::shard_key(key, "posts", 0), detail::end_of_property(key, "posts"));
  ASSERT_THAT(found, SizeIs(3));
  for (const std::string bytes : {"odd", "an id that is too long"}) {
    const auto transaction = store_->begin();
    transaction->put(detail::shard_key(key, "posts", 0).bytes() + bytes, found[0].second);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  EXPECT_EQ(texts(mapper_.elements(1, q::posts)), expected);
}

TEST_P(ElementsTest, ARecordOfSeveralElementsIsCorrupt) {
  save(1);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  const auto found =
      records(*store_, detail::shard_key(key, "posts", 0), detail::end_of_property(key, "posts"));
  ASSERT_THAT(found, SizeIs(1));
  for (const std::size_t elements : {0U, 2U}) {
    std::string record;
    Encoder out(record);
    out.array(1);
    out.array(elements);
    for (std::size_t i = 0; i < elements; ++i) out.map(0);
    const auto transaction = store_->begin();
    transaction->put(found[0].first, record);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    EXPECT_THAT([&] { mapper_.elements(1, q::posts).page(); },
                ThrowsMessage<CorruptRecord>(HasSubstr("several elements instead of one")))
        << elements;
  }
}

}  // namespace
}  // namespace autoshard::test
