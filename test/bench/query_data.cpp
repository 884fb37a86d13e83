#include "query_data.h"

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "database.h"
#include "forum.autoshard.h"

namespace autoshard::bench {
namespace {

using forum::LogEntry;
using forum::Question;

constexpr int kMostVotes = 11;  // of a shard
constexpr std::size_t kTop = 20;
constexpr int kInMemory = 10'000;  // entities that are about to be saved

/// The votes of a shard: any, and the same each time.
int votes_of(int id, int shard) {
  std::uint64_t value =
      (static_cast<std::uint64_t>(id) * QueryData::kShards + static_cast<std::uint64_t>(shard) + 1) *
      0x9E3779B97F4A7C15;  // Fibonacci hashing
  value ^= value >> 32;
  return static_cast<int>(value * 0xD6E8FEB86659FD93 >> 40) % kMostVotes + 1;
}

void in_another_process(const std::function<void()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    try {
      work();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("cannot fill the store");
}

/// Opens a store, has it filled, and puts its files in order, so that this is not done while it is measured.
template <class Fill>
void fill(const std::filesystem::path& folder, Fill fill) {
  in_another_process([&] {
    auto database = std::make_unique<rocksdb_store::Database>(
        folder, RocksDbOptions{.sync = false, .minimum_free_bytes = 0});
    rocksdb::DB& db = database->db();
    const auto store = rocksdb_store::make_store(std::move(database));
    fill(*store);
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    if (!db.CompactRange(options, nullptr, nullptr).ok()) throw std::runtime_error("cannot compact");
  });
}

/// `make` makes the entity of a number; `then` is called with the first and the last number but one of those
/// that are saved.
template <class Make, class Then>
void save_all(Mapper& mapper, int entities, Make make, Then then) {
  for (int begin = 0; begin < entities; begin += kInMemory) {
    const int end = std::min(begin + kInMemory, entities);
    std::vector<decltype(make(0))> some;
    for (int number = begin; number < end; ++number) some.push_back(make(number));
    mapper.save(some);
    then(begin, end);
  }
}

const MapperOptions kAlone = {.compact_every = std::chrono::milliseconds(0),
                              .adaptive = {.window = std::chrono::milliseconds(0)}};

}  // namespace

QueryData::QueryData(int its_entities) : entities(its_entities) {
  for (int id = 0; id < entities; ++id) {
    int sum = 0;
    for (int shard = 0; shard < kShards; ++shard) sum += votes_of(id, shard);
    votes += static_cast<std::uint64_t>(sum);
    many += sum > kMany ? 1 : 0;
    if (top.size() == kTop && sum <= top.back()) continue;
    top.insert(std::upper_bound(top.begin(), top.end(), sum, std::greater<>()), sum);
    top.resize(std::min(top.size(), kTop));
  }
}

std::string QueryData::author(int number) const {
  return fmt::format("author {}", number % std::max(entities / kByAuthor, 1));
}

void fill_questions(const std::filesystem::path& folder, const QueryData& data) {
  fill(folder, [&](RocksDbStore& store) {
    // Made one after the other, and meeting nobody, each of these keeps to another shard.
    std::deque<Mapper> mappers;
    for (int shard = 0; shard < QueryData::kShards; ++shard) mappers.emplace_back(store, kAlone);
    const auto question = [&](int id) {
      return Question(id, "How do you plan to improve public education?", data.author(id),
                      id / QueryData::kByDay);
    };
    save_all(mappers.front(), data.entities, question, [&](int begin, int end) {
      for (int shard = 0; shard < QueryData::kShards; ++shard) {
        Mapper& mapper = mappers[static_cast<std::size_t>(shard)];
        std::vector<Completion> added;
        for (int id = begin; id < end; ++id)
          added.push_back(mapper.apply_async<&Question::add>(id, votes_of(id, shard)));
        for (Completion& one : added) one.get();
      }
    });
    admin::refresh_indexes<Question>(mappers.front());
  });
}

void fill_log(const std::filesystem::path& folder, const QueryData& data) {
  fill(folder, [&](RocksDbStore& store) {
    Mapper mapper(store, kAlone);
    // In no order of time, which the index has.
    const auto entry = [&](int number) {
      const std::int64_t time = static_cast<std::int64_t>(number) * 7919 % data.entities;
      return LogEntry(number, QueryData::kCompany, time, "signed in from another machine");
    };
    save_all(mapper, data.entities, entry, [](int, int) {});
  });
}

}  // namespace autoshard::bench
