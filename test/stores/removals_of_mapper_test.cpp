// What a mapper removes does not stay in the way of its reads.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "context.h"
#include "entities/expiry/visit.autoshard.h"
#include "entities/indexes/film.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "entity_expiry.h"
#include "expired_entities.h"
#include "removals_fixture.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using cinema::Film;
using conference::Talk;
using web::Visit;
using namespace std::chrono_literals;

/// What removes many records, and then a read that comes upon them.
struct Removing {
  std::string name;
  std::function<void(Mapper&, detail::MapperContext&)> remove;
  std::function<void(Mapper&)> read;

  friend void PrintTo(const Removing& kind, std::ostream* out) { *out << kind.name; }
};

std::vector<std::string> codes() {
  std::vector<std::string> codes;
  for (int i = 0; i < kMany; ++i) codes.push_back(std::to_string(i));
  return codes;
}

const std::vector<Removing> kRemovings = {
    {"Compaction",
     [](Mapper& mapper, detail::MapperContext&) {
       mapper.save(Flight(1));
       for (int i = 0; i < kMany; ++i) mapper.apply<&Flight::like>(1);
       ASSERT_EQ(admin::compact<Flight>(mapper, 1), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.load<Flight>(1).value().likes(), kMany); }},
    {"Erase",
     [](Mapper& mapper, detail::MapperContext&) {
       std::vector<Film> films;
       for (const std::string& code : codes()) films.emplace_back(code);
       mapper.save(films);
       ASSERT_EQ(mapper.erase<Film>(codes()), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.query<Film>().count(), 0U); }},
    {"EraseOfOne",
     [](Mapper& mapper, detail::MapperContext&) {
       mapper.save(Flight(1));
       for (int i = 0; i < kMany; ++i) mapper.apply<&Flight::like>(1);
       ASSERT_TRUE(mapper.erase<Flight>(1));
       mapper.save(Flight(1));
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.load<Flight>(1).value().likes(), 0); }},
    {"Expiry",
     [](Mapper& mapper, detail::MapperContext& context) {
       std::vector<Visit> visits;
       for (int i = 0; i < kMany; ++i) visits.emplace_back(i).next_until = std::chrono::system_clock::now();
       mapper.save(visits);
       const auto now = detail::ask_clock(context.options);
       ASSERT_EQ(detail::remove_expired_entities(context, detail::entity_type<Visit>(), now, nullptr), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.query<Visit>().count(), 0U); }},
    {"Refresh",
     [](Mapper& mapper, detail::MapperContext&) {
       std::vector<Talk> talks;
       for (int i = 0; i < kMany; ++i) talks.emplace_back(i).rate(i);
       mapper.save(talks);
       for (int i = 0; i < kMany; ++i) mapper.apply<&Talk::rate>(i, 1);
       ASSERT_EQ(admin::refresh_indexes<Talk>(mapper), kMany);
     },
     [](Mapper& mapper) {
       std::vector<int> best;
       for (const Talk& talk : mapper.query<Talk>().order_by(Fields<Talk>::score.desc()).limit(2))
         best.push_back(talk.number());
       ASSERT_EQ(best, (std::vector{kMany - 1, kMany - 2}));
     }},
};

class RemovalsOfMapperTest : public RemovalsTest, public ::testing::WithParamInterface<Removing> {};
INSTANTIATE_TEST_SUITE_P(All, RemovalsOfMapperTest, ::testing::ValuesIn(kRemovings),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(RemovalsOfMapperTest, DoNotStayInTheWayOfReads) {
  const MapperOptions options{.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}};
  Mapper mapper(*store_, options);
  detail::MapperContext context(*store_, options);
  GetParam().remove(mapper, context);
  ASSERT_FALSE(HasFatalFailure());
  const auto read = [&] { GetParam().read(mapper); };
  ASSERT_GE(passed(read), kMany);
  EXPECT_LE(passed_at_last(read), kFew);
}

}  // namespace
}  // namespace autoshard::test
