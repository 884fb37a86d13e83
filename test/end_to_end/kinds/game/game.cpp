#include "game/game.autoshard.h"

int number_of_game() { return static_cast<int>(sizeof(game::Account)); }
