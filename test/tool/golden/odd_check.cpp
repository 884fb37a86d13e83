#include "golden_check.h"
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // g++ says so of odd.h too, where a method is defined outside
#endif
#include "entities/forms/odd.autoshard.h"
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

GOLDEN_CHECK(odd) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  odd::Neighbour neighbour;
  mapper.save(neighbour);
  mapper.apply<&odd::Neighbour::up>(0);
  CHECK(mapper.load<odd::Neighbour>(0)->votes() == 1);

  odd::Noted noted;
  noted.one();
  noted = 5;
  mapper.save(noted);
  mapper.apply<&odd::Noted::two>(0);
  mapper.apply<&odd::Noted::three>(0);
  constexpr auto kText = &odd::Noted::operator std::string;
  mapper.apply<kText>(0);
  auto loaded = mapper.load<odd::Noted>(0);
  CHECK(static_cast<long>(*loaded) == 1);
  CHECK(loaded->votes() == 1 + 5 + 2 + 3 + 1 + 1);
  mapper.apply<&odd::Noted::four>(0, 7);
  mapper.apply<&odd::Noted::five>(0, 5);
  mapper.update<odd::Noted>(0, [](auto& shard) { shard = 10; });
  CHECK(mapper.load<odd::Noted>(0)->votes() == 1 + 5 + 2 + 3 + 1 + 4 + 5 + 10);

  odd::hidden hidden;
  hidden.one(1).two(1);
  mapper.save(hidden);
  mapper.apply<&odd::hidden::one>(0, 2);
  mapper.apply<&odd::hidden::two>(0, 3);
  mapper.apply<&odd::hidden::three>(0, 4);
  CHECK(mapper.load<odd::hidden>(0)->votes() == 1 + 2 + 2 + 6 + 4);

  odd::Places places;
  places.one(1);
  places.three(1).two(1);
  mapper.save(places);
  mapper.apply<&odd::Places::one>(0, 10);
  mapper.apply<&odd::Places::two>(0, 10);
  mapper.apply<&odd::Places::three>(0, 10);
  CHECK(mapper.load<odd::Places>(0)->votes() == 6 + 60);

  mapper.save(odd::draw{.id = 1, .draw = 7, .day = 2});
  mapper.save(odd::draw{.id = 2, .draw = 7, .day = 1});
  int before = 0;
  for (const odd::draw& draw : mapper.range<odd::draw::ByDraw>(7)) {
    CHECK(draw.day == ++before && draw.loads == 1);
  }
  CHECK(before == 2);
}
