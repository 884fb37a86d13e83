#include <sstream>

#include "entities/forms/ledger.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(ledger) {
  using books::Ledger;

  static_assert(books::kAfter == 1);
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(Ledger{Ledger::Column::kCredit});
  auto ledger = *mapper.load<Ledger>(Ledger::Column::kCredit);
  CHECK(ledger.book(5) == 5);
  CHECK(ledger.pending_receipt("abc").number == 3);
  ledger.take("ab");
  CHECK(ledger.sum() == 5 + 1 + 3 + 2);
  mapper.save(ledger);
  mapper.apply<&Ledger::pending_receipt>(Ledger::Column::kCredit, "d");
  mapper.apply<&Ledger::book>(Ledger::Column::kCredit, 1);
  const auto loaded = mapper.load<Ledger>(Ledger::Column::kCredit);
  CHECK(loaded->sum() == 11 + 1 + 2);
  std::ostringstream text;
  text << *loaded;
  CHECK(text.str() == "6" && books::Auditor::look(*loaded) == 6);
  zero(*loaded);
}
