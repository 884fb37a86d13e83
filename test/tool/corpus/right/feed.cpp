#include "feed.h"

namespace feed {

void Post::Like() { ++likes_; }

void Post::Unlike() { --likes_; }

void Post::Comment(const std::string& text) { comments_.push_back(text); }

void Post::SeenBy(UserId user) { seen_by_.insert(user); }

// A moderator's word counts.
void Post::SetLikes(int64_t likes) { likes_ = likes; }

void Post::DropComments() {
  std::vector<std::string> none;
  comments_.swap(none);
}

std::vector<std::string> Post::Join(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::string> all = one;
  all.insert(all.end(), other.begin(), other.end());
  return all;
}

}  // namespace feed
