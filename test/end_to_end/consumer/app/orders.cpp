// Says nothing of generated headers: their folder is searched before the one of the original.
#include <autoshard/autoshard.h>

#include <cstdio>

#include "model/basket.h"

int main(int, char** arguments) {
  autoshard::RocksDbStore store{arguments[1]};
  autoshard::Mapper mapper{store};
  mapper.save(shop::Basket{"Ada"});
  mapper.apply<&shop::Basket::put>("Ada", 2, "dozen");
  auto basket = mapper.load<shop::Basket>("Ada");
  if (!basket || basket->take_one().put(1) != 1) return 1;
  mapper.save(*basket);
  if (mapper.load<shop::Basket>("Ada")->pieces() != 24) return 1;
  std::puts("24 in the basket");
}
