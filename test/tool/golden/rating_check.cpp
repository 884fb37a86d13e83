#include "entities/strategies/rating.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(rating) {
  using shop::catalogue::Rating;

  static_assert(autoshard::Traits<Rating>::kKind == "ProductRating");
  constexpr auto kProperties = autoshard::Traits<Rating>::sharded_properties();
  static_assert(std::get<0>(kProperties).known_fold == autoshard::Fold::kSum);
  static_assert(std::get<1>(kProperties).known_fold == autoshard::Fold::kSum);
  static_assert(std::get<2>(kProperties).known_fold == autoshard::Fold::kMaximum);
  static_assert(std::get<3>(kProperties).known_fold == autoshard::Fold::kOther);
  static_assert(std::get<4>(kProperties).known_fold == autoshard::Fold::kOther);
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(Rating{"lamp"});
  mapper.apply<&Rating::rate>("lamp", 4, "ann");
  mapper.apply<&Rating::rate>("lamp", 2, "bob");
  mapper.apply<&Rating::flag>("lamp", std::uint8_t{0x81});
  auto rating = mapper.load<Rating>("lamp");
  rating->rate(5, "ann");
  CHECK(rating->best() == 5);
  mapper.save(*rating);
  rating = mapper.load<Rating>("lamp");
  CHECK(rating->sum() == 11 && rating->count() == 3 && rating->best() == 5 && rating->flags() == 0x81);
  CHECK((rating->users() == std::set<std::string>{"ann", "bob"}));
}
