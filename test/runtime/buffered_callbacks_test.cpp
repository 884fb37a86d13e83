// Callbacks of updates that flush what is buffered.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <future>

#include "buffered_fixture.h"
#include "entities/forms/question.autoshard.h"

namespace autoshard::test {
namespace {

using moderator::Question;

class BufferedCallbacksTest : public BufferedTest {};
INSTANTIATE_TEST_SUITE_P(Stores, BufferedCallbacksTest, ::testing::ValuesIn(stores_for_threads()),
                         store_name);

TEST_P(BufferedCallbacksTest, MayFlush) {
  Mapper mapper(store_control_, options());
  store_control_.close();
  std::promise<int> seen;
  mapper.apply_async<&Question::voteUp>(1).then([&](const std::exception_ptr&) {
    mapper.apply<&Question::voteUp>(1);
    mapper.flush();
    seen.set_value(committed());
  });
  store_control_.open();
  EXPECT_EQ(seen.get_future().get(), 2);
}

// What is buffered while it commits is not older: it need not wait for that.
TEST_P(BufferedCallbacksTest, MayFlushWhileOthersGoOn) {
  Mapper mapper(store_control_, options());
  store_control_.close();
  std::promise<int> commits;
  mapper.apply_async<&Question::voteUp>(1).then([&](const std::exception_ptr&) {
    mapper.apply<&Question::voteUp>(1);
    mapper.flush();
    EXPECT_EQ(committed(), 2);
    commits.set_value(store_control_.commits_so_far());
    store_control_.open();
  });
  store_control_.open([&](Transaction& transaction, const ControlledStore::Keys&) {
    const CommitOutcome outcome = transaction.commit();
    mapper.apply<&Question::voteUp>(2);
    return outcome;
  });
  EXPECT_EQ(commits.get_future().get(), 2);
}

TEST_P(BufferedCallbacksTest, DoNotRunWithinOthersThatFlush) {
  int depth = 0, deepest = 0;
  std::promise<void> done;
  {
    Mapper mapper(store_control_, options());
    store_control_.close();
    std::function<void(int)> vote = [&](int left) {
      mapper.apply_async<&Question::voteUp>(1).then([&, left](const std::exception_ptr&) {
        deepest = std::max(deepest, ++depth);
        mapper.apply<&Question::voteUp>(1);
        if (left > 1) vote(left - 1);
        EXPECT_GE(mapper.load<Question>(1).value().votes(), 2);
        if (left == 1) done.set_value();
        --depth;
      });
    };
    vote(100);
    store_control_.open();
    done.get_future().wait();
  }
  EXPECT_EQ(deepest, 1);
  EXPECT_EQ(committed(), 200);
}

TEST_P(BufferedCallbacksTest, MayFlushWhatConflicts) {
  MapperOptions options = this->options();
  options.retry.initial_backoff = std::chrono::microseconds(1);
  Mapper mapper(store_control_, options);
  store_control_.close();
  std::promise<int> seen;
  mapper.apply_async<&Question::voteUp>(1).then([&](const std::exception_ptr&) {
    for (int i = 0; i < 3; ++i) store_control_.let_through(ControlledStore::conflicts);
    mapper.apply<&Question::voteUp>(1);
    mapper.flush();
    seen.set_value(committed());
  });
  store_control_.open();
  EXPECT_EQ(seen.get_future().get(), 2);
}

}  // namespace
}  // namespace autoshard::test
