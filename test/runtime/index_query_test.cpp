// Queries over indexes: what they answer, and how.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "index_fixture.h"
#include "query_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using m = Fields<Member>;

class IndexQueryTest : public IndexTest {
 protected:
  void SetUp() override {
    const auto add = [&](int number, const std::string& name, const std::string& team, bool active, int day) {
      Member added = member(number, name, "mail" + std::to_string(number));
      added.team = team;
      added.active = active;
      added.joined = std::chrono::sys_days(std::chrono::days(day));
      mapper_.save(added);
    };
    add(5, "Ann", "red", true, 30);
    add(1, "Bob", "red", true, 20);
    add(3, "Ann", "red", false, 10);
    add(2, "Anna", "blue", true, 40);
    add(4, "Cleo", "blue", true, 40);
  }
  template <class Query>
  static std::vector<int> numbers(const Query& query) {
    std::vector<int> numbers;
    for (const Member& each : query) numbers.push_back(each.number());
    return numbers;
  }
  std::vector<int> numbers(const Condition<Member>& condition) {
    return numbers(mapper_.query<Member>(condition));
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, IndexQueryTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(IndexQueryTest, ComparesAnIndexedMember) {
  EXPECT_THAT(numbers(m::name == "Ann"), ElementsAre(3, 5));
  EXPECT_THAT(numbers(m::name > "Anna"), ElementsAre(1, 4));
  EXPECT_THAT(numbers(m::name <= "Anna"), ElementsAre(2, 3, 5));
  EXPECT_THAT(numbers(m::name.between("Ann", "Bob")), ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(numbers(m::name.starts_with("An")), ElementsAre(2, 3, 5));
  EXPECT_THAT(numbers(m::name.in({"Cleo", "Ann", "Cleo"})), ElementsAre(3, 4, 5));
  EXPECT_THAT(numbers(m::name == "Ann" && m::active == true), ElementsAre(5));
  EXPECT_THAT(numbers(m::name == "Ann" && m::number > 3), ElementsAre(5));
  EXPECT_THAT(numbers(m::name == "Ann" && m::name == "Bob"), IsEmpty());
  EXPECT_THAT(numbers(m::name == "Ann" || m::name == "Bob"), ElementsAre(1, 3, 5));
  EXPECT_THAT(numbers(!(m::name == "Ann")), ElementsAre(1, 2, 4));
  EXPECT_THAT(numbers(m::name.in(std::vector<std::string>())), IsEmpty());
  EXPECT_THAT(numbers(m::email == "mail4"), ElementsAre(4));
  EXPECT_THAT(numbers(m::email > "mail3"), ElementsAre(4, 5));
  EXPECT_THAT(numbers(m::team == "red" && m::active == true), ElementsAre(1, 5));
}

TEST_P(IndexQueryTest, SortsByAnIndex) {
  EXPECT_THAT(numbers(mapper_.query<Member>().order_by(m::name)), ElementsAre(3, 5, 2, 1, 4));
  EXPECT_THAT(numbers(mapper_.query<Member>().order_by(m::name.desc())), ElementsAre(4, 1, 2, 3, 5));
  EXPECT_THAT(numbers(mapper_.query<Member>().order_by(m::email.desc()).limit(2)), ElementsAre(5, 4));
  const auto team = mapper_.query<Member>(m::team == "blue" && m::active == true);
  EXPECT_THAT(numbers(team.order_by(m::level.desc(), m::joined.desc())), ElementsAre(2, 4));
}

TEST_P(IndexQueryTest, CountsErasesAndSelects) {
  EXPECT_EQ(mapper_.query<Member>(m::name.starts_with("An")).limit(2).count(), 2U);
  std::vector<std::string> emails;
  for (const auto& [email] : mapper_.query<Member>(m::name == "Ann").select(m::email))
    emails.push_back(email);
  EXPECT_THAT(emails, ElementsAre("mail3", "mail5"));
  EXPECT_EQ(mapper_.query<Member>(m::name == "Ann").erase(), 2U);
  expect_right<Member>();
  EXPECT_THAT(numbers(m::name == "Ann"), IsEmpty());
}

TEST_P(IndexQueryTest, SaysWhichIndexItUses) {
  EXPECT_EQ(
      mapper_.query<Member>(m::name == "Ann" && m::active == true).explain(),
      "Member where name == \"Ann\" && active == true\n"
      "  index name: its entries that can match by name, in the order of ids; reads the main record and "
      "the shards of each Member\n"
      "  row: the whole entity\n");
  EXPECT_EQ(mapper_.query<Member>(m::name > "Ann").limit(7).explain(),
            "Member where name > \"Ann\"\n"
            "  index name: its entries that can match by name; reads the main record and the shards of each "
            "Member\n"
            "  sort: by ids; keeps the ids of the first 7\n"
            "  row: the whole entity\n");
  EXPECT_EQ(mapper_.query<Member>().order_by(m::name.desc()).explain(),
            "Member\n"
            "  index name: all its entries, in order; reads the main record and the shards of each Member\n"
            "  row: the whole entity\n");
  EXPECT_THAT(mapper_.query<Member>(m::team == "red" && m::active == false).explain(),
              HasSubstr("index ByTeam: its entries that can match by team, active, of 3 shards;"));
  EXPECT_THAT(mapper_.query<Member>(m::name == "Ann" && m::email == "x").explain(), HasSubstr("index name"));
  EXPECT_THAT(mapper_.query<Member>(m::number == 3 && m::name == "Ann").explain(), HasSubstr("scan"));
}

TEST_P(IndexQueryTest, SaysWhichIndexIsMissing) {
  EXPECT_THAT(
      mapper_.query<Member>(m::active == true && m::joined < std::chrono::sys_days()).explain(),
      AllOf(HasSubstr("scan"), HasSubstr("[[autoshard::index]] on active, joined would avoid the scan")));
  EXPECT_THAT(mapper_.query<Member>(m::name == "Ann" || m::active == true).explain(), Not(HasSubstr("[[")));
  EXPECT_THAT(mapper_.query<Member>(m::number > 3 && m::active == true).explain(), Not(HasSubstr("[[")));
}

}  // namespace
}  // namespace autoshard::test
