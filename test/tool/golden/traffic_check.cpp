#include <chrono>

#include "entities/strategies/traffic.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(traffic) {
  using traffic::Page;

  constexpr auto sharded = autoshard::Traits<Page>::sharded_properties();
  constexpr auto clicks = std::get<0>(sharded);
  static_assert(clicks.name == "clicks" && clicks.window.last == 86'400 && clicks.window.bucket == 3'600);
  static_assert(clicks.known_fold == autoshard::Fold::kSum && clicks.shards.most == 4);
  constexpr auto all_clicks = std::get<1>(sharded);
  static_assert(all_clicks.window.last == 0 && all_clicks.window.bucket == 0);
  constexpr auto requests = std::get<2>(sharded);
  static_assert(requests.window.last == 60 && requests.window.bucket == 1);
  static_assert(requests.shards.kind == autoshard::Shards::Kind::kAdaptive && requests.shards.most == 8);
  CHECK(requests.replaced == &Page::Shard::replaced_requests_);
  constexpr auto slowest = std::get<3>(sharded);
  static_assert(slowest.window.last == 604'800 && slowest.window.bucket == 604'800);
  static_assert(slowest.known_fold == autoshard::Fold::kMaximum);
  constexpr auto users = std::get<4>(sharded);
  static_assert(users.window.last == 5'400 && users.window.bucket == 300);

  autoshard::MemoryStore store;
  autoshard::MapperOptions options;
  options.clock = [] {
    return std::chrono::sys_days{std::chrono::days{20'000}};
  };  // no bucket ends meanwhile
  autoshard::Mapper mapper{store, options};
  Page page{"/index"};
  page.click("ann");
  page.serve(20);
  mapper.save(page);
  mapper.apply<&Page::click>("/index", "bob");
  mapper.apply<&Page::serve>("/index", 30);
  auto loaded = mapper.load<Page>("/index");
  CHECK(loaded->clicks() == 2 && loaded->allClicks() == 2);
  CHECK(loaded->requests() == 2 && loaded->slowest() == 30);
  CHECK((loaded->users() == std::set<std::string>{"ann", "bob"}));
  mapper.apply<&Page::forgive>("/index");
  mapper.apply<&Page::serve>("/index", 5);
  loaded = mapper.load<Page>("/index");
  CHECK(loaded->requests() == 1 && loaded->slowest() == 30);
}
