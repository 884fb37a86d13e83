/// 1,000 seats and 64 buyers at two counters: every seat is sold, and none twice.

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "concert.autoshard.h"

namespace {

using tickets::Concert;

constexpr int kBuyers = 64;
const std::string kConcert = "Die Taucher, Berlin";

/// Buys until there is nothing left, and changes their mind now and then. Returns how many they keep.
int shop(autoshard::Mapper& mapper, unsigned buyer) {
  std::mt19937 random(buyer);
  int kept = 0;
  for (int wanted = 4; wanted > 0;) {
    try {
      mapper.apply<&Concert::buy>(kConcert, wanted);
      kept += wanted;
    } catch (const autoshard::BoundExceeded&) {
      --wanted;  // there may be a single seat
      continue;
    }
    if (random() % 8 != 0) continue;
    mapper.apply<&Concert::give_back>(kConcert, 1);
    --kept;
  }
  return kept;
}

}  // namespace

int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper counters[2] = {autoshard::Mapper{store}, autoshard::Mapper{store}};
  counters[0].save(Concert(kConcert));

  std::atomic<int> sold = 0;
  std::atomic<bool> oversold = false, goes_on = true;
  std::jthread onlooker([&] {
    while (goes_on) {
      const int free = counters[0].load<Concert>(kConcert).value().free();
      if (free < 0 || free > Concert::kSeats) oversold = true;
    }
  });
  {
    std::vector<std::jthread> buyers;
    for (unsigned buyer = 0; buyer < kBuyers; ++buyer)
      buyers.emplace_back([&, buyer] { sold += shop(counters[buyer % 2], buyer); });
  }
  // What was given back after the others had gone.
  sold += shop(counters[0], kBuyers);
  goes_on = false;
  onlooker.join();

  const int free = counters[1].load<Concert>(kConcert).value().free();
  const autoshard::MapperCounters done = autoshard::admin::counters(counters[0]);
  fmt::print("{} seats: {} sold to {} buyers, {} free\n", Concert::kSeats, sold.load(), kBuyers, free);
  fmt::print("at the first counter: {} commits, {} conflicts\n", done.commits, done.conflicts);
  const bool right = !oversold && free == 0 && sold == Concert::kSeats;
  fmt::print("{}\n", right ? "Every seat is sold once." : "The tickets do NOT add up.");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
