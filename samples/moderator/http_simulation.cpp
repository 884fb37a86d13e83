#include "http_simulation.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "crowd.h"

namespace moderator {
namespace {

constexpr int kAttempts = 5;
constexpr std::size_t kRanks = 5;

constexpr const char* kQuestions[] = {
    "How do you plan to improve public education?",     "Will the night bus run every ten minutes again?",
    "When does the new library open on Sundays?",       "What happens to the old harbour?",
    "Can the city plant more trees along Main Street?", "How will you pay for the second tram line?",
    "Why is there no bicycle lane on the bridge?",      "Will rents near the university stay affordable?",
    "What is the plan for the next heat wave?",         "Who decides about the new stadium?",
    "Could every school have a kitchen of its own?",    "When will the river be clean enough to swim in?",
    "Do you support a car-free city centre?",           "How do small shops survive the construction works?",
    "Will there be public Wi-Fi in all parks?",         "What do you do against noise at night?",
};
constexpr const char* kResponses[] = {"More teachers, and smaller classes.", "Ask the people who live there.",
                                      "It is in the budget for next year.",
                                      "I would pay a little more for that."};
constexpr const char* kNames[] = {"Phil R", "Ann", "Bob", "Chen", "Dalia", "Emre", "Farah"};

/// A browser: it keeps its cookie and its connection.
class Visitor {
 public:
  explicit Visitor(const std::string& url) : client_(url) {
    client_.set_keep_alive(true);
    client_.set_tcp_nodelay(true);
    const httplib::Result hello = client_.Get("/api/votes");
    if (!hello) throw std::runtime_error(url + " does not answer: start `moderator serve`, or correct --url");
    const std::string cookie = hello->get_header_value("Set-Cookie");
    headers_.emplace("Cookie", cookie.substr(0, cookie.find(';')));
  }

  /// Returns the answer, or nothing if the request fails. A repetition counts once: of a vote always, of a
  /// response by its key. `key` may be empty for a vote.
  std::optional<nlohmann::json> post(const std::string& path, const nlohmann::json& body,
                                     const std::string& key) {
    httplib::Headers headers = headers_;
    if (!key.empty()) headers.emplace("Idempotency-Key", key);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const httplib::Result answer = client_.Post(path, headers, body.dump(), "application/json");
      if (answer && answer->status < 300) return nlohmann::json::parse(answer->body);
      if (answer && answer->status < 500) throw std::runtime_error(answer->body);
    }
    return std::nullopt;
  }

  nlohmann::json get(const std::string& path, const httplib::Params& parameters) {
    const httplib::Result answer = client_.Get(path, parameters, headers_);
    if (!answer || answer->status != 200) throw std::runtime_error("the server does not show " + path);
    return nlohmann::json::parse(answer->body);
  }

 private:
  httplib::Client client_;
  httplib::Headers headers_;
};

struct Totals {
  int votes = 0, responses = 0;
  bool operator==(const Totals&) const = default;
};

/// What the server has acknowledged, by the id of the question.
struct Acknowledged {
  std::map<int, Totals> totals;
  std::size_t votes = 0, unanswered = 0;

  void add(const Acknowledged& other) {
    votes += other.votes;
    unanswered += other.unanswered;
    for (const auto& [id, sum] : other.totals) {
      totals[id].votes += sum.votes;
      totals[id].responses += sum.responses;
    }
  }
};

std::string path_of(int id, const char* what) { return fmt::format("/api/questions/{}/{}", id, what); }

std::vector<int> ask(Visitor& moderator, int questions) {
  std::vector<int> ids;
  for (std::size_t i = 0; i < static_cast<std::size_t>(questions); ++i) {
    std::string question = kQuestions[i % std::size(kQuestions)];
    if (i >= std::size(kQuestions)) question += fmt::format(" ({})", i / std::size(kQuestions) + 1);
    const auto answer = moderator.post(
        "/api/questions", {{"question", question}, {"author", kNames[i % std::size(kNames)]}}, "");
    if (!answer) throw std::runtime_error("the server does not take questions");
    ids.push_back(answer->at("id"));
  }
  return ids;
}

/// Lets one user vote, some of them twice on one question. The last vote on a question counts.
Acknowledged use(const std::string& url, unsigned user, const std::vector<int>& ids, int votes) {
  std::mt19937 random(user);
  auto popular = popularity(static_cast<int>(ids.size()));
  Acknowledged done;
  Visitor visitor(url);
  std::map<int, int> choices;
  for (int vote = 0; vote < votes; ++vote) {
    const int id = ids[static_cast<std::size_t>(popular(random))];
    const bool is_up = random() % 5 != 0;
    if (!visitor.post(path_of(id, "vote"), {{"choice", is_up ? "up" : "down"}}, "")) {
      ++done.unanswered;
      continue;
    }
    ++done.votes;
    choices[id] = is_up ? 1 : -1;
  }
  for (const auto& [id, choice] : choices) done.totals[id].votes += choice;
  if (user % 10 != 0) return done;
  const int id = ids[static_cast<std::size_t>(popular(random))];
  const bool is_answered = visitor
                               .post(path_of(id, "responses"),
                                     {{"text", kResponses[random() % std::size(kResponses)]},
                                      {"author", kNames[random() % std::size(kNames)]}},
                                     fmt::format("user {}", user))
                               .has_value();
  done.totals[id].responses += is_answered ? 1 : 0;
  done.unanswered += is_answered ? 0 : 1;
  return done;
}

/// Reads the ranking to its end.
std::map<int, Totals> shown_totals(Visitor& visitor) {
  std::map<int, Totals> totals;
  std::string cursor;
  do {
    const nlohmann::json page = visitor.get("/api/questions", {{"after", cursor}});
    for (const auto& row : page.at("questions"))
      totals[row.at("id")] = {row.at("votes"), row.at("responses")};
    cursor = page.at("next");
  } while (!cursor.empty());
  return totals;
}

Acknowledged use_all(const Simulation& simulation, const std::string& url, const std::vector<int>& ids) {
  std::atomic<int> next = 0;
  std::vector<Acknowledged> parts(static_cast<std::size_t>(simulation.threads));
  std::vector<std::string> errors(parts.size());
  const auto use_until_done = [&](std::size_t thread) {
    try {
      for (int user = next++; user < simulation.users; user = next++)
        parts[thread].add(use(url, static_cast<unsigned>(user), ids, simulation.votes_per_user));
    } catch (const std::exception& error) {
      errors[thread] = error.what();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < parts.size(); ++thread)
      threads.emplace_back(use_until_done, thread);
  }
  for (const std::string& error : errors) {
    if (!error.empty()) throw std::runtime_error(error);
  }
  Acknowledged all;
  for (const Acknowledged& part : parts) all.add(part);
  return all;
}

}  // namespace

bool simulate_over_http(const Simulation& simulation, const std::string& url) try {
  Visitor moderator(url);
  const std::vector<int> ids = ask(moderator, simulation.questions);
  const auto begin = std::chrono::steady_clock::now();
  Acknowledged all = use_all(simulation, url, ids);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{} users, {} votes each, {} questions, {} threads\n", simulation.users,
             simulation.votes_per_user, simulation.questions, simulation.threads);
  fmt::print("{} votes were acknowledged, {:.0f} a second; {} requests had no answer\n\n", all.votes,
             static_cast<double>(all.votes) / seconds, all.unanswered);

  const std::map<int, Totals> shown = shown_totals(moderator);
  std::size_t wrong = 0;
  fmt::print("{:>4} {:>12} {:>7} {:>10} {:>7}\n", "id", "votes: sent", "shown", "resp.: sent", "shown");
  for (std::size_t rank = 0; rank < ids.size(); ++rank) {
    const Totals& sent = all.totals[ids[rank]];
    const auto found = shown.find(ids[rank]);
    const Totals there = found == shown.end() ? Totals{} : found->second;
    const bool is_right = found != shown.end() && sent == there;
    wrong += is_right ? 0 : 1;
    if (is_right && rank >= kRanks) continue;
    fmt::print("{:>4} {:>12} {:>7} {:>10} {:>7}{}\n", ids[rank], sent.votes, there.votes, sent.responses,
               there.responses, is_right ? "" : "  WRONG");
  }
  const bool adds_up = wrong == 0 && all.unanswered == 0;
  fmt::print("\n{}\n", adds_up ? "The server shows every acknowledged vote and response, once."
                               : "The totals do NOT add up. Did another visitor vote on these questions?");
  return adds_up;
} catch (const std::exception& error) {
  fmt::print(stderr, "moderator: {}\n", error.what());
  return false;
}

}  // namespace moderator
