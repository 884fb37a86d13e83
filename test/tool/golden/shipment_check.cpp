#include "check.h"
#include "shipment.autoshard.h"

using logistics::Money;
using logistics::Shipment;

template <>
struct autoshard::Codec<Money> {
  static void encode(Encoder& out, const Money& money) { out.integer(money.cents()); }
  static void decode(Decoder& in, Money& money) { money = Money{static_cast<long>(in.integer())}; }
};

int main() {
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
