#include "entities/types/invoice.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(invoice) {
  using billing::Invoice;
  using billing::Money;

  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Invoice invoice{7, "ann", Money{1999}};
  invoice.add(Money{5});
  mapper.save(invoice);
  mapper.apply<&Invoice::remind>(7);
  auto loaded = *mapper.load<Invoice>(7);
  CHECK(loaded.number() == 7 && loaded.revision() == 1 && loaded.owner() == "ann" && loaded.reminders() == 1);
  CHECK(loaded.total().cents() == 1999 && loaded.items().size() == 1 && loaded.items()[0].cents() == 5);
  loaded.add(Money{6});
  mapper.save(loaded);
  CHECK(mapper.load<Invoice>(7)->revision() == 2);
  CHECK(mapper.erase<Invoice>(7) && !mapper.load<Invoice>(7));
}
