// Indexes of elements before indexes of values, and an end of life.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace market {

class [[autoshard::entity]] Listing {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit Listing(int number, std::string its_code = "") : code(std::move(its_code)), number_(number) {}

  int number() const { return number_; }

  /// A record of an earlier version has the default.
  [[autoshard::index(elements)]] std::vector<std::string> tags = {"new"};
  [[autoshard::index(elements)]] std::set<int> sizes;
  [[autoshard::index]] std::string seller;
  [[autoshard::index(unique)]] std::string code;
  [[autoshard::expires]] std::optional<Time> until;

 private:
  [[autoshard::id]] int number_;
};

}  // namespace market
