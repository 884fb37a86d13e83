// Conditions of `autoshardctl scan --where`.

#include "where.h"

#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "ctl_fixture.h"

namespace autoshard::test {
namespace {

using ctl::Where;
using ::testing::HasSubstr;

const ctl::Json& ann() {
  static const ctl::Json kAnn = ctl::Json::parse(
      R"({"@id": 5, "votes": 10, "author": "Ann", "open": true, "rank": -3, "share": 0.5, "none": null,
          "big": 18446744073709551615, "least": -9223372036854775808, "tags": ["a"],
          "home": {"town": {"name": "Ulm"}}})");
  return kAnn;
}

TEST(WhereTest, Compares) {
  const std::vector<std::pair<const char*, bool>> all = {
      {"votes = 10", true},
      {"votes != 10", false},
      {"votes < 10", false},
      {"votes <= 10", true},
      {"votes > 9", true},
      {"votes >= 11", false},
      {"votes = 10.0", true},
      {"votes < 10.5", true},
      {"rank < 0", true},
      {"rank = -3", true},
      {"share >= 5e-1", true},
      {"big = 18446744073709551615", true},
      {"big > 9223372036854775807", true},
      {"big > -1", true},
      {"least < 0", true},
      {"least = -9223372036854775808", true},
      {"author = \"Ann\"", true},
      {"author < \"Bob\"", true},
      {"author>\"A\"", true},
      {"author = \"\\u0041nn\"", true},
      {"open = true", true},
      {"open != false", true},
      {"none = null", true},
      {"author != null", true},
      {"not_there = null", true},
      {"@id = 5", true},
      {"home.town.name = \"Ulm\"", true},
      {"home.town.zip = null", true},
      {"author.name = null", true},
  };
  for (const auto& [text, holds] : all) {
    EXPECT_EQ(Where(text).holds(ann()), holds) << text;
  }
}

TEST(WhereTest, ValuesOfDifferentTypesAreUnequalAndHaveNoOrder) {
  for (const char* const value : {"votes = \"10\"", "votes < \"11\"", "votes >= \"0\"", "author > 0",
                                  "open = 1", "none < 1", "not_there >= 0", "tags = \"a\"", "home = null"})
    EXPECT_FALSE(Where(value).holds(ann())) << value;
  for (const char* const value : {"votes != \"10\"", "author != 0", "open != 1", "tags != null"})
    EXPECT_TRUE(Where(value).holds(ann())) << value;
}

TEST(WhereTest, AndBindsBeforeOrAndNotBeforeBoth) {
  EXPECT_TRUE(Where("votes = 10 or votes = 1 and votes = 2").holds(ann()));
  EXPECT_FALSE(Where("(votes = 10 or votes = 1) and votes = 2").holds(ann()));
  EXPECT_TRUE(Where("not votes = 1 and votes = 10").holds(ann()));
  EXPECT_FALSE(Where("not (votes = 1 or votes = 10)").holds(ann()));
  EXPECT_TRUE(Where("not not votes = 10").holds(ann()));
  EXPECT_TRUE(Where("(open = true)and(votes = 10)and author = \"Ann\"").holds(ann()));
  EXPECT_FALSE(Where("votes = 10 and open = true and author = \"Bob\"").holds(ann()));
}

TEST(WhereTest, TellsThePlaceOfAMistake) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"", "character 1: expected the name of a member, 'not', or '('"},
      {"votes", "character 6: expected one of = != < <= > >="},
      {"votes == 3", "character 8: expected a value"},
      {"votes > ", "character 9: expected a value: a text in double quotes, a number, true, false or null"},
      {"votes > 'x'", "character 9: expected a value"},
      {"votes > \"x", "character 9: expected a value"},
      {"votes > 01", "character 9: expected a value"},
      {"votes > [1]", "character 9: expected a value"},
      {"votes > votes", "character 9: expected a value"},
      {"votes > 3 4", "character 11: expected 'and', 'or', or the end"},
      {"(votes > 3", "character 11: expected 'and', 'or', or ')'"},
      {"votes > 3)", "character 10: expected 'and', 'or', or the end"},
      {"votes > 3 and", "character 14: expected the name of a member"},
      {"3 < votes", "character 1: expected the name of a member"},
      {"true = open", "character 1: expected the name of a member: it comes before the operator"},
      {"open > true", "character 8: true, false and null have no order: write = or !="},
      {"home. = 3", "character 7: expected the name of a member"},
      {"größe ~ 3", "character 7: expected one of"},
  };
  for (const auto& [text, message] : all) {
    try {
      const Where where(text);
      ADD_FAILURE() << text;
    } catch (const InvalidUse& error) {
      EXPECT_THAT(error.what(), HasSubstr("wrong at " + message)) << text;
    }
  }
  try {
    const Where where("votes > x");
    ADD_FAILURE();
  } catch (const InvalidUse& error) {
    EXPECT_THAT(error.what(), HasSubstr("\n  votes > x\n          ^"));
  }
}

TEST(WhereTest, RefusesDeepNesting) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "votes = 10" + std::string(levels, ')');
  };
  EXPECT_TRUE(Where(nested(100)).holds(ann()));
  EXPECT_THROW(Where(nested(101)), InvalidUse);
  EXPECT_THROW(Where(nested(1'000'000)), InvalidUse);
  std::string negations;
  for (int i = 0; i < 100'000; ++i) negations += "not ";
  EXPECT_THROW(Where(negations + "votes = 10"), InvalidUse);
}

TEST_F(CtlTest, ScansWithACondition) {
  Member bob(6);
  bob.name = "Bob";
  bob.level = activity::Level::kTrusted;
  mapper_.save(bob);
  EXPECT_THAT(run({"scan", "Member", "--where", "level >= 2 or name = \"Eve\""}).out,
              HasSubstr("{\"@id\":6,"));
  EXPECT_EQ(run({"scan", "Member", "--where", "name = \"Ann\"", "--limit", "1"}).out,
            run({"scan", "Member", "--limit", "1"}).out);

  const Ran none = run({"scan", "Member", "--where", "level = 1"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(none.errors, HasSubstr("the condition holds for no Member\n"));
  const Ran unknown = run({"scan", "Flight", "--where", "likes > 0 or not (to = \"\" or Seats = 1)"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.errors,
              HasSubstr("no main record has the member Seats, likes: sharded members have records"));
  const Ran wrong = run({"scan", "Member", "--where", ""});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("the condition is wrong at character 1"));
}

}  // namespace
}  // namespace autoshard::test
