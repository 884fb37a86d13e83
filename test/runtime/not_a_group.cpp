#include <autoshard/autoshard.h>

#include "entities/groups/topic.autoshard.h"

using q = autoshard::Fields<forum::Topic>;
void page(autoshard::Mapper& mapper) { mapper.elements(1, q::title); }
