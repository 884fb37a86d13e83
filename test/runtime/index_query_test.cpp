// Queries over indexes: what they answer, and how.

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "query_fixture.h"
#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
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
  /// As a program left it whose class has no index.
  void forget_indexes() {
    const std::string indexes = detail::indexes_key("Member");
    const auto transaction = store_->begin();
    for (const auto& [key, value] : records(*store_, indexes, indexes + '\xFF')) transaction->erase(key);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, IndexQueryTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(IndexQueryTest, ComparesAnIndexedMember) {
  EXPECT_THAT(numbers(m::name == "Ann"), ElementsAre(3, 5));
  EXPECT_THAT(numbers(m::name > "Anna"), ElementsAre(1, 4));
  EXPECT_THAT(numbers(m::name <= "Anna"), ElementsAre(3, 5, 2));
  EXPECT_THAT(numbers(m::name.between("Ann", "Bob")), ElementsAre(3, 5, 2, 1));
  EXPECT_THAT(numbers(m::name.starts_with("An")), ElementsAre(3, 5, 2));
  EXPECT_THAT(numbers(m::name.in({"Cleo", "Ann", "Cleo"})), ElementsAre(3, 5, 4));
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

// Entries are walked as rows are asked for, and rows are not sorted before.
TEST_P(IndexQueryTest, ReadsEntitiesOfARangeAsItGetsToThem) {
  const auto transaction = store_->begin();
  transaction->put(detail::main_key(detail::entity_key("Member", 1)), "\x93");  // nobody can read Bob
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  std::vector<int> found;
  EXPECT_THROW(
      {
        for (const Member& each : mapper_.query<Member>(m::name.between("Ann", "Cleo")))
          found.push_back(each.number());
      },
      CorruptRecord);
  EXPECT_THAT(found, ElementsAre(3, 5, 2));
  EXPECT_EQ(mapper_.query<Member>(m::name < "Z").limit(3).count(), 3U);
}

TEST_P(IndexQueryTest, SortsByIdsWhereThatIsAskedFor) {
  EXPECT_THAT(numbers(mapper_.query<Member>(m::name.starts_with("An")).order_by(m::number)),
              ElementsAre(2, 3, 5));
  EXPECT_THAT(mapper_.query<Member>(m::name == "Ann").order_by(m::number).explain(), Not(HasSubstr("sort")));
  EXPECT_THAT(mapper_.query<Member>().order_by(m::number).explain(), Not(HasSubstr("sort")));
  EXPECT_THAT(mapper_.query<Member>().order_by(m::number.desc()).explain(), HasSubstr("sort"));
}

TEST_P(IndexQueryTest, PagesGoOnInTheOrderInWhichTheyBegan) {
  const auto query = mapper_.query<Member>(m::name <= "Bob").limit(2);
  const Page<Member> by_name = query.page();
  EXPECT_THAT(numbers(by_name.rows), ElementsAre(3, 5));
  EXPECT_THAT(numbers(query.after(by_name.cursor)), ElementsAre(2, 1));

  forget_indexes();
  const Page<Member> by_id = query.page();
  EXPECT_THAT(numbers(by_id.rows), ElementsAre(1, 2));
  EXPECT_THAT([&] { query.after(by_name.cursor).page(); },
              ThrowsMessage<InvalidCursor>(HasSubstr("begin without a cursor")));

  admin::build_indexes<Member>(mapper_);
  EXPECT_THAT(numbers(query), ElementsAre(3, 5));
  EXPECT_THAT(numbers(query.after(by_id.cursor)), ElementsAre(3, 5)) << "behind 1 and 2, by ids";
  EXPECT_THAT(numbers(query.after(by_name.cursor)), ElementsAre(2, 1));
}

TEST_P(IndexQueryTest, PagesGoOnBackwards) {
  const auto paged = [](const auto& query) {
    std::vector<int> all;
    std::string cursor;
    do {
      const Page<Member> page = query.limit(1).after(cursor).page();
      for (const Member& each : page.rows) all.push_back(each.number());
      cursor = page.cursor;
    } while (!cursor.empty() && all.size() < 10);
    return all;
  };
  const auto by_email = mapper_.query<Member>().order_by(m::email.desc());
  EXPECT_THAT(by_email.explain(), AllOf(HasSubstr("index email"), Not(HasSubstr("sort"))));
  EXPECT_THAT(paged(by_email), ElementsAre(5, 4, 3, 2, 1));
  const auto of_two = mapper_.query<Member>(m::name.in({"Cleo", "Ann"})).order_by(m::name.desc());
  EXPECT_THAT(of_two.explain(), AllOf(HasSubstr("index name"), Not(HasSubstr("sort"))));
  EXPECT_THAT(paged(of_two), ElementsAre(4, 3, 5));
}

// FORMAT.md: a str may be of any bytes.
TEST_P(IndexQueryTest, APrefixMayBeFollowedByAnyByte) {
  const std::string prefix("p\0\xFF", 3);
  const auto number = [](int byte) { return 100 + byte; };
  for (int byte = 0; byte < 256; ++byte) {
    Member added = member(number(byte), prefix + static_cast<char>(byte), "p" + std::to_string(byte));
    mapper_.save(added);
  }
  Member below = member(500, std::string("p\0\xFE\xFF", 4), "below"), above = member(501, "p\1", "above");
  mapper_.save(below);
  mapper_.save(above);
  const auto starts = mapper_.query<Member>(m::name.starts_with(prefix));
  EXPECT_THAT(starts.explain(), HasSubstr("index name"));
  EXPECT_EQ(starts.count(), 256U);
  EXPECT_EQ(numbers(starts), numbers(!!m::name.starts_with(prefix)));
  EXPECT_THAT(numbers(m::name.starts_with(prefix + '\xFF')), ElementsAre(number(255)));
  EXPECT_THAT(numbers(m::name.starts_with(std::string_view(prefix).substr(0, 2))), SizeIs(257));
  EXPECT_THAT(numbers(m::name.starts_with("")), SizeIs(5 + 258));
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
  EXPECT_EQ(
      mapper_.query<Member>(m::name > "Ann").limit(7).explain(),
      "Member where name > \"Ann\"\n"
      "  index name: its entries that can match by name, in order; reads the main record and the shards "
      "of each Member\n"
      "  ends after 7 rows\n"
      "  row: the whole entity\n");
  EXPECT_EQ(mapper_.query<Member>().order_by(m::name.desc()).explain(),
            "Member\n"
            "  index name: all its entries, in order; reads the main record and the shards of each Member\n"
            "  row: the whole entity\n");
  EXPECT_THAT(mapper_.query<Member>(m::team == "red" && m::active == false).explain(),
              HasSubstr("index ByTeam: its entries that can match by team, active, of 3 shards, in order;"));
  EXPECT_THAT(mapper_.query<Member>(m::name == "Ann" && m::email == "x").explain(), HasSubstr("index email"));
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
