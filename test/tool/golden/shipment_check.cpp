#include "entities/types/shipment.autoshard.h"
#include "golden_check.h"

template <>
struct autoshard::Codec<logistics::Money> {
  static void encode(Encoder& out, const logistics::Money& money) { out.integer(money.cents()); }
  static void decode(Decoder& in, logistics::Money& money) {
    money = logistics::Money{static_cast<long>(in.integer())};
  }
};

GOLDEN_CHECK(shipment) {
  using logistics::Money;
  using logistics::Shipment;

  static_assert(!std::is_copy_constructible_v<Shipment> && std::is_move_constructible_v<Shipment>);
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Shipment shipment{7};
  mapper.save(shipment);
  CHECK(!mapper.load<Shipment>(7)->is_filled());
  shipment.fill();
  shipment.scan("Ulm");
  mapper.save(std::move(shipment));
  mapper.apply<&Shipment::scan>(7, "Bonn");
  mapper.transact([](auto& transaction) {
    auto loaded = *transaction.template load<Shipment>(7);
    loaded.scan("Kiel");
    transaction.save(loaded);
  });
  const auto loaded = mapper.load<Shipment>(7);
  CHECK(loaded && loaded->is_filled());
  CHECK((loaded->places() == std::unordered_set<std::string>{"Bonn", "Kiel", "Ulm"}));
}
