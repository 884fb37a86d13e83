// An id that is too large for 32 bits.
#include <autoshard/autoshard.h>

#include <cstdio>

#include "till.autoshard.h"

int main() {
  constexpr market::TillId kTill = (1ULL << 40) + 1;
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(market::Till{kTill});
  mapper.apply<&market::Till::sell>(kTill, 3);
  if (mapper.load<market::Till>(1) || mapper.load<market::Till>(kTill)->sold() != 3) return 1;
  std::puts("3 sold");
}
