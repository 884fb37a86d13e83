#include <autoshard/autoshard.h>

#include "entities/types/cart.h"

bool look(autoshard::Mapper& mapper) { return mapper.exists<shop::Cart>({{"ann"}, 1, shop::Country{}}); }
