/// Server-sent events: changes reach all viewers, no viewer blocks another, and the server ends with viewers.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "vote_server.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kDeadline = 60s;  // of tests that fail

/// A browser that watches the ranking, in a thread.
class Viewer {
 public:
  explicit Viewer(const std::string& url)
      : client_(url), thread_([this] {
          client_.set_read_timeout(60);
          client_.Get(
              "/api/events", [&](const httplib::Response& response) { return note_status(response); },
              [&](const char* data, std::size_t size) {
                return note({data, size});
              });
          const std::lock_guard lock(mutex_);
          has_ended_ = true;
          changed_.notify_all();
        }) {}
  ~Viewer() { client_.stop(); }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// Waits until a ranking fulfils the condition. Returns false after the deadline, or at the end.
  bool sees(const std::function<bool(const nlohmann::json&)>& condition) {
    std::unique_lock lock(mutex_);
    const auto is_seen = [&] { return !newest_.is_null() && condition(newest_); };
    changed_.wait_for(lock, kDeadline, [&] { return is_seen() || has_ended_; });
    return is_seen();
  }
  bool sees_votes(int votes) {
    return sees([votes](const nlohmann::json& ranking) {
      return !ranking.at("top").empty() && ranking.at("top").at(0).at("votes") == votes;
    });
  }
  bool sees_the_end() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kDeadline, [&] { return has_ended_; });
  }
  /// Waits for the answer, and returns whether the server lets the viewer in.
  bool is_in() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kDeadline, [&] { return status_ != 0 || has_ended_; });
    return status_ == 200;
  }

 private:
  bool note_status(const httplib::Response& response) {
    const std::lock_guard lock(mutex_);
    status_ = response.status;
    changed_.notify_all();
    return true;
  }
  bool note(const std::string& data) {
    const std::lock_guard lock(mutex_);
    received_ += data;
    constexpr std::string_view kBegin = "event: ranking\ndata: ";
    for (std::size_t end = received_.find("\n\n"); end != std::string::npos; end = received_.find("\n\n")) {
      if (received_.starts_with(kBegin))
        newest_ = nlohmann::json::parse(received_.substr(kBegin.size(), end - kBegin.size()));
      received_.erase(0, end + 2);
    }
    changed_.notify_all();
    return true;
  }

  httplib::Client client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string received_;
  nlohmann::json newest_;
  int status_ = 0;
  bool has_ended_ = false;
  std::jthread thread_;
};

/// A viewer that sends its request and reads nothing.
class SilentViewer {
 public:
  explicit SilentViewer(const std::string& url) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const int small = 4096;
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::string request = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    is_connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                    send(socket_, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size());
  }
  ~SilentViewer() { close(socket_); }
  SilentViewer(const SilentViewer&) = delete;
  SilentViewer& operator=(const SilentViewer&) = delete;
  bool is_connected() const { return is_connected_; }

 private:
  int socket_;
  bool is_connected_ = false;
};

Answer try_to_watch(const std::string& url) {
  httplib::Client client(url);
  Answer answer;
  std::string body;
  client.Get(
      "/api/events",
      [&](const httplib::Response& response) {
        answer.status = response.status;
        answer.headers = response.headers;
        return response.status != 200;
      },
      [&](const char* data, std::size_t size) {
        body.append(data, size);
        return true;
      });
  answer.json = nlohmann::json::parse(body, nullptr, false);
  return answer;
}

TEST(EventsTest, DeliverEveryKindOfChangeToAllViewers) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Viewer one(server.url()), other(server.url());
  Visitor visitor(server.url());
  const int question = visitor.ask("Is it true?");
  for (Viewer* viewer : {&one, &other}) EXPECT_TRUE(viewer->sees_votes(0));
  visitor.vote(question, "up");
  for (Viewer* viewer : {&one, &other}) EXPECT_TRUE(viewer->sees_votes(1));
  visitor.post("/api/questions/1/responses", {{"text", "Because"}});
  EXPECT_TRUE(
      one.sees([](const nlohmann::json& ranking) { return ranking.at("top").at(0).at("responses") == 1; }));
}

TEST(EventsTest, MoveTheRanking) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Viewer viewer(server.url());
  Visitor visitor(server.url());
  const int first = visitor.ask("One?"), second = visitor.ask("Two?");
  const auto is_first = [](int id) {
    return [id](const nlohmann::json& ranking) {
      return ranking.at("top").size() == 2 && ranking.at("top").at(0).at("id") == id;
    };
  };
  visitor.vote(first, "up");
  EXPECT_TRUE(viewer.sees(is_first(first)));
  visitor.vote(first, "down");
  EXPECT_TRUE(viewer.sees(is_first(second)));
}

TEST(ViewersTest, AreLimitedAndAPlaceIsFreeAgain) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path(), {"--max-viewers", "1"});
  {
    Viewer viewer(server.url());
    ASSERT_TRUE(viewer.is_in());
    const Answer refused = try_to_watch(server.url());
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.headers.count("Retry-After"), 1U);
    EXPECT_THAT(refused.json.at("error").get<std::string>(), HasSubstr("too many browsers"));
    EXPECT_EQ(Visitor(server.url()).ask("Is it true?"), 1);  // other requests have threads of their own
  }
  const auto end = std::chrono::steady_clock::now() + kDeadline;
  while (try_to_watch(server.url()).status != 200) ASSERT_LT(std::chrono::steady_clock::now(), end);
}

TEST(ViewersTest, AViewerWhoDoesNotReadBlocksNobodyAndLosesItsPlace) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path(), {"--max-viewers", "2"});
  Visitor visitor(server.url());
  for (int i = 0; i < 20; ++i) visitor.ask(std::string(300, 'x'));  // makes each ranking large
  Viewer reader(server.url());
  ASSERT_TRUE(reader.is_in());
  const SilentViewer silent(server.url());
  ASSERT_TRUE(silent.is_connected());

  // All places are taken until the server gives up the silent viewer. Meanwhile votes count and arrive.
  const auto end = std::chrono::steady_clock::now() + kDeadline;
  bool was_full = false;
  for (int votes = 1;; votes = 1 - votes) {
    ASSERT_EQ(visitor.vote(1, votes == 1 ? "up" : "none").json.at("votes"), votes);
    ASSERT_TRUE(reader.sees_votes(votes));
    const int status = try_to_watch(server.url()).status;
    if (status == 200 && was_full) break;
    was_full = was_full || status == 503;
    ASSERT_LT(std::chrono::steady_clock::now(), end);
  }
}

TEST(ShutdownTest, EndsTheViewersAndKeepsTheVotes) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const TemporaryFolder folder;
    {
      VoteServer server(folder.path(), {}, signal);
      Viewer one(server.url()), other(server.url());
      Visitor visitor(server.url());
      visitor.vote(visitor.ask("Is it true?"), "up");
      ASSERT_TRUE(one.sees_votes(1));
      ASSERT_TRUE(other.sees_votes(1));
      EXPECT_EQ(server.stop(), 0);
      EXPECT_TRUE(one.sees_the_end());
      EXPECT_TRUE(other.sees_the_end());
    }
    const VoteServer server(folder.path());
    EXPECT_EQ(Visitor(server.url()).votes(1), 1);
  }
}

TEST(PortTest, ASecondServerDoesNotShareIt) {
  const TemporaryFolder folder, other;
  const VoteServer server(folder.path());
  const std::string port = server.url().substr(server.url().rfind(':') + 1);
  try {
    const VoteServer second(other.path(), {}, SIGTERM, port);
    FAIL() << "the second server has started on port " << port;
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("port " + port + " of 127.0.0.1 cannot be used"));
  }
}

}  // namespace
}  // namespace autoshard::test
