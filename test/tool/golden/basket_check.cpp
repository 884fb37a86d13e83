#include "entities/forms/basket.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(basket) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(shop::stock::warehouse::Shelf{1});
  CHECK(shop::stock::warehouse::deliver(mapper, 1, 3) == 6);

  CHECK(!is_known(mapper, "Ada"));
  mapper.save(Customer{.name = "Ada", .age = 36});
  CHECK(is_known(mapper, "Ada"));

  open_basket(mapper, 7, "Ada");
  CHECK(mapper.load<shop::Basket>(7)->owner == "Ada");
  mapper.save(shop::Voucher{.code = "SPRING", .cents = 500});
  mapper.save(shop::Receipt{.number = 1, .cents = 3});
  CHECK(mapper.load<shop::Voucher>("SPRING")->cents == 500);
  CHECK(mapper.load<shop::Receipt>(1)->cents == 3);
}
