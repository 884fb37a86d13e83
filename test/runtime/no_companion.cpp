#include <autoshard/autoshard.h>

#include "entities/forms/question.h"

bool look(autoshard::Mapper& mapper) { return mapper.exists<moderator::Question>(42); }
