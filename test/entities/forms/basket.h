// Code behind the entities, in the same header, that uses the mapper: the traits have to stand before it.
#pragma once

#include <autoshard/mapper.h>

#include <string>
#include <utility>

namespace shop::stock {
inline namespace v2 {
namespace warehouse::inline eu {

/// What is in store.
class [[autoshard::entity]] Shelf {
 public:
  explicit Shelf(int id) : id_(id) {}

  [[autoshard::shard_method]] void add(int pieces) { pieces_ += pieces; }
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }
  int pieces() const { return pieces_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int pieces_ = 0;
};

inline int deliver(autoshard::Mapper& mapper, int shelf, int pieces) {
  mapper.apply<&Shelf::add>(shelf, pieces);
  mapper.update<Shelf>(shelf, [&](auto& shard) { shard.add(pieces); });
  const auto loaded = mapper.load<Shelf>(shelf);
  return loaded ? loaded->pieces() : 0;
}

}  // namespace warehouse::inline eu
}  // namespace v2
}  // namespace shop::stock

struct [[autoshard::entity]] Customer {
  [[autoshard::id]] std::string name;
  int age = 0;
};
inline bool is_known(const autoshard::Mapper& mapper, const std::string& name) {
  return mapper.exists<Customer>(name);
}

namespace shop {

struct Basket;

struct [[autoshard::entity]] Basket {
  [[autoshard::id]] int id;
  std::string owner = {};
};

struct [[autoshard::entity]] Voucher {
  [[autoshard::id]] std::string code;
  int cents = 0;
};

}  // namespace shop

inline void open_basket(autoshard::Mapper& mapper, int id, std::string owner) {
  mapper.save(shop::Basket{.id = id, .owner = std::move(owner)});
}

// What comes last stays last.
namespace shop {

struct [[autoshard::entity]] Receipt {
  [[autoshard::id]] int number;
  int cents = 0;
};

}  // namespace shop
