#include "entities/forms/counter.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(counter) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  metrics::Counter counter{~0ULL};
  CHECK(counter.increment() == 1);
  CHECK(counter.increment(4) == 4);
  mapper.save(counter);
  mapper.apply<&metrics::Counter::increment>(~0ULL);
  auto loaded = mapper.load<metrics::Counter>(~0ULL);
  CHECK(loaded->increment() == 1);
  mapper.save(*loaded);
  CHECK(mapper.load<metrics::Counter>(~0ULL) == *loaded);
  CHECK(mapper.load<metrics::Counter>(~0ULL)->value() == 7);
}
