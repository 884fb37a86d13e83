#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "forum.h"
#include "input.h"

/// The JSON of the application, and the texts in requests.
namespace moderator {

nlohmann::json to_json(const std::vector<Entry>& entries);
nlohmann::json to_json(const Ranking& ranking);
nlohmann::json to_json(const Forum::Responses& responses);
nlohmann::json to_json(const std::map<int, int>& votes);

/// Returns "up", "down" or "none".
const char* choice_name(int choice);

/// Returns the request as an object. Throws `WrongInput`.
nlohmann::json parse_request(const std::string& body);

/// Returns the checked text of this field. Throws `WrongInput` if it is absent, empty, or against the rule.
std::string needed_text(const nlohmann::json& request, const TextRule& rule);

/// Returns the name of the author; "anonymous" if there is none. Throws `WrongInput`.
std::string author_in(const nlohmann::json& request);

/// Returns the field `choice` as a number. Throws `WrongInput`.
int choice_in(const nlohmann::json& request);

}  // namespace moderator
