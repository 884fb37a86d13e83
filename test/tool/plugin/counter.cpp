// An application: annotated classes in a header and in its own file.
#include "counter.h"

#include <autoshard/autoshard.h>

#include <cstdio>

namespace app {

/// Stands behind what it is declared by.
class Visit;
int visits(autoshard::Mapper& mapper);

class [[autoshard::entity]] Visit { public:
  explicit Visit(int id) : id_(id) {}
  [[autoshard::shard_method]] Visit& count(int n) { visits_ += n; return *this; } int visits() const { return visits_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int visits_ = 0;
}; constexpr int kLineOfBrace = __LINE__;

int visits(autoshard::Mapper& mapper) {
  mapper.save(Visit{1});
  mapper.update<Visit>(1, [](auto& visit) { visit.count(1).count(2); });
  return mapper.load<Visit>(1)->visits();
}

}  // namespace app

int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(metrics::Counter{"a"});
  mapper.apply<&metrics::Counter::add>("a", 4, 5);
  auto counter = mapper.load<metrics::Counter>("a");
  const int line_in_body = counter->add(1);
  counter->increment();
  mapper.save(*counter);
  std::printf("counts %d %d\n", mapper.load<metrics::Counter>("a")->count(), app::visits(mapper));
  std::printf("lines %d %d %d %d %d\n", line_in_body, metrics::Counter::line(), metrics::line_behind(),
              app::kLineOfBrace, __LINE__);
  std::printf("file %s\n", __FILE__);
}
