// An update by one thread allocates nothing but what the store does. A commit that runs out of memory changes
// nothing.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>

#include "entities/forms/question.autoshard.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"

namespace {
thread_local long allocations = 0;
thread_local long most_allocations = std::numeric_limits<long>::max();

void* counted(void* memory) {
  ++allocations;
  return memory ? memory : throw std::bad_alloc();
}
}  // namespace

// Not inline, or GCC takes what stands in each for a pair that does not fit.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (allocations == most_allocations) throw std::bad_alloc();
  return counted(std::malloc(size == 0 ? 1 : size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  if (allocations == most_allocations) throw std::bad_alloc();
  return counted(std::aligned_alloc(static_cast<std::size_t>(alignment), size));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace autoshard::test {
namespace {

using moderator::Question;

/// Keeps a few records, for one thread, and allocates nothing once they are there.
class PlainStore final : public Store {
 public:
  StoreTraits traits() const override {
    return {.atomic_scope = StoreTraits::AtomicScope::kStore, .snapshot_reads = true};
  }
  std::unique_ptr<Transaction> begin() override { return std::make_unique<PlainTransaction>(records_); }
  /// Only the indexes that other versions of the class may have left are looked for. There are none.
  std::unique_ptr<Snapshot> snapshot() override { return nothing_.snapshot(); }

  std::size_t records() const { return records_.size(); }

 private:
  using Records = std::map<std::string, std::string, std::less<>>;

  class PlainTransaction final : public Transaction {
   public:
    explicit PlainTransaction(Records& records) : records_(records) {}

    // One at a time.
    static void* operator new(std::size_t size) {
      alignas(std::max_align_t) static std::array<std::byte, 256> memory;
      return size <= memory.size() ? memory.data() : nullptr;
    }
    static void operator delete(void*) {}

    bool get(std::string_view key, std::string& value) override {
      const auto found = records_.find(key);
      if (found == records_.end()) return false;
      value = found->second;
      return true;
    }
    void put(std::string_view key, std::string_view value) override {
      auto found = records_.find(key);
      if (found == records_.end()) found = records_.emplace(key, std::string()).first;
      found->second = value;
    }
    void erase(std::string_view) override {}
    CommitOutcome commit() override { return CommitOutcome::kCommitted; }

   private:
    Records& records_;
  };

  Records records_;
  MemoryStore nothing_;
};

/// Of a runtime without checks of itself, which allocate.
class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef AUTOSHARD_CHECKS
    GTEST_SKIP() << "the checks of the runtime allocate";
#endif
  }
};

TEST_F(Allocation, AnUpdateByOneThreadAllocatesNothing) {
  PlainStore store;
  Mapper mapper(store);
  mapper.save(Question{42, "How do you plan to improve public education?", "Phil R"});
  const auto vote = [&] {
    for (int i = 0; i < 1000; ++i) {
      mapper.apply<&Question::voteUp>(42);
      mapper.update<Question>(42, [](auto& shard) { shard.voteDown(); });
      mapper.apply<&Question::voteUp>(42);
    }
  };
  vote();
  const long before = allocations;
  vote();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(store.records(), 3u);  // the entity, one shard, and which indexes the class has
  EXPECT_GT(before, 0);            // that they are counted
}

TEST_F(Allocation, ThatOfAnAlignedObjectIsCountedToo) {
  struct alignas(64) Line {
    char bytes[64];
  };
  const long before = allocations;
  const auto line = std::make_unique<Line>();
  asm volatile("" : : "g"(line.get()) : "memory");  // Clang would leave out an object that nothing uses
  EXPECT_EQ(allocations - before, 1);
}

TEST_F(Allocation, NorDoesOneThatNobodyWaitsFor) {
  PlainStore store;
  Mapper mapper(store);
  mapper.save(Question{42, "How do you plan to improve public education?", "Phil R"});
  const auto vote = [&] {
    for (int i = 0; i < 1000; ++i) mapper.apply_async<&Question::voteUp>(42).get();
  };
  vote();
  const long before = allocations;  // of this thread; the store is the committer's
  vote();
  EXPECT_EQ(allocations - before, 0);
}

TEST_F(Allocation, ASaveThatLeavesACollectionAloneMakesNoKeysOfItsElements) {
  MemoryStore store;
  Mapper mapper(store, {.compact_every = std::chrono::milliseconds(0)});
  reading::Bookmark bookmark(1);
  for (int i = 0; i < 1000; ++i) bookmark.tags.push_back("tag" + std::to_string(i));
  mapper.save(bookmark);
  bookmark.title = "another";
  const long before = allocations;
  mapper.save(bookmark);
  EXPECT_LT(allocations - before, 500);
  EXPECT_EQ(mapper.load<reading::Bookmark>(1).value().title, "another");
}

TEST(MemoryShortage, LetsACommitOfAMemoryStoreChangeNothing) {
  bool is_committed = false;
  long failures = 0;
  for (; !is_committed; ++failures) {
    MemoryStore store;
    const auto commit = [&](const std::string& value, long allowed) {
      const auto transaction = store.begin();
      for (const char* key : {"absent", "kept", "later"}) transaction->put(key, value);
      most_allocations = allocations + allowed;
      const auto outcome = [&] {
        try {
          return transaction->commit() == CommitOutcome::kCommitted;
        } catch (const std::bad_alloc&) {
          return false;
        }
      }();
      most_allocations = std::numeric_limits<long>::max();
      return outcome;
    };
    const auto read = [&](const char* key) {
      std::string value = "none";
      store.begin()->get(key, value);
      return value;
    };
    const auto transaction = store.begin();
    transaction->put("kept", "old");
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    const std::unique_ptr<Snapshot> snapshot = store.snapshot();
    is_committed = commit("new", failures);
    EXPECT_EQ(read("absent"), is_committed ? "new" : "none") << failures;
    EXPECT_EQ(read("kept"), is_committed ? "new" : "old") << failures;
    EXPECT_EQ(read("later"), is_committed ? "new" : "none") << failures;
    EXPECT_TRUE(commit("newest", 1'000));
    EXPECT_EQ(read("later"), "newest");
    std::string value;
    EXPECT_TRUE(snapshot->get("kept", value));
    EXPECT_EQ(value, "old");
  }
  EXPECT_GT(failures, 4);
}

}  // namespace
}  // namespace autoshard::test
