// Indexes of the elements of collections.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace reading {

class [[autoshard::entity("Bookmark")]] Bookmark {
 public:
  explicit Bookmark(int number) : number_(number) {}

  int number() const { return number_; }

  std::string title;
  [[autoshard::index(elements)]] std::vector<std::string> tags;
  [[autoshard::index(elements)]] std::set<std::uint16_t> years;
  [[autoshard::index(elements)]] std::map<std::string, int> votes;
  [[autoshard::index]] std::array<unsigned char, 4> hash{};             // a key as a whole
  [[autoshard::index(elements)]] std::array<unsigned char, 4> marks{};  // each of them is a key

 private:
  [[autoshard::id]] int number_;
};

}  // namespace reading
