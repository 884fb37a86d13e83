// A forum: what readers do to a thread, most of which commutes.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace forum {

class Thread {
 public:
  Thread(int id, std::string title) : id_(id), title_(std::move(title)) {}

  void view() { ++views_; }
  void vote(int n) { score_ += n; }
  void seen(long when) {
    if (when > last_) last_ = when;
  }
  void best(int n) { best_ = std::max(best_, n); }
  void follow(const std::string& user) { followers_.insert(user); }
  void react(const std::string& emoji, int n = 1) { reactions_[emoji] += n; }
  void reply(int post) { replies_.push_back(post); }
  void merge(const Thread& other) {
    replies_.insert(replies_.end(), other.replies_.begin(),
                    other.replies_.end());
  }
  void rename(std::string title) { title_ = std::move(title); }
  void spam() { ++spam_; }
  void reset() { spam_ = 0; }

  int views() const { return views_; }

 private:
  int id_;
  std::string title_;
  int views_ = 0, score_ = 0;
  long last_ = 0;
  int best_ = 0;
  std::set<std::string> followers_;
  std::map<std::string, int> reactions_;
  std::vector<int> replies_;
  int spam_ = 0;
};

}  // namespace forum
