#pragma once

#include <httplib.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/server.h"
#include "support/temporary_folder.h"

namespace autoshard::test {

/// The program `moderator serve` on a free port, with its store below `folder`.
class VoteServer {
 public:
  explicit VoteServer(const std::filesystem::path& folder, const std::vector<std::string>& options = {},
                      int stop_signal = SIGTERM, const std::string& port = "0")
      : log_folder_(folder), server_(command(folder, options, port), log_folder_.path(), stop_signal) {
    server_.wait_until([this] {
      std::ifstream in(log_folder_.path() / "log");
      const std::string log{std::istreambuf_iterator<char>(in), {}};
      const std::size_t begin = log.find("http://"), end = log.find("/ ", begin);
      if (begin == std::string::npos || end == std::string::npos) return false;
      url_ = log.substr(begin, end - begin);
      return true;
    });
  }

  /// Without a slash at the end.
  const std::string& url() const { return url_; }
  int stop() { return server_.stop(); }

 private:
  static std::vector<std::string> command(const std::filesystem::path& folder,
                                          const std::vector<std::string>& options, const std::string& port) {
    std::vector<std::string> command = {MODERATOR, "serve",   "--port",
                                        port,      "--store", "rocksdb:" + (folder / "votes.db").string()};
    command.insert(command.end(), options.begin(), options.end());
    return command;
  }

  TemporaryFolder log_folder_;
  Server server_;
  std::string url_;
};

struct Answer {
  int status = 0;  ///< 0: the server has not answered
  nlohmann::json json;
  httplib::Headers headers;
};

/// A visitor with a cookie of its own. Used by one thread at a time.
class Visitor {
 public:
  explicit Visitor(const std::string& url) : client_(url) {
    const httplib::Result page = client_.Get("/");
    if (!page) return;
    const std::string cookie = page->get_header_value("Set-Cookie");
    headers_.emplace("Cookie", cookie.substr(0, cookie.find(';')));
  }

  Answer get(const std::string& path, const httplib::Params& parameters = {}) {
    return to_answer(client_.Get(path, parameters, headers_));
  }
  Answer post(const std::string& path, const nlohmann::json& body, const httplib::Headers& more = {}) {
    httplib::Headers headers = headers_;
    headers.insert(more.begin(), more.end());
    return to_answer(client_.Post(path, headers, body.dump(), "application/json"));
  }

  /// Returns the id of the new question.
  int ask(const std::string& question) {
    return post("/api/questions", {{"question", question}, {"author", "Phil R"}}).json.value("id", 0);
  }
  Answer vote(int question, const std::string& choice) {
    return post("/api/questions/" + std::to_string(question) + "/vote", {{"choice", choice}});
  }
  /// Returns the votes of a question in the ranking.
  int votes(int question) {
    const nlohmann::json ranking = get("/api/ranking").json;
    for (const auto& entry : ranking.at("top")) {
      if (entry.at("id") == question) return entry.at("votes");
    }
    return -1'000;
  }

  static Answer to_answer(const httplib::Result& result) {
    if (!result) return {};
    return {result->status, nlohmann::json::parse(result->body, nullptr, false), result->headers};
  }

 private:
  httplib::Client client_;
  httplib::Headers headers_;
};

}  // namespace autoshard::test
