#include <autoshard/memcached_cache.h>

#include <cstdio>

int main() {
  const autoshard::MemcachedCache cache;
  std::puts("no server is asked yet");
}
