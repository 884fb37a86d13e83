#include "entities/forms/player.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(player) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  game::Player player{.name = "ada", .level = 3, .answer = {"42", "deep thought"}};
  mapper.save(player);
  player.level = 4;
  mapper.save(player);
  const auto loaded = mapper.load<game::Player>("ada");
  CHECK(loaded && *loaded == player && loaded->level == 4 && loaded->answer.author == "deep thought");
  CHECK(game::score(moderator::Question{1, "", ""}) == 0);
}
