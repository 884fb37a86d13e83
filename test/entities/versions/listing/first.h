// The first version of the class Listing: without the members that are indexed by elements.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace market {

class [[autoshard::entity("Listing")]] FirstListing {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit FirstListing(int number, std::string its_code = "") : code(std::move(its_code)), number_(number) {}

  [[autoshard::index]] std::string seller;
  [[autoshard::index(unique)]] std::string code;
  [[autoshard::expires]] std::optional<Time> until;

 private:
  [[autoshard::id]] int number_;
};

}  // namespace market
