#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

void vote(autoshard::Mapper& mapper) {
  mapper.update<moderator::Question>(42, [](moderator::Question& question) { question.voteUp(); });
}
