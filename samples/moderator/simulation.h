#pragma once

#include <filesystem>

namespace moderator {

struct Simulation {
  int users = 2000;
  int questions = 16;
  int threads = 16;
  int votes_per_user = 5;
  std::filesystem::path store;  ///< where the votes are kept
};

/// Lets all users vote, on the naive class and on the sharded one, without and with retry, and prints how
/// each fared; then respond to the most popular question. Prints the ranking. Returns whether every vote and
/// every response that was acknowledged was there after reopening the store, and no other.
bool simulate(const Simulation& simulation);

}  // namespace moderator
