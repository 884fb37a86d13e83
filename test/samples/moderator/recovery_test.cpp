/// A server that dies between two commits: what it has acknowledged counts once.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "question.autoshard.h"
#include "server/ballot.autoshard.h"
#include "vote_server.h"

namespace autoshard::test {
namespace {

using moderator::Ballot, moderator::Question;

const std::string kVisitor = "0123456789abcdef0123456789abcdef";

/// The votes of question 1 after the server has been started twice.
std::vector<int> votes_after_two_starts(const std::filesystem::path& folder) {
  std::vector<int> votes;
  for (int start = 0; start < 2; ++start) {
    const VoteServer server(folder);
    votes.push_back(Visitor(server.url()).votes(1));
  }
  return votes;
}

/// Leaves what a server has in its store that died in the course of a vote.
void leave_vote(const std::filesystem::path& folder, bool is_in_question) {
  RocksDbStore store{(folder / "votes.db").string()};
  Mapper mapper{store};
  mapper.save(Question{1, "Is it true?", "Phil R"});
  Ballot ballot{kVisitor, 1};
  ballot.choose(1);
  mapper.save(ballot);
  if (is_in_question) mapper.update<Question>(1, token{ballot.token()}, [](auto& shard) { shard.voteUp(); });
}

TEST(RecoveryTest, ASavedBallotIsCountedOnceAtTheStart) {
  const TemporaryFolder folder;
  leave_vote(folder.path(), /*is_in_question=*/false);
  EXPECT_THAT(votes_after_two_starts(folder.path()), testing::ElementsAre(1, 1));
}

TEST(RecoveryTest, AVoteThatIsCountedAlreadyIsNotCountedAgain) {
  const TemporaryFolder folder;
  leave_vote(folder.path(), /*is_in_question=*/true);
  EXPECT_THAT(votes_after_two_starts(folder.path()), testing::ElementsAre(1, 1));
}

TEST(RecoveryTest, ABallotOfAnAbsentQuestionGoes) {
  const TemporaryFolder folder;
  leave_vote(folder.path(), /*is_in_question=*/false);
  {
    RocksDbStore store{(folder.path() / "votes.db").string()};
    Mapper mapper{store};
    mapper.erase<Question>(1);
  }
  { const VoteServer server(folder.path()); }
  RocksDbStore store{(folder.path() / "votes.db").string()};
  Mapper mapper{store};
  EXPECT_FALSE(mapper.exists<Ballot>({kVisitor, 1}));
}

TEST(RecoveryTest, AKilledServerHasEveryAcknowledgedVoteOnce) {
  constexpr int kVisitors = 8, kQuestions = 3, kVotesBeforeTheKill = 400;
  const TemporaryFolder folder;
  const std::string cookie = "visitor=0123456789abcdef0123456789abcde";  // and a digit of the visitor
  std::vector<std::map<int, std::string>> acknowledged(kVisitors), last_sent(kVisitors);
  {
    VoteServer server(folder.path(), {}, SIGKILL);
    for (int question = 1; question <= kQuestions; ++question) Visitor(server.url()).ask("Is it true?");
    std::atomic<int> votes = 0;
    std::vector<std::jthread> visitors;
    for (std::size_t visitor = 0; visitor < kVisitors; ++visitor) {
      visitors.emplace_back([&, visitor] {
        httplib::Client client(server.url());
        const httplib::Headers headers = {{"Cookie", cookie + std::to_string(visitor)}};
        const char* const choices[] = {"up", "down", "up", "none"};
        for (int vote = 0;; ++vote) {
          const int question = vote % kQuestions + 1;
          const std::string choice = choices[vote % 4];
          last_sent[visitor][question] = choice;
          const auto answer = client.Post("/api/questions/" + std::to_string(question) + "/vote", headers,
                                          R"({"choice": ")" + choice + "\"}", "application/json");
          if (!answer || answer->status != 200) return;
          acknowledged[visitor][question] = choice;
          ++votes;
          votes.notify_all();
        }
      });
    }
    for (int seen = votes; seen < kVotesBeforeTheKill; seen = votes) votes.wait(seen);
    server.stop();
  }

  const VoteServer server(folder.path());
  httplib::Client client(server.url());
  std::map<int, int> totals;
  for (std::size_t visitor = 0; visitor < kVisitors; ++visitor) {
    const auto answer = client.Get("/api/votes", {{"Cookie", cookie + std::to_string(visitor)}});
    const nlohmann::json recorded = Visitor::to_answer(answer).json.at("votes");
    for (int question = 1; question <= kQuestions; ++question) {
      const std::string choice = recorded.value(std::to_string(question), "none");
      totals[question] += choice == "up" ? 1 : choice == "down" ? -1 : 0;
      if (choice != last_sent[visitor][question]) {  // the last request may be lost, an earlier one may not
        const auto known = acknowledged[visitor].find(question);
        EXPECT_EQ(choice, known == acknowledged[visitor].end() ? "none" : known->second);
      }
    }
  }
  Visitor anybody(server.url());
  for (const auto& [question, votes] : totals)
    EXPECT_EQ(anybody.votes(question), votes) << "question " << question;
}

}  // namespace
}  // namespace autoshard::test
