#include "entities/strategies/show.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(show) {
  using theatre::Show;

  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Show show{"Hamlet"};
  show.rate(4);
  show.book(2);
  show.tag("Danish");
  mapper.save(show);
  show.like();
  show.view(3);
  mapper.save(show);
  mapper.apply<&Show::like>("Hamlet");
  mapper.apply<&Show::view>("Hamlet", 1);
  mapper.apply<&Show::book>("Hamlet", 5);
  mapper.apply<&Show::cancel>("Hamlet", 1);
  auto loaded = mapper.load<Show>("Hamlet");
  CHECK(loaded->likes() == 2);
  CHECK(loaded->views() == 4);
  CHECK(loaded->booked() == 6);
  CHECK(loaded->stars() == 4 && loaded->ratings() == 1);

  // What is replaced is gone from the object at once, and the shard says so.
  CHECK(&loaded->resetViews(10) == &*loaded);
  loaded->view();
  CHECK(loaded->views() == 11);
  loaded->resetRatings();
  CHECK(loaded->stars() == 0 && loaded->ratings() == 0);
  CHECK(loaded->startWith(3) == 6);
  CHECK(loaded->stars() == 6);

  mapper.save(*loaded);
  mapper.apply<&Show::untag>("Hamlet");
  mapper.apply<&Show::tag>("Hamlet", "sold out");
  mapper.apply<&Show::rate>("Hamlet", 1);
  loaded = mapper.load<Show>("Hamlet");
  CHECK(loaded->views() == 11);
  CHECK(loaded->stars() == 7 && loaded->ratings() == 1);
  CHECK(loaded->tags() == Show::Tags{"sold out"});
  bool is_full = false;
  try {
    mapper.apply<&Show::book>("Hamlet", Show::kSeats - 5);
  } catch (const autoshard::BoundExceeded&) {
    is_full = true;
  }
  CHECK(is_full && mapper.load<Show>("Hamlet")->booked() == 6);
  mapper.apply<&Show::book>("Hamlet", Show::kSeats - 6);

  Show::Shard shard;
  shard.rate(2);
  CHECK(!shard.replaced_stars_ && !shard.replaced_ratings_);
  shard.startWith(1);
  CHECK(shard.stars_ == 2 && shard.replaced_stars_ && shard.replaced_ratings_);
  CHECK(!shard.replaced_views_);
  shard.resetViews(3);
  shard.view(2);
  CHECK(shard.views_ == 5 && shard.replaced_views_);
  CHECK(Show::Shard::min_booked_() == 0 && Show::Shard::max_booked_() == 200);
  CHECK(Show::Shard::min_balance_() == -5);

  const auto [likes, tags, views, booked, balance, stars, ratings] =
      autoshard::Traits<Show>::sharded_properties();
  CHECK(likes.shards.kind == autoshard::Shards::Kind::kDynamic && likes.replaced == nullptr);
  CHECK(views.shards.kind == autoshard::Shards::Kind::kAdaptive && views.shards.most == 64);
  CHECK(booked.shards.least == 2 && booked.shards.most == 16 && booked.maximum() == 200);
  CHECK(balance.minimum() == -5 && balance.maximum == nullptr);
  CHECK(stars.shards.kind == autoshard::Shards::Kind::kStatic &&
        stars.replaced == &Show::Shard::replaced_stars_);
  static_cast<void>(tags);
  static_cast<void>(ratings);
}
