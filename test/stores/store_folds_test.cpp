// What a store promises that folds numbers itself (store.h), run on each that does.

#include <autoshard/codec.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "number_fold.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

NumberFold sum(std::int64_t number) { return {.number = number, .least = kLeast, .most = kMost}; }

/// As the mapper writes it: in as few bytes as it takes.
std::string record(std::int64_t number, const std::vector<std::uint64_t>& others = {}) {
  std::string bytes;
  Encoder out(bytes);
  out.array(1 + others.size());
  out.integer(number);
  for (const std::uint64_t other : others) out.natural(other);
  return bytes;
}

CommitOutcome fold(Store& store, std::string_view key, const NumberFold& fold) {
  const auto transaction = store.begin();
  transaction->fold(key, fold);
  return transaction->commit();
}

std::int64_t number_in(Store& store, std::string_view key) {
  const std::string bytes = get(store, key);
  Decoder in(key, bytes);
  in.array();
  return in.integer();
}

TEST_P(StoreFolds, WritesTheNumberWhereThereIsNone) {
  EXPECT_EQ(fold(*store_, "key", sum(-7)), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), -7);
}

// Every form that MessagePack has for them, at its ends.
TEST_P(StoreFolds, AddsToAnIntegerOfAnySize) {
  for (const std::int64_t number :
       {0L,           1L,  127L, 128L, 255L,  256L,  65'535L,  65'536L,  4'294'967'295L,  4'294'967'296L,
        kMost - 1000, -1L, -32L, -33L, -128L, -129L, -32'768L, -32'769L, -2'147'483'648L, -2'147'483'649L,
        kLeast + 1000}) {
    for (const std::int64_t other : {0L, 1L, -1L, 1000L, -1000L}) {
      put(*store_, "key", record(number));
      ASSERT_EQ(fold(*store_, "key", sum(other)), CommitOutcome::kCommitted) << number << " + " << other;
      ASSERT_EQ(number_in(*store_, "key"), number + other) << number << " + " << other;
    }
  }
}

TEST_P(StoreFolds, AddsToAnIntegerInMoreBytesThanItTakes) {
  for (const std::string& bytes :
       {std::string("\x91\xCC\x05"), std::string("\x91\xCD\x00\x05", 4),
        std::string("\x91\xCE\x00\x00\x00\x05", 6),
        std::string("\x91\xCF\x00\x00\x00\x00\x00\x00\x00\x05", 10), std::string("\x91\xD0\x05"),
        std::string("\x91\xD1\x00\x05", 4), std::string("\x91\xD2\x00\x00\x00\x05", 6)}) {
    put(*store_, "key", bytes);
    ASSERT_EQ(fold(*store_, "key", sum(-8)), CommitOutcome::kCommitted);
    ASSERT_EQ(number_in(*store_, "key"), -3);
  }
}

TEST_P(StoreFolds, KeepsTheLessAndTheGreater) {
  put(*store_, "key", record(5));
  const NumberFold least{.fold = Fold::kMinimum, .number = -3, .least = kLeast, .most = kMost};
  NumberFold most{.fold = Fold::kMaximum, .number = 300, .least = kLeast, .most = kMost};
  EXPECT_EQ(fold(*store_, "key", least), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), -3);
  EXPECT_EQ(fold(*store_, "key", most), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), 300);
  most.number = 299;
  EXPECT_EQ(fold(*store_, "key", most), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), 300);
}

TEST_P(StoreFolds, LeavesWhatStandsBehindTheNumber) {
  put(*store_, "key", record(5, {300, 7}));
  std::string others;
  Encoder out(others);
  out.natural(300);
  out.natural(7);
  NumberFold fold_of_three = sum(1);
  fold_of_three.others = others;
  fold_of_three.size = 3;
  EXPECT_EQ(fold(*store_, "key", fold_of_three), CommitOutcome::kCommitted);
  EXPECT_EQ(fold(*store_, "new", fold_of_three), CommitOutcome::kCommitted);
  EXPECT_EQ(detail::read_number_record(get(*store_, "key")).others, others);
  EXPECT_EQ(number_in(*store_, "key"), 6);
  EXPECT_EQ(number_in(*store_, "new"), 1);
}

// And leaves everything as it is.
TEST_P(StoreFolds, RefusesAnythingElse) {
  std::string other;
  Encoder(other).natural(5);
  NumberFold of_two = sum(1);
  of_two.others = other;
  of_two.size = 2;
  const auto expect_refusal = [&](const std::string& stored, const NumberFold& number) {
    SCOPED_TRACE(::testing::PrintToString(stored));
    put(*store_, "key", stored);
    const auto transaction = store_->begin();
    transaction->put("beside", "written");
    transaction->fold("key", number);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kNotFolded);
    EXPECT_EQ(get(*store_, "key"), stored);
    EXPECT_EQ(get(*store_, "beside"), "absent");
  };
  expect_refusal(record(1), of_two);
  expect_refusal(record(1, {6}), of_two);
  expect_refusal(record(1, {0x105}), of_two);  // whose last byte is the same
  expect_refusal(record(1, {5}), sum(1));
  expect_refusal(record(1, {5, 5}), of_two);
  expect_refusal("", sum(1));
  expect_refusal("\x91", sum(1));
  expect_refusal("\xC0", sum(1));
  expect_refusal("\x91\xC0", sum(1));
  expect_refusal(
      "\x91\xA1"
      "a",
      sum(1));
  expect_refusal("\x91\xCC", sum(1));
  expect_refusal(std::string("\x91\xCF\x80\x00\x00\x00\x00\x00\x00\x00", 10), sum(1));
  expect_refusal(std::string(10'000, '\x91'), sum(1));
}

TEST_P(StoreFolds, RefusesAResultThatIsNotWithinTheLimits) {
  NumberFold number = sum(1);
  number.least = -10;
  number.most = 10;
  put(*store_, "key", record(9));
  EXPECT_EQ(fold(*store_, "key", number), CommitOutcome::kCommitted);
  EXPECT_EQ(fold(*store_, "key", number), CommitOutcome::kNotFolded);
  number.number = -21;
  EXPECT_EQ(fold(*store_, "key", number), CommitOutcome::kNotFolded);
  EXPECT_EQ(number_in(*store_, "key"), 10);
  put(*store_, "key", record(kMost));
  EXPECT_EQ(fold(*store_, "key", sum(1)), CommitOutcome::kNotFolded);
  put(*store_, "key", record(kLeast));
  EXPECT_EQ(fold(*store_, "key", sum(-1)), CommitOutcome::kNotFolded);
  EXPECT_EQ(number_in(*store_, "key"), kLeast);
  for (const Fold other : {Fold::kMinimum, Fold::kMaximum}) {
    const NumberFold beyond{.fold = other, .number = 300, .least = -128, .most = 127};
    put(*store_, "key", record(300));
    EXPECT_EQ(fold(*store_, "key", beyond), CommitOutcome::kNotFolded);
    EXPECT_EQ(number_in(*store_, "key"), 300);
  }
}

TEST_P(StoreFolds, ATransactionSeesItsOwn) {
  put(*store_, "key", record(1));
  put(*store_, "replaced", record(1));
  const auto transaction = store_->begin();
  transaction->fold("key", sum(2));
  transaction->fold("key", sum(3));
  transaction->fold("new", sum(4));
  transaction->put("written", record(5));
  transaction->fold("written", sum(6));
  transaction->fold("erased", sum(1));
  transaction->erase("erased");
  transaction->fold("replaced", sum(7));
  transaction->put("replaced", record(8));
  std::string value;
  ASSERT_TRUE(transaction->get("key", value));
  EXPECT_EQ(detail::read_number_record(value).number, 6);
  EXPECT_FALSE(transaction->get("erased", value));
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), 6);
  EXPECT_EQ(number_in(*store_, "new"), 4);
  EXPECT_EQ(number_in(*store_, "written"), 11);
  EXPECT_EQ(number_in(*store_, "replaced"), 8);
  EXPECT_EQ(get(*store_, "erased"), "absent");
}

TEST_P(StoreFolds, ATransactionSeesItsOwnMinimaAndMaxima) {
  for (const Fold kind : {Fold::kMinimum, Fold::kMaximum}) {
    put(*store_, "key", record(1));
    const auto transaction = store_->begin();
    NumberFold three = sum(3);
    three.fold = kind;
    transaction->fold("key", three);
    std::string value;
    ASSERT_TRUE(transaction->get("key", value));
    EXPECT_EQ(detail::read_number_record(value).number, kind == Fold::kMinimum ? 1 : 3);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    EXPECT_EQ(number_in(*store_, "key"), kind == Fold::kMinimum ? 1 : 3);
  }
}

TEST_P(StoreFolds, WhatOneReadHasChangedThen) {
  put(*store_, "key", record(1));
  std::string value;
  const auto reader = store_->begin();
  reader->get("key", value);
  reader->put("beside", "written");
  EXPECT_EQ(fold(*store_, "key", sum(0)), CommitOutcome::kCommitted);
  EXPECT_EQ(reader->commit(), CommitOutcome::kConflict);

  const auto validating = store_->begin();
  validating->get("key", value);
  EXPECT_EQ(fold(*store_, "key", sum(0)), CommitOutcome::kCommitted);
  EXPECT_EQ(validating->commit(), CommitOutcome::kConflict);
}

TEST_P(StoreFolds, ValidatesWhatItsTransactionRead) {
  put(*store_, "main", "1");
  std::string value;
  const auto transaction = store_->begin();
  transaction->get("main", value);
  transaction->fold("key", sum(1));
  put(*store_, "main", "2");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kConflict);
  EXPECT_EQ(get(*store_, "key"), "absent");
}

// One of several that cannot be folded is enough.
TEST_P(StoreFolds, RefusesAllOrNothing) {
  for (int other = 0; other < 3; ++other) {
    const auto key = [](int i) { return "key " + std::to_string(i); };
    for (int i = 0; i < 3; ++i) put(*store_, key(i), i == other ? "\x91\xC0" : record(i));
    const auto transaction = store_->begin();
    for (int i = 0; i < 3; ++i) transaction->fold(key(i), sum(10));
    EXPECT_EQ(transaction->commit(), CommitOutcome::kNotFolded);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(get(*store_, key(i)), i == other ? "\x91\xC0" : record(i));
  }
}

// All of them, in one commit each, over several records that others fold into as well; nobody is in the way
// of anybody.
TEST_P(StoreFolds, CountsEveryoneWithoutConflicts) {
  constexpr int kThreads = 4, kCommits = 50, kRecords = 3;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int commit = 0; commit < kCommits; ++commit) {
        const auto transaction = store_->begin();
        for (int key = 0; key < kRecords; ++key) {
          NumberFold number = sum(key + 1);
          if (i % 2 == 1) number.most = kMost - 1;  // a fold of another type
          transaction->fold("key " + std::to_string((key + i) % kRecords), number);
        }
        EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::int64_t total = 0;
  for (int key = 0; key < kRecords; ++key) total += number_in(*store_, "key " + std::to_string(key));
  EXPECT_EQ(total, kThreads * kCommits * (1 + 2 + 3));
}

TEST_P(StoreFolds, OfWhatTheTransactionHasErasedBeginAnew) {
  put(*store_, "key", record(5));
  const auto transaction = store_->begin();
  transaction->erase("key");
  transaction->fold("key", sum(2));
  std::string value;
  ASSERT_TRUE(transaction->get("key", value));
  EXPECT_EQ(detail::read_number_record(value).number, 2);
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(number_in(*store_, "key"), 2);
}

TEST_P(StoreFolds, RefusesWhatTheTransactionItselfHasReadOrWritten) {
  for (const bool is_written : {true, false}) {
    put(*store_, "key", "\x91\xC0");
    const auto transaction = store_->begin();
    std::string value;
    is_written ? transaction->put("key", "\x91\xC0") : static_cast<void>(transaction->get("key", value));
    transaction->put("beside", "written");
    transaction->fold("key", sum(1));
    EXPECT_EQ(transaction->commit(), CommitOutcome::kNotFolded);
    EXPECT_EQ(get(*store_, "key"), "\x91\xC0");
    EXPECT_EQ(get(*store_, "beside"), "absent");
  }
}

}  // namespace
}  // namespace autoshard::test
