/// The routes of the server, and what they say about questions and responses.

#include <gmock/gmock.h>

#include <string>

#include "support/shell.h"
#include "vote_server.h"

namespace autoshard::test {
namespace {

using testing::AnyOf, testing::ElementsAre, testing::HasSubstr, testing::Not, testing::SizeIs;

class RoutesTest : public testing::Test {
 protected:
  std::vector<int> ids(const nlohmann::json& entries) {
    std::vector<int> ids;
    for (const auto& entry : entries) ids.push_back(entry.at("id"));
    return ids;
  }
  std::string responses_of(int question) {
    return "/api/questions/" + std::to_string(question) + "/responses";
  }

  TemporaryFolder folder_;
  VoteServer server_{folder_.path()};
  Visitor ann_{server_.url()}, bob_{server_.url()};
  httplib::Client client_{server_.url()};
};

TEST_F(RoutesTest, ThePageComesWithARandomVisitorsCookie) {
  const auto page = client_.Get("/"), again = client_.Get("/");
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  const std::string cookie = page->get_header_value("Set-Cookie");
  EXPECT_THAT(cookie, testing::MatchesRegex(
                          "visitor=[0-9a-f]+; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"));
  EXPECT_NE(cookie, again->get_header_value("Set-Cookie"));
  const auto known = client_.Get("/", {{"Cookie", cookie.substr(0, cookie.find(';'))}});
  EXPECT_FALSE(known->has_header("Set-Cookie"));
}

TEST_F(RoutesTest, ThePageAllowsItsOwnScriptAlone) {
  const auto page = client_.Get("/"), again = client_.Get("/");
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_NE(policy, again->get_header_value("Content-Security-Policy"));
  EXPECT_THAT(page->body, Not(HasSubstr("{{nonce}}")));
  const std::size_t begin = policy.find("nonce-") + 6;
  EXPECT_THAT(page->body,
              HasSubstr("<script nonce=\"" + policy.substr(begin, policy.find('\'', begin) - begin)));
}

TEST_F(RoutesTest, ThePageLinksToTheMapOfHotSpots) {
  EXPECT_THAT(client_.Get("/")->body, Not(AnyOf(HasSubstr("id=\"map\""), HasSubstr("{{map}}"))));
  const TemporaryFolder folder;
  const VoteServer server{folder.path(), {"--monitor-port", "0"}};
  httplib::Client client{server.url()};
  const std::string page = client.Get("/")->body;
  const std::string link = "<a id=\"map\" href=\"";
  const std::size_t begin = page.find(link);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t url = begin + link.size();
  EXPECT_EQ(httplib::Client(page.substr(url, page.find("/\">", url) - url)).Get("/healthz")->status, 200);
  EXPECT_THAT(client.Get("/", {{"Host", "<script>"}})->body, Not(HasSubstr("id=\"map\"")));
}

TEST_F(RoutesTest, AMapThatCannotBeShownIsAnError) {
  const std::string taken = server_.url().substr(server_.url().rfind(':') + 1);
  const std::string command = std::string(MODERATOR) +
                              " serve --port 0 --store rocksdb:" + (folder_.path() / "other.db").string() +
                              " --monitor-port " + taken + " 2>&1";
  const ShellResult refused = run_in_shell(command);
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.output, HasSubstr("choose another with --monitor-port"));
}

TEST_F(RoutesTest, TheRankingIsByVotesAndTheNewestComeFirst) {
  const int first = ann_.ask("One?"), second = ann_.ask("Two?"), third = ann_.ask("Three?");
  ann_.vote(second, "up");
  ann_.vote(first, "down");
  const nlohmann::json ranking = ann_.get("/api/ranking").json;
  EXPECT_THAT(ids(ranking.at("top")), ElementsAre(second, third, first));
  EXPECT_THAT(ids(ranking.at("newest")), ElementsAre(third, second, first));
  const nlohmann::json expected = {
      {"id", second}, {"question", "Two?"}, {"author", "Phil R"}, {"votes", 1}, {"responses", 0}};
  EXPECT_EQ(ranking.at("top").at(0), expected);
}

TEST_F(RoutesTest, PagesHaveEachQuestionOnce) {
  std::vector<int> asked;
  for (int i = 0; i < 45; ++i) asked.push_back(ann_.ask("Question " + std::to_string(i) + "?"));
  std::vector<int> found;
  std::string cursor;
  do {
    const nlohmann::json page = ann_.get("/api/questions", {{"after", cursor}}).json;
    EXPECT_LE(page.at("questions").size(), 20U);
    for (const int id : ids(page.at("questions"))) found.push_back(id);
    cursor = page.at("next");
  } while (!cursor.empty());
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(asked));
  EXPECT_THAT(ann_.get("/api/ranking").json.at("newest"), SizeIs(20));
}

TEST_F(RoutesTest, ResponsesComeInPagesTheNewestFirst) {
  const int question = ann_.ask("Why?");
  for (int i = 0; i < 25; ++i) {
    const nlohmann::json response = {{"text", "Because\nof " + std::to_string(i)}, {"author", "Bob"}};
    EXPECT_EQ(bob_.post(responses_of(question), response).status, 201);
  }
  const nlohmann::json page = ann_.get(responses_of(question)).json;
  ASSERT_THAT(page.at("responses"), SizeIs(20));
  EXPECT_EQ(page.at("responses").at(0).at("text"), "Because\nof 24");
  EXPECT_EQ(page.at("responses").at(0).at("author"), "Bob");
  const nlohmann::json rest = ann_.get(responses_of(question), {{"after", page.at("next")}}).json;
  EXPECT_THAT(rest.at("responses"), SizeIs(5));
  EXPECT_EQ(rest.at("next"), "");
  EXPECT_EQ(ann_.get("/api/ranking").json.at("top").at(0).at("responses"), 25);
}

TEST_F(RoutesTest, ARepeatedResponseCountsOnce) {
  const int question = ann_.ask("Why?");
  const nlohmann::json response = {{"text", "Because"}};
  const httplib::Headers key = {{"Idempotency-Key", "17"}};
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_EQ(ann_.post(responses_of(question), response, key).status, 201);
  EXPECT_EQ(bob_.post(responses_of(question), response, key).status,
            201);  // another visitor, another request
  EXPECT_THAT(ann_.get(responses_of(question)).json.at("responses"), SizeIs(2));
}

TEST_F(RoutesTest, TextsComeBackAsTheyAreInJson) {
  const std::string text = "<script>alert(\"1\")</script> & 'ä' 🗳";
  const int question = ann_.ask(text);
  ann_.post(responses_of(question), {{"text", text}, {"author", "<b>"}});
  const Answer answer = ann_.get(responses_of(question));
  EXPECT_EQ(answer.json.at("responses").at(0).at("text"), text);
  EXPECT_EQ(answer.json.at("responses").at(0).at("author"), "<b>");
  EXPECT_EQ(answer.headers.find("Content-Type")->second, "application/json");
  EXPECT_EQ(answer.headers.find("X-Content-Type-Options")->second, "nosniff");
  EXPECT_EQ(ann_.get("/api/ranking").json.at("top").at(0).at("question"), text);
}

TEST_F(RoutesTest, SpacesAroundATextAreLeftOutAndANameIsOptional) {
  EXPECT_EQ(ann_.post("/api/questions", {{"question", "  Why?\n"}, {"author", "  "}}).status, 201);
  const nlohmann::json entry = ann_.get("/api/ranking").json.at("top").at(0);
  EXPECT_EQ(entry.at("question"), "Why?");
  EXPECT_EQ(entry.at("author"), "anonymous");
}

}  // namespace
}  // namespace autoshard::test
