#include "basket.h"

#include <utility>

namespace {

long pieces_of(int count, const std::string& unit) { return unit == "dozen" ? 12L * count : count; }

}  // namespace

namespace shop {

Basket::Basket(std::string customer) : customer_(std::move(customer)) {}

long Basket::put(int count, const std::string& unit_of_count) {
  const long pieces = pieces_of(count, unit_of_count);
  pieces_ += pieces;  // never less than before
  return pieces;
}

long Basket::pieces() const { return pieces_; }

long Basket::add(long x, long y) { return x + y; }

}  // namespace shop
