#include "usage_cost.h"

#include <autoshard/detail/id.h>
#include <autoshard/mapper.h>
#include <autoshard/memory_store.h>

#include <memory>

#include "entities/forms/question.autoshard.h"
#include "usage.h"

namespace autoshard::bench {
namespace {

using moderator::Question;

constexpr int kQuestions = 1'000;  // more than statistics are kept of

/// What one thread can do within a second, and so what a window has at most for each.
constexpr int kUpdatesInWindow = 2'000'000;

struct Memory {
  Memory() {
    for (int id = 0; id < kQuestions; ++id) mapper.save(Question{id, "", ""});
  }

  void apply() { mapper.apply<&Question::voteUp>(next = (next + 617) % kQuestions); }

  MemoryStore store;
  Mapper mapper{store};
  int next = 0;
};

struct Recording {
  Recording() {
    for (int id = 0; id < kQuestions; ++id) keys.push_back(detail::entity_key("Question", id));
  }

  void put() {
    next = (next + 617) % kQuestions;
    usage.put({.entity = keys[static_cast<std::size_t>(next)],
               .name = "votes",
               .shards = 10,
               .allowed = adaptive(1, 64)});
    if (++updates % kUpdatesInWindow == 0) usage.close_window(std::chrono::seconds(1));
  }

  std::vector<detail::EntityKey> keys;
  detail::Usage usage;
  int next = 0, updates = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::function<void()>>> usage_operations() {
  return {{"autoshard-memory-apply", [memory = std::make_shared<Memory>()] { memory->apply(); }},
          {"autoshard-usage", [recording = std::make_shared<Recording>()] { recording->put(); }}};
}

}  // namespace autoshard::bench
