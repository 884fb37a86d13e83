#pragma once

#include <autoshard/store.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#ifdef AUTOSHARD_TEST_VERIFIES
#include "verify.h"
#endif

namespace autoshard::test {

/// `autoshardctl verify` finds no problem, if it is built.
inline void expect_healthy([[maybe_unused]] Store& store) {
#ifdef AUTOSHARD_TEST_VERIFIES
  std::ostringstream found;
  EXPECT_EQ(ctl::verify(store, {found}), 0U) << found.str();
#endif
}

/// In the process that is killed: tells the one that kills it what has been acknowledged.
inline void acknowledge(int acknowledgements, int kind) {
  const char byte = static_cast<char>(kind);
  if (write(acknowledgements, &byte, 1) != 1) std::abort();
}

/// Starts this program again, as `--writer STORE DESCRIPTOR`, and kills it once it has acknowledged so many
/// times. Returns how often it had acknowledged each of the kinds by then.
template <std::size_t kKinds>
std::array<int, kKinds> run_and_kill(const std::filesystem::path& store, std::size_t acknowledgements) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    execl("/proc/self/exe", "writer", "--writer", store.c_str(), std::to_string(ends[1]).c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::array<int, kKinds> acknowledged{};
  const auto read_one = [&] {
    char byte = 0;
    if (read(ends[0], &byte, 1) != 1) return false;
    ++acknowledged.at(static_cast<std::size_t>(byte));
    return true;
  };
  bool is_running = true;
  for (; is_running && acknowledgements > 0; --acknowledgements) is_running = read_one();
  EXPECT_TRUE(is_running) << "the writer ended by itself";
  kill(writer, SIGKILL);
  while (read_one()) {
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return acknowledged;
}

}  // namespace autoshard::test
