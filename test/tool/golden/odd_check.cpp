#include "check.h"
#include "odd.autoshard.h"

int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  odd::Neighbour neighbour;
  mapper.save(neighbour);
  mapper.apply<&odd::Neighbour::up>(0);
  CHECK(mapper.load<odd::Neighbour>(0)->votes() == 1);
}
