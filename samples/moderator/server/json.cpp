#include "json.h"

#include <fmt/format.h>

namespace moderator {
namespace {

/// Returns the string of this field; empty if it is absent.
std::string_view string_in(const nlohmann::json& request, const char* field) {
  const auto found = request.find(field);
  if (found == request.end()) return {};
  if (!found->is_string()) throw WrongInput(400, fmt::format("\"{}\" is no string: send a string", field));
  return found->get_ref<const std::string&>();
}

}  // namespace

nlohmann::json to_json(const std::vector<Entry>& entries) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Entry& entry : entries) {
    rows.push_back({{"id", entry.id},
                    {"question", entry.question},
                    {"author", entry.author},
                    {"votes", entry.votes},
                    {"responses", entry.answers}});
  }
  return rows;
}

nlohmann::json to_json(const Ranking& ranking) {
  return {{"top", to_json(ranking.top)},
          {"newest", to_json(ranking.newest)},
          {"next", ranking.next},
          {"cast", ranking.cast}};
}

nlohmann::json to_json(const Forum::Responses& responses) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [id, text, author] : responses.rows)
    rows.push_back({{"id", id}, {"text", text}, {"author", author}});
  return {{"responses", std::move(rows)}, {"next", responses.next}};
}

nlohmann::json to_json(const std::map<int, int>& votes) {
  nlohmann::json choices = nlohmann::json::object();
  for (const auto& [question, choice] : votes) choices[std::to_string(question)] = choice_name(choice);
  return {{"votes", std::move(choices)}};
}

const char* choice_name(int choice) { return choice > 0 ? "up" : choice < 0 ? "down" : "none"; }

nlohmann::json parse_request(const std::string& body) {
  nlohmann::json request = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object()) throw WrongInput(400, "the request is no JSON object in UTF-8: send one");
  return request;
}

std::string needed_text(const nlohmann::json& request, const TextRule& rule) {
  std::string text = checked_text(rule, string_in(request, rule.field));
  if (text.empty())
    throw WrongInput(400, fmt::format("{} is empty: write one in \"{}\"", rule.subject, rule.field));
  return text;
}

std::string author_in(const nlohmann::json& request) {
  std::string author = checked_text(kNameRule, string_in(request, kNameRule.field));
  return author.empty() ? "anonymous" : author;
}

int choice_in(const nlohmann::json& request) {
  const std::string_view choice = string_in(request, "choice");
  for (const int each : {1, -1, 0}) {
    if (choice == choice_name(each)) return each;
  }
  throw WrongInput(400, "\"choice\" is none of up, down and none: send one of them");
}

}  // namespace moderator
