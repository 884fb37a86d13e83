// A class without sharded members.
#pragma once

#include <string>
#include <utility>

namespace shop {

class [[autoshard::entity]] Note {
 public:
  explicit Note(long number) : number_(number) {}

  void set_text(std::string text) { text_ = std::move(text); }
  const std::string& text() const { return text_; }

 private:
  [[autoshard::id]] long number_;
  std::string text_;
};

}  // namespace shop
