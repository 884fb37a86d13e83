#include <autoshard/autoshard.h>
#include <autoshard/monitor.h>

using namespace autoshard;

void use(const char* path, RocksDbStore* given, MemoryStore& memory) {
  static_cast<void>(path);
  static_cast<void>(given);
  static_cast<void>(&memory);
  CODE;
}
