#pragma once

#include <autoshard/generated.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

/// An entity as the generator makes them, with a text for an id and several sharded properties.
namespace shop {

class Stock {
 public:
  explicit Stock(std::string article, std::int64_t pieces = 0)
      : article_(std::move(article)), pieces_(pieces) {}

  struct Shard {
    std::int64_t pieces_ = 0;
    std::set<std::string> buyers_{};

    void sell(std::int64_t pieces, std::string buyer) {
      pieces_ -= pieces;
      buyers_.insert(std::move(buyer));
    }
    void refill(std::int64_t pieces) { pieces_ += pieces; }

    static std::int64_t fold_pieces_(std::int64_t x, const std::int64_t& y) {
      // Modulo 2^64, for records that hold any numbers.
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
    }
    static std::set<std::string> fold_buyers_(std::set<std::string> x, const std::set<std::string>& y) {
      x.insert(y.begin(), y.end());
      return x;
    }
  };

  void sell(std::int64_t pieces, std::string buyer) {
    autoshard_.pending.sell(pieces, buyer);
    pieces_ -= pieces;
    buyers_.insert(std::move(buyer));
  }
  void refill(std::int64_t pieces) {
    autoshard_.pending.refill(pieces);
    pieces_ += pieces;
  }
  void set_price(double price) { price_ = price; }

  const std::string& article() const { return article_; }
  double price() const { return price_; }
  std::int64_t pieces() const { return pieces_; }
  const std::set<std::string>& buyers() const { return buyers_; }

 private:
  friend struct ::autoshard::Traits<Stock>;
  explicit Stock(::autoshard::Loading) {}

  std::string article_;
  double price_ = 1;
  std::int64_t pieces_ = 0;
  std::set<std::string> buyers_;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace shop

template <>
struct autoshard::Traits<shop::Stock> {
  using Entity = shop::Stock;
  using Shard = Entity::Shard;
  using Id = std::string;

  static constexpr std::string_view kKind = "Stock";
  static constexpr auto kId = &Entity::article_;

  static constexpr auto properties() { return std::tuple{Property{"price", &Entity::price_}}; }

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"pieces", 4, &Entity::pieces_, &Shard::pieces_, &Shard::fold_pieces_},
        ShardedProperty{"buyers", 3, &Entity::buyers_, &Shard::buyers_, &Shard::fold_buyers_},
    };
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::sell>) {
      shard.sell(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::refill>) {
      shard.refill(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of shop::Stock");
    }
  }
};
