#pragma once

#include <string>
#include <utility>
#include <vector>

namespace shop {

/// Six properties of common types.
class [[autoshard::entity]] Product {
 public:
  explicit Product(int id) : id_(id) {}

  void describe(std::string name, std::string maker, std::vector<std::string> tags) {
    name_ = std::move(name);
    maker_ = std::move(maker);
    tags_ = std::move(tags);
  }
  void price(double price, int in_stock) {
    price_ = price;
    in_stock_ = in_stock;
    on_sale_ = in_stock > 0;
  }
  bool operator==(const Product&) const = default;

 private:
  [[autoshard::id]] int id_;
  std::string name_;
  std::string maker_;
  double price_ = 0;
  int in_stock_ = 0;
  bool on_sale_ = false;
  std::vector<std::string> tags_;
};

}  // namespace shop
