// A store that folds numbers folds those within their bounds, and leaves every other record to the mapper.

#include "number_fold.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace autoshard::detail {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

NumberFold number(std::int64_t number, Fold fold, std::int64_t least = kLeast, std::int64_t most = kMost) {
  NumberFold result;
  result.fold = fold;
  result.number = number;
  result.least = least;
  result.most = most;
  result.size = 1;
  return result;
}

std::optional<std::int64_t> folded(const NumberFold& fold, const NumberFold& stored) {
  const std::optional<std::string> record = fold_number(fold, number_record(stored));
  return record ? std::optional(read_number_record(*record).number) : std::nullopt;
}

TEST(NumberFold, FoldsByEachFold) {
  for (const std::int64_t stored : {-3, 7}) {
    EXPECT_EQ(folded(number(5, Fold::kSum), number(stored, Fold::kSum)), stored + 5);
    EXPECT_EQ(folded(number(5, Fold::kMinimum), number(stored, Fold::kMinimum)),
              std::min<std::int64_t>(stored, 5));
    EXPECT_EQ(folded(number(5, Fold::kMaximum), number(stored, Fold::kMaximum)),
              std::max<std::int64_t>(stored, 5));
  }
}

TEST(NumberFold, IsReadWithAllThatItsRecordHas) {
  NumberFold of_epoch = number(-3, Fold::kSum);
  of_epoch.others = "\x05";
  of_epoch.size = 2;
  const std::string record = number_record(of_epoch);
  const NumberFold read = read_number_record(record);
  EXPECT_EQ(read.number, -3);
  EXPECT_EQ(read.others, "\x05");
  EXPECT_EQ(read.size, 2);
  EXPECT_EQ(number_record(read), record);
}

TEST(NumberFold, LeavesWhatHasNoRoom) {
  EXPECT_EQ(folded(number(1, Fold::kSum), number(kMost, Fold::kSum)), std::nullopt);
  EXPECT_EQ(folded(number(1, Fold::kSum, 0, 100), number(99, Fold::kSum)), 100);
  EXPECT_EQ(folded(number(1, Fold::kSum, 0, 100), number(100, Fold::kSum)), std::nullopt);
  EXPECT_EQ(folded(number(-1, Fold::kSum, 0, 100), number(0, Fold::kSum)), std::nullopt);
}

TEST(NumberFold, LeavesRecordsOfAnotherForm) {
  NumberFold of_epoch = number(1, Fold::kSum), of_another = of_epoch;
  of_epoch.others = "\x05";
  of_another.others = "\x06";
  of_epoch.size = of_another.size = 2;
  EXPECT_EQ(folded(of_epoch, of_epoch), 2);
  EXPECT_EQ(folded(of_epoch, of_another), std::nullopt) << "another epoch";
  EXPECT_EQ(folded(of_epoch, number(1, Fold::kSum)), std::nullopt) << "without an epoch";
  EXPECT_EQ(fold_number(number(1, Fold::kSum), ""), std::nullopt);
  EXPECT_EQ(fold_number(number(1, Fold::kSum), "\x92\x01"), std::nullopt) << "fewer values than it says";
  EXPECT_EQ(fold_number(number(1, Fold::kSum), "\x91\xA1x"), std::nullopt) << "a text";
}

}  // namespace
}  // namespace autoshard::detail
