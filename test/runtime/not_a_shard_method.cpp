#include <autoshard/autoshard.h>

#include "question.autoshard.h"

void vote(autoshard::Mapper& mapper) { mapper.apply<&moderator::Question::votes>(42); }
