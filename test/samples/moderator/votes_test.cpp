/// What counts as a vote: the last choice of each visitor, once.

#include <gmock/gmock.h>

#include "vote_server.h"

namespace autoshard::test {
namespace {

class VotesTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  VoteServer server_{folder_.path()};
  Visitor ann_{server_.url()}, bob_{server_.url()};
  int question_ = ann_.ask("Is it true?");
};

TEST_F(VotesTest, ARepeatedVoteCountsOnce) {
  EXPECT_EQ(ann_.vote(question_, "up").json.at("votes"), 1);
  EXPECT_EQ(ann_.vote(question_, "up").json.at("votes"), 1);
  EXPECT_EQ(ann_.votes(question_), 1);
}

TEST_F(VotesTest, EachVisitorHasAVote) {
  ann_.vote(question_, "up");
  EXPECT_EQ(bob_.vote(question_, "up").json.at("votes"), 2);
  EXPECT_EQ(ann_.votes(question_), 2);
}

TEST_F(VotesTest, AVisitorMayChangeAndWithdrawAVote) {
  ann_.vote(question_, "up");
  EXPECT_EQ(ann_.vote(question_, "down").json.at("votes"), -1);
  EXPECT_EQ(ann_.vote(question_, "none").json.at("votes"), 0);
  EXPECT_EQ(ann_.vote(question_, "down").json.at("votes"), -1);
  EXPECT_EQ(ann_.vote(question_, "up").json.at("votes"), 1);
}

TEST_F(VotesTest, AVisitorSeesItsOwnVotes) {
  const int other = ann_.ask("Is it false?"), withdrawn = ann_.ask("Is it both?");
  ann_.vote(question_, "up");
  ann_.vote(other, "down");
  ann_.vote(withdrawn, "up");
  ann_.vote(withdrawn, "none");
  const nlohmann::json expected = {{std::to_string(question_), "up"}, {std::to_string(other), "down"}};
  EXPECT_EQ(ann_.get("/api/votes").json.at("votes"), expected);
  EXPECT_EQ(bob_.get("/api/votes").json.at("votes"), nlohmann::json::object());
}

TEST_F(VotesTest, AVoteOnAnAbsentQuestionLeavesNothing) {
  EXPECT_EQ(ann_.vote(question_ + 1, "up").status, 404);
  EXPECT_EQ(ann_.get("/api/votes").json.at("votes"), nlohmann::json::object());
}

TEST_F(VotesTest, ConcurrentRequestsOfOneVisitorCountOnce) {
  const std::string cookie = "visitor=0123456789abcdef0123456789abcdef";
  {
    std::vector<std::jthread> tabs;
    for (int tab = 0; tab < 8; ++tab) {
      tabs.emplace_back([&] {
        httplib::Client client(server_.url());
        const std::string path = "/api/questions/" + std::to_string(question_) + "/vote";
        for (int vote = 0; vote < 20; ++vote) {
          const auto answer = client.Post(path, {{"Cookie", cookie}},
                                          vote % 2 == 0 ? R"({"choice": "down"})" : R"({"choice": "up"})",
                                          "application/json");
          ASSERT_TRUE(answer);
          EXPECT_EQ(answer->status, 200);
        }
      });
    }
  }
  httplib::Client client(server_.url());
  const auto own = Visitor::to_answer(client.Get("/api/votes", {{"Cookie", cookie}})).json.at("votes");
  EXPECT_EQ(ann_.votes(question_), own.at(std::to_string(question_)) == "up" ? 1 : -1);
}

}  // namespace
}  // namespace autoshard::test
