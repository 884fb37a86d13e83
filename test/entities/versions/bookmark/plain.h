// The version of the class Bookmark before it had indexes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace reading {

class [[autoshard::entity("Bookmark")]] PlainBookmark {
 public:
  explicit PlainBookmark(int number) : number_(number) {}

  int number() const { return number_; }

  std::string title;
  std::vector<std::string> tags;
  std::set<std::uint16_t> years;
  std::map<std::string, int> votes;
  std::array<unsigned char, 4> hash{};   // a key as a whole
  std::array<unsigned char, 4> marks{};  // each of them is a key

 private:
  [[autoshard::id]] int number_;
};

}  // namespace reading
