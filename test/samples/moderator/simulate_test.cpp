/// `moderator simulate --url`: the crowd comes through HTTP, and the totals are compared.

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "vote_server.h"

namespace autoshard::test {
namespace {

/// Returns whether the simulation ends with 0.
bool simulate(const std::string& url) {
  const std::string command =
      std::string("\"") + MODERATOR + "\" simulate --users 40 --questions 4 --threads 4 --url " + url;
  return std::system(command.c_str()) == 0;
}

TEST(SimulateTest, FindsEveryAcknowledgedVote) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  EXPECT_TRUE(simulate(server.url()));
  EXPECT_TRUE(simulate(server.url()));  // with questions of its own
  const nlohmann::json ranking = Visitor(server.url()).get("/api/ranking").json;
  EXPECT_EQ(ranking.at("top").size(), 8U);
  EXPECT_GT(ranking.at("cast").get<int>(), 40);
}

TEST(SimulateTest, FailsWithoutAServer) { EXPECT_FALSE(simulate("http://127.0.0.1:1")); }

/// A server that acknowledges votes and shows `shown` votes for its one question.
class Forgetful {
 public:
  explicit Forgetful(int shown) {
    const auto acknowledge = [](const httplib::Request&, httplib::Response& response) {
      response.status = 201;
      response.set_content(R"({"id": 1})", "application/json");
    };
    server_.Get("/api/votes", [](const httplib::Request&, httplib::Response& response) {
      response.set_header("Set-Cookie", "visitor=1; Path=/");
    });
    server_.Get("/api/questions", [shown](const httplib::Request&, httplib::Response& response) {
      response.set_content(R"({"questions": [{"id": 1, "responses": 4, "votes": )" + std::to_string(shown) +
                               R"(}], "next": ""})",
                           "application/json");
    });
    server_.Post(".*", acknowledge);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::jthread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Forgetful() { server_.stop(); }
  Forgetful(const Forgetful&) = delete;
  Forgetful& operator=(const Forgetful&) = delete;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::jthread thread_;
};

TEST(SimulateTest, FailsIfAcknowledgedVotesAreMissing) {
  const Forgetful server(0);
  EXPECT_FALSE(simulate(server.url()));
}

}  // namespace
}  // namespace autoshard::test
