// Entities that refer to each other by their ids.
#pragma once

#include <autoshard/ref.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace blog {

struct Author;

struct CommentId {
  int number = 0;
  bool operator==(const CommentId&) const = default;
};

class [[autoshard::entity]] Comment {
 public:
  Comment(CommentId id, std::string author) : id_(id), author_(std::move(author)) {}
  void answer(const Comment& other) { answers_.emplace_back(other.id_); }
  const auto& author() const { return author_; }
  const auto& answers() const { return answers_; }

 private:
  [[autoshard::id]] CommentId id_;
  autoshard::Ref<Author, std::string> author_;
  std::vector<autoshard::Ref<Comment, CommentId>> answers_;
};

struct [[autoshard::entity]] Author {
  [[autoshard::id]] std::string name;
  std::optional<autoshard::Ref<Comment, CommentId>> newest = {};
};

}  // namespace blog
