// Must not compile: a query looks for a number among texts.
#include <autoshard/autoshard.h>

#include "entities/groups/topic.autoshard.h"

using t = autoshard::Fields<forum::Topic>;
const auto condition = t::readers.contains(5);
