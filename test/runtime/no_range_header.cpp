#include <autoshard/mapper.h>

#include "entities/forms/question.autoshard.h"

void look(const autoshard::Mapper& mapper) {
  mapper.range<autoshard::IndexOf<moderator::Question, 0>>("Ann");
}
