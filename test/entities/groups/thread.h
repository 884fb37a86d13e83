// Collections whose elements are records of their own, indexes, hooks and an end of life.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace forum {

struct Response {
  std::string text;
  std::string author;

  friend bool operator==(const Response&, const Response&) = default;
};

class [[autoshard::mapped]] Stamped {
 public:
  std::chrono::sys_seconds changed() const { return changed_; }

 protected:
  [[autoshard::index]] std::chrono::sys_seconds changed_;
};

class [[autoshard::entity]] [[autoshard::sharded_index(name = ByBoard, key = board_, order = changed_, shards = 10)]]
[[autoshard::sharded_index(name = ByAuthor, key = (author_, board_), order = number_, shards = 1)]] Thread : public Stamped {
 public:
  Thread(long number, std::string author, std::string board)
      : number_(number), author_(std::move(author)), board_(std::move(board)) {}

  [[autoshard::shard_method]] void respond(Response response) {
    if (response.text.empty()) return;
    responses_.push_back(std::move(response));
    ++answers_;
  }
  [[autoshard::shard_method]] void tag(const std::string& name) { tags_.insert(name); }
  [[autoshard::shard_method]] void note(int page, std::string text) { notes_[page] = std::move(text); }

  std::size_t responses() const { return responses_.size(); }
  const std::set<std::string>& tags() const { return tags_; }
  const std::string& author() const { return author_; }

  bool loaded = false;

 private:
  [[autoshard::before_save]] void stamp() { changed_ += std::chrono::seconds{1}; }
  [[autoshard::after_load]] void mark() { loaded = true; }
  [[autoshard::after_load]] void shorten() noexcept { title_.resize(title_.size() / 2); }

  [[autoshard::id]] long number_;
  [[autoshard::index]] std::string author_;
  std::string board_;
  [[autoshard::index(unique)]] std::string title_;
  [[autoshard::expires]] std::optional<std::chrono::system_clock::time_point> until_;
  [[autoshard::shard_group(shards = 8)]] std::vector<Response> responses_;
  [[autoshard::shard_group(shards = 2)]] std::set<std::string> tags_;
  [[autoshard::shard_group(shards = 1)]] std::map<int, std::string> notes_;
  [[autoshard::index(staleness = 5), autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int answers_ = 0;
};

// No class with constructors, and so without a friend, unless a hook is private.
struct [[autoshard::entity]] [[autoshard::sharded_index(name = ByDay, key = day, order = id, shards = 3)]] Visit {
  [[autoshard::id]] int id;
  int day;

 private:
  [[autoshard::before_save]] void check() const {}
};

}  // namespace forum
