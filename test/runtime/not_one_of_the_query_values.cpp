// Must not compile: a number is one of several texts.
#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

using q = autoshard::Fields<moderator::Question>;
const auto condition = q::votes.in({"one", "two"});
