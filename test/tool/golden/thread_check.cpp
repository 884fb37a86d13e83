#include <type_traits>

#include "entities/groups/thread.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(thread) {
  using forum::Thread;
  using forum::Visit;
  using Traits = autoshard::Traits<Thread>;

  constexpr auto indexes = Traits::indexes();
  static_assert(std::tuple_size_v<decltype(indexes)> == 6);
  static_assert(std::get<0>(indexes).name == "ByBoard" && std::get<0>(indexes).shards == 10);
  static_assert(std::get<0>(std::get<0>(indexes).order).name == "changed");
  static_assert(std::get<0>(std::get<1>(indexes).key).name == "author");
  static_assert(std::get<1>(std::get<1>(indexes).key).name == "board");
  static_assert(std::get<2>(indexes).name == "changed" && !std::get<2>(indexes).unique);
  static_assert(std::get<3>(indexes).name == "author" && !std::get<3>(indexes).unique);
  static_assert(std::get<4>(indexes).name == "title" && std::get<4>(indexes).unique);
  static_assert(std::get<4>(indexes).staleness == 0 && std::get<5>(indexes).staleness == 5);
  static_assert(std::get<0>(std::get<5>(indexes).key).name == "answers");
  static_assert(std::is_same_v<Thread::ByBoard, autoshard::IndexOf<Thread, 0>>);
  static_assert(std::is_same_v<Thread::ByAuthor, autoshard::IndexOf<Thread, 1>>);
  static_assert(std::is_same_v<Visit::ByDay, autoshard::IndexOf<Visit, 0>>);

  constexpr auto sharded = Traits::sharded_properties();
  constexpr auto responses = std::get<0>(sharded);
  static_assert(responses.shards.kind == autoshard::Shards::Kind::kGroup && responses.shards.most == 8);
  static_assert(responses.any_order && !std::get<1>(sharded).any_order && !std::get<2>(sharded).any_order);
  static_assert(Traits::Fields::responses.name == "responses");

  Thread thread{1, "ann", "tea"};
  thread.respond({"milk first", "bob"});
  thread.respond({"", "bob"});
  thread.tag("milk");
  CHECK(thread.responses() == 1);
  CHECK(thread.tags().contains("milk"));

  Thread::Shard shard;
  CHECK((shard.*responses.value).empty());
  Traits::run<&Thread::respond>(shard, forum::Response{"no", "eve"});
  Traits::run<&Thread::note>(shard, 7, "seven");
  auto both = responses.fold(shard.*responses.value, {{"yes", "dan"}});
  CHECK(both.size() == 2 && both[0].author == "eve");
  CHECK((shard.*std::get<2>(sharded).value).at(7) == "seven");
  const auto notes = std::get<2>(sharded).fold({{7, "old"}}, {{7, "new"}});
  CHECK(notes.at(7) == "new");

  Traits::before_save(thread);
  CHECK(thread.changed() == std::chrono::sys_seconds{std::chrono::seconds{1}});
  Traits::after_load(thread);
  CHECK(thread.loaded);
  CHECK(!(thread.*Traits::kExpires).has_value());
  Visit visit{3, 4};
  autoshard::Traits<Visit>::before_save(visit);
  CHECK(visit.id == 3);
}
