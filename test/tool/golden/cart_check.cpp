#include "entities/types/cart.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(cart) {
  using shop::Cart;
  using shop::Country;
  using shop::CustomerId;

  static_assert(std::is_same_v<autoshard::Traits<Cart>::Id, std::tuple<CustomerId, int, Country>>);
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Cart first{Country::kGermany, {"ann"}, 1};
  first.gift_for = {"bob"};
  mapper.save(first);
  mapper.save(Cart{Country::kGermany, {"ann"}, 2});
  mapper.save(Cart{Country::kAustria, {"ann"}, 1});

  mapper.apply<&Cart::add>({{"ann"}, 1, Country::kGermany}, 3);
  const autoshard::Traits<Cart>::Id id{CustomerId{"ann"}, 1, Country::kGermany};
  mapper.apply<&Cart::add>(id, 4);
  mapper.update<Cart>({{"ann"}, 2, Country::kGermany}, [](auto& cart) { cart.add(1); });
  const auto loaded = mapper.load<Cart>({{"ann"}, 1, Country::kGermany});
  CHECK(loaded && loaded->pieces() == 7 && loaded->customer().text == "ann" && loaded->number() == 1);
  CHECK(loaded->country() == Country::kGermany && loaded->gift_for.text == "bob");
  CHECK(mapper.load<Cart>({{"ann"}, 2, Country::kGermany})->pieces() == 1);
  CHECK(mapper.load<Cart>({{"ann"}, 1, Country::kAustria})->pieces() == 0);
  CHECK(!mapper.load<Cart>({{"bob"}, 1, Country::kGermany}));

  mapper.transact([&](autoshard::EntityTransaction& transaction) {
    transaction.apply<&Cart::add>({{"ann"}, 1, Country::kGermany}, 1);
    CHECK(transaction.load<Cart>(id)->pieces() == 8);
    CHECK(transaction.erase<Cart>({{"ann"}, 2, Country::kGermany}));
  });
  CHECK(mapper.load<Cart>(id)->pieces() == 8);
  CHECK(!mapper.exists<Cart>({{"ann"}, 2, Country::kGermany}));
  CHECK(mapper.erase<Cart>(id) && !mapper.exists<Cart>(id));
  CHECK(mapper.exists<Cart>({{"ann"}, 1, Country::kAustria}));

  mapper.save(shop::Session{.id = {{1, 0, 255}}, .user = "ann"});
  CHECK(mapper.load<shop::Session>({{1, 0, 255}})->user == "ann");
  CHECK(!mapper.load<shop::Session>({{1, 0, 254}}));
}
