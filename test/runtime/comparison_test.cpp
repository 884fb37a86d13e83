// What conditions compare: types that are not the same, values that may be missing, structs of one value.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "entities/indexes/offer.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using market::Money;
using market::Offer;
using market::OfferId;
using q = Fields<Offer>;

class ComparisonTest : public StoreTest {
 protected:
  void add(int number, const std::function<void(Offer&)>& fill) {
    Offer offer(OfferId{number});
    fill(offer);
    mapper_.save(offer);
  }
  template <class Query>
  static std::vector<int> numbers(const Query& query) {
    std::vector<int> numbers;
    for (const Offer& offer : query) numbers.push_back(offer.id.number);
    return numbers;
  }
  std::vector<int> numbers(const Condition<Offer>& condition) {
    return numbers(mapper_.query<Offer>(condition));
  }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, ComparisonTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ComparisonTest, OptionalIntegersCompareByValue) {
  static constexpr unsigned kLarge = 4'000'000'000;  // as an int, negative
  add(1, [](Offer& offer) { offer.stars = 5; });
  add(2, [](Offer& offer) {
    offer.stars = kLarge;
    offer.rank = static_cast<int>(kLarge);
  });
  add(3, [](Offer& offer) { offer.rank = -1; });
  add(4, [](Offer& offer) {
    offer.stars = 7;
    offer.rank = 7;
  });
  EXPECT_THAT(numbers(q::stars > -1), ElementsAre(1, 2, 4));
  EXPECT_THAT(numbers(q::stars == static_cast<int>(kLarge)), IsEmpty());
  EXPECT_THAT(numbers(q::stars.in({-1, 5})), ElementsAre(1));
  EXPECT_THAT(numbers(q::stars == q::rank), ElementsAre(4));
  EXPECT_THAT(numbers(q::stars >= q::rank), ElementsAre(1, 2, 4));
  EXPECT_THAT(numbers(q::rank == kLarge), IsEmpty());
}

TEST_P(ComparisonTest, NothingIsLessThanAnyValue) {
  add(1, [](Offer& offer) { offer.rank = std::numeric_limits<int>::min(); });
  add(2, [](Offer&) {});
  EXPECT_THAT(numbers(q::rank < 0), ElementsAre(1, 2));
  EXPECT_THAT(numbers(q::rank < std::numeric_limits<int>::min()), ElementsAre(2));
  EXPECT_THAT(numbers(q::rank >= std::numeric_limits<int>::min()), ElementsAre(1));
  EXPECT_THAT(numbers(q::rank == std::nullopt), ElementsAre(2));
  EXPECT_THAT(numbers(q::rank != nullptr), ElementsAre(1));
  EXPECT_THAT(numbers(q::rank == q::stars), ElementsAre(2));
}

TEST_P(ComparisonTest, AStructOfOneValueComparesByItOverAnIndexToo) {
  for (const int number : {1, 2, 3, 4})
    add(number, [&](Offer& offer) { offer.price.cents = number == 4 ? -5 : number % 2; });
  EXPECT_THAT(numbers(q::price == Money{1}), ElementsAre(1, 3));
  EXPECT_THAT(numbers(q::price < Money{1}), ElementsAre(4, 2));  // as the index has them
  EXPECT_THAT(numbers(!!(q::price < Money{1})), ElementsAre(2, 4));
  EXPECT_THAT(mapper_.query<Offer>(q::price == Money{1}).explain(),
              HasSubstr("where price == 1\n  index price: its entries"));
  const auto sorted = mapper_.query<Offer>().order_by(q::price.desc());
  EXPECT_THAT(numbers(sorted), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(sorted.explain(), HasSubstr("index price"));
}

TEST_P(ComparisonTest, AnIdThatIsAStructIsLookedUp) {
  for (const int number : {1, 2, 3}) add(number, [](Offer&) {});
  EXPECT_THAT(numbers(q::id == OfferId{2}), ElementsAre(2));
  EXPECT_THAT(numbers(q::id >= OfferId{2}), ElementsAre(2, 3));
  EXPECT_THAT(mapper_.query<Offer>(q::id == OfferId{2}).explain(), HasSubstr("whose id can match"));
}

TEST_P(ComparisonTest, NumbersAreWrittenSoThatNoOtherIsMeant) {
  for (const int number : {1, 2, 3}) add(number, [&](Offer& offer) { offer.weight = number * 1e-10; });
  const auto query = mapper_.query<Offer>(q::weight < 1e-8);
  EXPECT_THAT(query.explain(), HasSubstr("weight < 1e-08\n"));
  EXPECT_THAT(mapper_.query<Offer>(q::weight < 0.1).explain(), HasSubstr("weight < 0.1\n"));
  EXPECT_THAT(mapper_.query<Offer>(q::rank < 5).explain(), HasSubstr("rank < 5\n"));
  const std::string cursor = query.limit(1).page().cursor;
  EXPECT_THAT(numbers(query.after(cursor)), ElementsAre(2, 3));
  EXPECT_THROW(numbers(mapper_.query<Offer>(q::weight < 2e-10).after(cursor)), InvalidCursor);
}

// A null pointer is no text, and not every value that a variant can be made of is one of its own.
static_assert(!detail::ComparesWith<std::string, std::nullptr_t>);
static_assert(!detail::ComparesWith<std::variant<int, std::string>, const char*>);
static_assert(detail::ComparesWith<std::optional<std::string>, const char*>);
static_assert(detail::ComparesWith<std::optional<std::string>, std::nullptr_t>);

}  // namespace
}  // namespace autoshard::test
