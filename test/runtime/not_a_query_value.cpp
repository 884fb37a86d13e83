// Must not compile: a query compares a number with a text.
#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

using q = autoshard::Fields<moderator::Question>;
const auto condition = q::votes > "fifty";
