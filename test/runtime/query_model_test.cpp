// Queries next to a filter over a model, and beside writers.

#include <autoshard/admin.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "query_fixture.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;

// What a query is compared with.
struct Model {
  std::string code, title;
  int year;
  long viewers;
  int best;
};

/// Of bytes that sort in extreme places; many begin with others, or are equal.
std::string any_title(std::mt19937_64& generator) {
  constexpr std::string_view kBytes("x\0\xFF", 3);
  std::string title(below(generator, 3), 'x');
  for (std::size_t more = below(generator, 3); more > 0; --more) title += kBytes[below(generator, 3)];
  return title;
}

class QueryModelTest : public QueryTest {
 protected:
  template <class Film>
  void compare_with_a_filter();
};

template <class Film>
void QueryModelTest::compare_with_a_filter() {
  using f = Fields<Film>;
  std::mt19937_64 generator = seeded_generator();
  std::vector<Model> models;
  Mapper random(*store_, {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 0ms});
  for (std::size_t i = 0; i < 60; ++i) {
    Model& model = models.emplace_back();
    model = {.code = std::to_string(below(generator, 1000)) + '/' + std::to_string(i),
             .title = any_title(generator),
             .year = static_cast<int>(below(generator, 5)) - 2,
             .viewers = 0,
             .best = 0};
    Film added(model.code);
    added.title = model.title;
    added.year = model.year;
    random.save(added);
    for (std::size_t updates = below(generator, 6); updates > 0; --updates) {
      const long by = static_cast<long>(below(generator, 5)) - 2;
      random.apply<&Film::view>(model.code, by);
      model.viewers += by;
      const int points = static_cast<int>(below(generator, 4));
      random.apply<&Film::rate>(model.code, points);
      model.best = std::max(model.best, points);
    }
    if (below(generator, 40) == 0) admin::refresh_indexes<Film>(random);  // those of later ones stay dirty
  }
  std::ranges::sort(models, {}, &Model::code);

  struct Both {
    Condition<Film> condition;
    std::function<bool(const Model&)> test;
  };
  const auto leaf = [&]() -> Both {
    const int number = static_cast<int>(below(generator, 5)) - 2;
    const std::string text = any_title(generator);
    const std::string code = models[below(generator, models.size())].code;
    switch (below(generator, 11)) {
      case 10:
        return {f::best == number, [=](const Model& model) { return model.best == number; }};
      case 0:
        return {f::year == number, [=](const Model& model) { return model.year == number; }};
      case 1:
        return {f::viewers < number, [=](const Model& model) { return model.viewers < number; }};
      case 2:
        return {f::best >= number, [=](const Model& model) { return model.best >= number; }};
      case 3:
        return {f::title <= text, [=](const Model& model) { return model.title <= text; }};
      case 4:
        return {f::title.starts_with(text),
                [=](const Model& model) { return model.title.starts_with(text); }};
      case 5:
        return {f::code > code, [=](const Model& model) { return model.code > code; }};
      case 6:
        return {f::code == code, [=](const Model& model) { return model.code == code; }};
      case 7:
        return {f::title == text, [=](const Model& model) { return model.title == text; }};
      case 8:
        return {f::year.in({number, 1, number}),
                [=](const Model& model) { return model.year == number || model.year == 1; }};
      default:
        return {f::viewers.between(-1, number),
                [=](const Model& model) { return model.viewers >= -1 && model.viewers <= number; }};
    }
  };
  const std::function<Both(int)> tree = [&](int depth) -> Both {
    const std::size_t kind = depth == 0 ? 0 : below(generator, 4);
    if (kind == 0) return leaf();
    const Both one = tree(depth - 1), other = tree(depth - 1);
    if (kind == 1) {
      return {one.condition && other.condition,
              [=](const Model& model) { return one.test(model) && other.test(model); }};
    }
    if (kind == 2) {
      return {one.condition || other.condition,
              [=](const Model& model) { return one.test(model) || other.test(model); }};
    }
    return {!one.condition, [=](const Model& model) { return !one.test(model); }};
  };
  for (int i = 0; i < 300; ++i) {
    const Both both = tree(3);
    std::vector<Model> expected;
    std::ranges::copy_if(models, std::back_inserter(expected), both.test);
    Query<Film> query = mapper_.query<Film>(both.condition);
    bool is_in_any_order = false;
    switch (below(generator, 11)) {
      case 0:
        is_in_any_order = std::same_as<Film, IndexedFilm>;  // of which index, is for the plan to choose
        break;
      case 7:
        query = query.order_by(f::code, f::year.desc());
        break;
      case 10:
        query = query.order_by(f::viewers.desc());
        std::ranges::stable_sort(expected, std::greater<>(), &Model::viewers);
        break;
      case 8:
        query = query.order_by(f::viewers);
        std::ranges::stable_sort(expected, {}, &Model::viewers);
        break;
      case 9:
        query = query.order_by(f::best.desc());
        std::ranges::stable_sort(expected, std::greater<>(), &Model::best);
        break;
      case 1:
        query = query.order_by(f::year);
        std::ranges::stable_sort(expected, {}, &Model::year);
        break;
      case 2:
        query = query.order_by(f::year.desc());
        std::ranges::stable_sort(expected, std::greater<>(), &Model::year);
        break;
      case 3:
        query = query.order_by(f::title, f::year);
        std::ranges::stable_sort(expected, [](const Model& one, const Model& other) {
          return std::tie(one.title, one.year) < std::tie(other.title, other.year);
        });
        break;
      case 4:
        query = query.order_by(f::title.desc(), f::year.desc());
        std::ranges::stable_sort(expected, [](const Model& one, const Model& other) {
          return std::tie(one.title, one.year) > std::tie(other.title, other.year);
        });
        break;
      case 5:
        query = query.order_by(f::viewers.desc(), f::title);
        std::ranges::stable_sort(expected, [](const Model& one, const Model& other) {
          return std::tuple(-one.viewers, one.title) < std::tuple(-other.viewers, other.title);
        });
        break;
      default:
        query = query.order_by(f::title.desc(), f::best);
        std::ranges::stable_sort(expected, [](const Model& one, const Model& other) {
          return one.title != other.title ? one.title > other.title : one.best < other.best;
        });
    }
    std::vector<std::string> expected_codes, paged;
    for (const Model& model : expected) expected_codes.push_back(model.code);
    std::vector<std::string> found = codes(query);
    const std::vector<std::string> in_its_order = found;
    if (is_in_any_order) std::ranges::sort(found);
    ASSERT_EQ(found, expected_codes) << query.explain();
    query = query.limit(1 + below(generator, 20));
    std::string cursor;
    do {
      const Page<Film> page = query.after(cursor).page();
      for (const Film& row : page.rows) paged.push_back(row.code());
      cursor = page.cursor;
    } while (!cursor.empty());
    ASSERT_EQ(paged, in_its_order) << query.explain();
  }
}

TEST_P(QueryModelTest, AnswersAsABruteForceFilterDoes) { compare_with_a_filter<Film>(); }
TEST_P(QueryModelTest, AnswersTheSameOverIndexes) { compare_with_a_filter<IndexedFilm>(); }

class ConcurrentQueryTest : public QueryTest {
 protected:
  template <class Film>
  void answer_from_one_state();
};

template <class Film>
void ConcurrentQueryTest::answer_from_one_state() {
  using f = Fields<Film>;
  constexpr int kFilms = 20;
  for (int i = 0; i < kFilms; ++i) {
    Film added(std::to_string(i));
    added.year = 100;
    mapper_.save(added);
  }
  std::atomic<bool> stop{false};
  std::thread writer([&, generator = seeded_generator()]() mutable {
    while (!stop) {
      const std::string from = std::to_string(below(generator, kFilms)),
                        to = std::to_string(below(generator, kFilms));
      if (from == to) continue;
      mapper_.transact([&](EntityTransaction& transaction) {
        Film one = transaction.load<Film>(from).value(), other = transaction.load<Film>(to).value();
        --one.year;
        ++other.year;
        transaction.save(one);
        transaction.save(other);
      });
      mapper_.apply<&Film::view>(from, 1L);
    }
  });
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 60; ++i) {
    const int limit = 90 + static_cast<int>(below(generator, 20));
    const Condition<Film> conditions[] = {Condition<Film>(), f::year > -100'000,
                                          f::year < limit || f::year >= limit};
    const Query<Film> query = mapper_.query<Film>(conditions[below(generator, 3)]);
    int years = 0, films = 0;
    for (const auto& [year] : query.select(f::year)) {
      years += year;
      ++films;
    }
    EXPECT_EQ(films, kFilms) << query.explain();
    EXPECT_EQ(years, 100 * kFilms) << query.explain();
    const auto sorted = query.order_by(f::year.desc());
    const Page<Film> most = sorted.page();
    EXPECT_EQ(most.rows.size(), static_cast<std::size_t>(kFilms)) << sorted.explain();
    EXPECT_TRUE(std::ranges::is_sorted(most.rows, std::greater<>(), &Film::year)) << sorted.explain();
    for (const Film& film : mapper_.query<Film>(f::year < limit)) EXPECT_LT(film.year, limit);
  }
  stop = true;
  writer.join();
}

TEST_P(ConcurrentQueryTest, AnswersFromOneState) { answer_from_one_state<Film>(); }
TEST_P(ConcurrentQueryTest, AnswersFromOneStateOverIndexes) { answer_from_one_state<IndexedFilm>(); }

INSTANTIATE_TEST_SUITE_P(Stores, QueryModelTest, ::testing::ValuesIn(all_stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, ConcurrentQueryTest, ::testing::ValuesIn(stores_for_threads()), store_name);

}  // namespace
}  // namespace autoshard::test
