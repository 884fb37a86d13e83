#include <autoshard/autoshard.h>

#include "entities/forms/question.h"

void vote(autoshard::Mapper& mapper) { mapper.apply<&moderator::Question::voteUp>(42); }
