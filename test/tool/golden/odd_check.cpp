#include "check.h"
#include "odd.autoshard.h"

int main() {
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
  CHECK(static_cast<long>(*mapper.load<odd::Noted>(0)) == 1 + 5 + 2 + 3 + 1 + 1);
  mapper.apply<&odd::Noted::four>(0, 7);
  mapper.apply<&odd::Noted::five>(0, 5);
  mapper.update<odd::Noted>(0, [](auto& shard) { shard = 10; });
  CHECK(mapper.load<odd::Noted>(0)->votes() == 1 + 5 + 2 + 3 + 1 + 4 + 5 + 10);
}
