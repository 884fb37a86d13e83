// A mapper of static storage with all that it uses, and static objects that are destroyed before it and after
// it. CTest runs this program once for every store and durability. It fails if an update that was
// acknowledged is not there in the end. A use of a destroyed object is reported by AddressSanitizer; without
// it, the memory that is given back is overwritten, so that the use ends the program.

#include <autoshard/autoshard.h>
#include <autoshard/memory_cache.h>
#include <autoshard/memory_store.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "entities/versions/talk/talk.autoshard.h"
#include "support/temporary_folder.h"
#ifdef AUTOSHARD_TEST_ROCKSDB
#include <autoshard/rocksdb_store.h>
#endif
#ifdef AUTOSHARD_TEST_MYSQL
#include <autoshard/mysql_store.h>

#include "mariadb_server.h"
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifndef __SANITIZE_ADDRESS__
void* operator new(std::size_t size) {
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

/// The memory is not used again, so that it keeps these bytes.
void operator delete(void* memory) noexcept {
  if (memory) std::memset(memory, 0xDB, malloc_usable_size(memory));
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* const memory = std::aligned_alloc(static_cast<std::size_t>(alignment), size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { operator delete(memory); }
#endif

namespace {

using autoshard::Mapper;
using conference::Talk;
using namespace std::chrono_literals;

constexpr int kTalk = 7;
std::int64_t acknowledged = 0;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// At exit nobody would catch an exception.
void expect_all(autoshard::Store& store, const char* where) noexcept {
  Mapper mapper(store, {.compact_every = 0ms, .adaptive = {.window = 0ms}});
  const std::int64_t likes = mapper.load<Talk>(kTalk).value().likes();
  if (likes == acknowledged) return;
  std::printf("%s: %lld of %lld updates are there\n", where, static_cast<long long>(likes),
              static_cast<long long>(acknowledged));
  std::fflush(stdout);
  _exit(1);
}

std::unique_ptr<autoshard::Store> open_store([[maybe_unused]] const std::filesystem::path& folder) {
  [[maybe_unused]] const std::string_view store = variable("AUTOSHARD_TEST_STORE");
#ifdef AUTOSHARD_TEST_MYSQL
  if (store == "MySql") {
    static autoshard::test::RunningServer server;
    static const autoshard::MySqlOptions options =
        autoshard::test::options_of_a_new_table({server->socket()});
    return std::make_unique<autoshard::MySqlStore>(options);
  }
#endif
#ifdef AUTOSHARD_TEST_ROCKSDB
  if (store != "Memory") {
    return std::make_unique<autoshard::RocksDbStore>(
        folder / "store", autoshard::RocksDbOptions{.sync = store == "RocksDb", .minimum_free_bytes = 0});
  }
#endif
  return std::make_unique<autoshard::MemoryStore>();
}

Mapper::Options options(autoshard::SharedCache& cache) {
  const std::string_view durability = variable("AUTOSHARD_TEST_DURABILITY");
  Mapper::Options options;
  options.combine = durability != "Alone";
  if (durability == "BufferedShortly") options.durability = autoshard::durability::buffered{1ms};
  if (durability == "BufferedLong") options.durability = autoshard::durability::buffered{1h};
  options.compact_every = 1ms;
  options.adaptive.window = 1ms;
  options.cache = &cache;
  return options;
}

// The order of these objects is that of their construction; they are destroyed the other way round.

/// Opens the store again, once the one that was used is closed.
struct AfterTheStore {
  AfterTheStore() {
    open_store(folder.path());  // so that the static objects of stores are older than this one
  }
  ~AfterTheStore() {
    if (variable("AUTOSHARD_TEST_STORE") != "Memory")
      expect_all(*open_store(folder.path()), "after the store");
  }
  const autoshard::test::TemporaryFolder folder;
} after_the_store;

const std::unique_ptr<autoshard::Store> store = open_store(after_the_store.folder.path());

struct AfterTheMapper {
  ~AfterTheMapper() { expect_all(*store, "after the mapper"); }
} after_the_mapper;

autoshard::MemoryCache cache;
Mapper mapper(*store, options(cache));

void use() {
  for (int i = 0; i < 100; ++i) {
    mapper.apply<&Talk::like>(kTalk);
    ++acknowledged;
    mapper.apply<&Talk::praise>(kTalk, std::to_string(i));
  }
  autoshard::Completion completion = mapper.apply_async<&Talk::like>(kTalk);
  completion.get();
  ++acknowledged;
  mapper.update<Talk>(kTalk, autoshard::token(std::to_string(acknowledged)), [](auto& shard) {
    shard.rate(1);
    shard.like();
    shard.book(1);
  });
  ++acknowledged;
  Talk loaded = mapper.load<Talk>(kTalk).value();
  loaded.room = std::to_string(acknowledged);
  loaded.like();
  mapper.save(loaded);
  ++acknowledged;
  mapper.load<Talk>(kTalk, autoshard::cached(1s, autoshard::cached::where::shared));
  const autoshard::Condition<Talk> in_the_room =
      autoshard::Fields<Talk>::room == std::to_string(acknowledged - 1);
  if (mapper.query(in_the_room).page().rows.size() != 1) std::abort();
  for (int i = 0; i < 10; ++i) {
    mapper.apply<&Talk::like>(kTalk);  // may be in memory still when the next object is destroyed
    ++acknowledged;
  }
}

struct BeforeTheMapper {
  ~BeforeTheMapper() {
    try {
      use();
    } catch (const std::exception& error) {
      std::printf("before the mapper: %s\n", error.what());
      std::fflush(stdout);
      _exit(1);
    }
  }
} before_the_mapper;

}  // namespace

int main() {
  mapper.save(Talk(kTalk, 1000));
  use();
}
