// The least free space, on a disk whose answers the test chooses.

#include "disk/free_space.h"

#include <cstdint>
#include <limits>
#include <memory>

#include "failing_calls.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

using rocksdb::IOStatus;
using rocksdb_store::FreeSpace;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class FreeSpaceTest : public ::testing::Test {
 protected:
  FreeSpace free_space(std::uint64_t minimum, std::uint64_t outstanding) {
    return FreeSpace(*env_, folder_.path(), minimum, [outstanding] { return outstanding; });
  }

  TemporaryFolder folder_;
  const std::shared_ptr<FailingCalls> files_ = std::make_shared<FailingCalls>();
  const std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
};

TEST_F(FreeSpaceTest, IsEnoughForAllThatIsToBeWritten) {
  FreeSpace space = free_space(100, 10);
  files_->set_free_space(IOStatus::OK(), 115);
  EXPECT_NO_THROW(space.check(5));
  EXPECT_THAT([&] { space.check(6); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("115 bytes free, and a write needs 116")));
  const FreeSpace::Writing writing(space, 2);
  EXPECT_NO_THROW(space.check(1));
  EXPECT_THROW(space.check(2), StoreUnavailable) << "a write counts twice";
}

TEST_F(FreeSpaceTest, IsNotAssumedWhereItIsUnknown) {
  FreeSpace space = free_space(0, 0);
  files_->set_free_space(IOStatus::IOError("injected"));
  for (int call = 0; call < 2; ++call) {
    EXPECT_THAT([&] { space.require(1); },
                ThrowsMessage<StoreUnavailable>(HasSubstr("cannot be determined")));
  }
  files_->set_free_space(IOStatus::OK(), 1);
  EXPECT_NO_THROW(space.require(1));
}

TEST_F(FreeSpaceTest, IsNotEnoughForMoreThanANumberHolds) {
  FreeSpace space = free_space(std::numeric_limits<std::uint64_t>::max(), 10);
  files_->set_free_space(IOStatus::OK(), 1'000'000);
  EXPECT_THROW(space.check(0), StoreUnavailable);
}

}  // namespace
}  // namespace autoshard::test
