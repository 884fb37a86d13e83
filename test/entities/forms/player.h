// A plain struct as an entity, without sharding: it stays an aggregate with defaulted comparisons.
#pragma once

#include <compare>
#include <string>

#include "question.h"

namespace game {

/// A player, and the question that they asked last.
struct [[autoshard::entity]] Player {
  [[autoshard::id]] std::string name;
  int level = 1;
  moderator::Response answer = {};

  auto operator<=>(const Player& other) const { return name <=> other.name; }
  bool operator==(const Player& other) const { return name == other.name; }
};

inline int score(const moderator::Question& question) { return question.votes(); }

}  // namespace game
