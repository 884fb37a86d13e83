#pragma once
#include <functional>
#include <string>

namespace hotel {

/// What all that can be booked have in common.
// wrong:
class [[autoshard::mapped]] Bookable {
 public:
  [[autoshard::shard_method]] void booked() { ++bookings_; }
  // expect: autoshard-part-members: '[[autoshard::shard_method]]' does not work in a class that is mapped;
  //     move it to the entity
  int bookings() const { return bookings_; }

 private:
  int bookings_ = 0;
// right:
// class [[autoshard::mapped]] Bookable {
//  private:
//   int price_ = 0;
};

class [[autoshard::entity("HotelRoom")]] Room : public Bookable {
 public:
  // wrong:
  explicit Room(int number) : number_(number) {}
  // right:
  // explicit Room(int number) : number_(number) {}
  // [[autoshard::shard_method]] void booked() { ++bookings_; }

 private:
  [[autoshard::id]] int number_;
  // wrong:
  bool has_balcony_ = false;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int bookings_ = 0;
  // bool has_balcony_ = false;
};

}  // namespace hotel
