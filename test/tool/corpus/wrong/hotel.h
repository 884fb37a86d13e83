#pragma once
#include <functional>
#include <string>

namespace hotel {

/// What all that can be booked have in common.
class [[autoshard::mapped]] Bookable {
 public:
  [[autoshard::shard_method]] void booked() { ++bookings_; }  // expect: autoshard-part-members
  int bookings() const { return bookings_; }

 private:
  int bookings_ = 0;
};

class [[autoshard::entity("HotelRoom")]] Room : public Bookable {
 public:
  explicit Room(int number) : number_(number) {}

 private:
  [[autoshard::id]] int number_;
  bool has_balcony_ = false;
};

}  // namespace hotel
