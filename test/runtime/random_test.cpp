#include "random.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <set>

namespace autoshard::detail {
namespace {

std::uint64_t drawn_by_a_child() {
  int ends[2];
  if (pipe(ends) != 0) ADD_FAILURE() << "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t bits = random_bits();
    _exit(write(ends[1], &bits, sizeof(bits)) == sizeof(bits) ? 0 : 1);
  }
  close(ends[1]);
  std::uint64_t bits = 0;
  EXPECT_EQ(read(ends[0], &bits, sizeof(bits)), static_cast<ssize_t>(sizeof(bits)));
  close(ends[0]);
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return bits;
}

// Two processes with one sequence would give two entities the same identity.
TEST(Random, ForkedProcessesDrawOtherNumbers) {
  std::set<std::uint64_t> drawn{random_bits()};
  for (int child = 0; child < 4; ++child) EXPECT_TRUE(drawn.insert(drawn_by_a_child()).second);
  EXPECT_TRUE(drawn.insert(random_bits()).second);
}

}  // namespace
}  // namespace autoshard::detail
