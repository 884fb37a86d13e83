#include "poll.h"

namespace poll {
namespace {

/// How much a word counts.
int weight_of(const std::string& word) { return word == "really" ? 2 : 1; }

}  // namespace

Poll::Poll(int id, std::string text) : id_(id), text_(std::move(text)) {}

/// Counts one.
void Poll::voteUp() {
  // One more.
  ++votes_;
}

Poll& Poll::vote(int how_much, Reason reason) & {
#ifdef POLL_IGNORES_REASONS
  reason.weight = 1;
#endif
  votes_ += how_much * reason.weight;
  return *this;
}

Poll& Poll::vote(const std::string& word) {
  votes_ += weight_of(word);
  return *this;
}

auto Poll::say(std::string&& word, int times) -> Words::size_type try {
  words_[std::move(word)] += times;
  return static_cast<Words::size_type>(times);
} catch (...) {
  throw;
}

void Poll::operator+=(int votes) { votes_ += votes; }

void Poll::reset(int start) try {
  // From here.
  votes_ = start;
} catch (...) {
}

int Poll::votes() const { return votes_; }

int Poll::add(int x, int y) { return x + y; }

Poll::Words Poll::merge(Words x, const Words& y) {
  for (const auto& [word, times] : y) x[word] += times;
  return x;
}

}  // namespace poll

poll::Poll::Mood poll::Poll::feel(Mood mood) noexcept {
  votes_ += mood == Mood::kGood ? 1 : -1;
  return mood;
}
