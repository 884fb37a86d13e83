/// The named counters of the article "Sharding counters" on Google App Engine: named on the fly, their shards
/// made when they are first written, more of them whenever that is asked for, and a total that may be a
/// minute old.

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "counter.autoshard.h"

namespace {

using namespace std::chrono_literals;
using counter::Counter;

void increment(autoshard::Mapper& mapper, const std::string& name) {
  try {
    mapper.apply<&Counter::increment>(name);
  } catch (const autoshard::NotFound&) {
    try {
      mapper.save(Counter(name));
    } catch (const autoshard::StaleEntity&) {
      // Somebody else has named it at the same time.
    }
    mapper.apply<&Counter::increment>(name);
  }
}

long get_count(autoshard::Mapper& mapper, const std::string& name) {
  const auto counter = mapper.load<Counter>(name, autoshard::cached{60s});
  return counter ? counter->count() : 0;
}

void increase_shards(autoshard::Mapper& mapper, const std::string& name, std::uint32_t shards) {
  autoshard::admin::increase_shards<Counter>(mapper, name, "count", shards);
}

bool holds(const std::string& what, long found, long expected) {
  fmt::print("{:<52} {:>7}{}\n", what, found, found == expected ? "" : "  WRONG");
  return found == expected;
}

}  // namespace

int main() {
  constexpr int kThreads = 8, kIncrements = 2'000;
  const std::vector<std::string> names = {"visits", "likes", "downloads"};
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  autoshard::Mapper elsewhere{store};  // as another process would have

  bool right = holds("a counter that nobody has named yet", get_count(mapper, "visits"), 0);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        autoshard::Mapper& own = thread % 2 == 0 ? mapper : elsewhere;
        for (int i = 0; i < kIncrements; ++i) {
          increment(own, names[static_cast<std::size_t>(i) % names.size()]);
          if (i == kIncrements / 2)
            increase_shards(own, "visits", 4 * static_cast<std::uint32_t>(thread + 1));
        }
      });
    }
  }
  long total = 0;
  for (const std::string& name : names) {
    total += mapper.load<Counter>(name).value().count();
    fmt::print("  {:<50} {:>7}\n", name, mapper.load<Counter>(name).value().count());
  }
  right &= holds("all that was counted, by 8 threads", total, kThreads * kIncrements);
  right &= holds("shards of 'visits', which never get fewer",
                 autoshard::admin::shards<Counter>(mapper, "visits", "count"), 32);

  const long seen = get_count(mapper, "likes");
  elsewhere.apply<&Counter::increment>("likes");
  right &= holds("'likes', not older than a minute", get_count(mapper, "likes"), seen);
  increment(mapper, "likes");
  right &= holds("'likes', once this process has counted on", get_count(mapper, "likes"), seen + 2);
  fmt::print("{}\n", right ? "Every increment was counted once." : "Something is WRONG.");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
