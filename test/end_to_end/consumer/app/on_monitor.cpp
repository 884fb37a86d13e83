#include <autoshard/autoshard.h>
#include <autoshard/monitor.h>

#include <cstdio>

int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  const autoshard::Monitor monitor{mapper, {.port = 0}};
  std::puts(monitor.port() > 0 ? "no server is asked" : "it listens nowhere");
}
