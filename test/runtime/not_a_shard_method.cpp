#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

void vote(autoshard::Mapper& mapper) { mapper.apply<&moderator::Question::votes>(42); }
