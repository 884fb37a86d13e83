#include "forum.h"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <utility>

namespace forum {
namespace {

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// As `counts[key] += by`, for a key that cannot be made from nothing.
template <typename Map, typename Key>
void add(Map& counts, const Key& key, int by) {
  const auto at = counts.try_emplace(key, 0).first;
  at->second += by;
}

}  // namespace

std::string detail::slug(const std::string& title) {
  std::string result;
  for (const char c : title) {
    if (is_plain(c)) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  return result;
}

Thread::Thread(ThreadId id, std::string title) : id_(id), title_(std::move(title)), slug_(detail::slug(title_)) {}

void Thread::answered(std::chrono::sys_seconds at, const std::string& by) {
  participants_.insert(by);
  last_answer_ = std::max(last_answer_, at);
}

void Thread::viewed(unsigned times) noexcept { views_ += times; }

void Thread::close() { open_ = false; }
bool Thread::is_open() const { return open_; }
std::size_t Thread::participants() const { return participants_.size(); }

auto Thread::unite(Names one, const Names& other) -> Names {
  one.insert(other.begin(), other.end());
  return one;
}

std::chrono::sys_seconds Thread::later(std::chrono::sys_seconds a, std::chrono::sys_seconds b) { return std::max(a, b); }

std::ostream& operator<<(std::ostream& out, const Thread& thread) {
  return out << '#' << thread.id_ << ' ' << thread.title_ << " (" << thread.slug_ << ")";
}

Post::Post(ThreadId thread, std::uint32_t number, Content content)
    : thread_(thread), number_(number), content_(std::move(content)) {}

void Post::react(Reaction with) { count(with, 1); }

void Post::react_all(const std::vector<Reaction>& with) {
  for (const Reaction reaction : with) count(reaction, 1);
}

void Post::count(Reaction which, int by) { add(reactions_, which, by); }

int Post::reactions(Reaction of) const {
  const auto found = reactions_.find(of);
  return found == reactions_.end() ? 0 : found->second;
}

void Post::edit(Content content) {
  content_ = std::move(content);
  edited_ = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
}

Post::Counts Post::sum(const Counts& one, const Counts& other) {
  Counts result = one;
  for (const auto& [reaction, count] : other) add(result, reaction, count);
  return result;
}

}  // namespace forum
