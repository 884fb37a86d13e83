#include <autoshard/mapper.h>

#include "entities/forms/question.autoshard.h"

using E = moderator::Question;
using q = autoshard::Traits<E>::Fields;

void look(const autoshard::Mapper& mapper) {
  static_cast<void>(mapper);
  static_cast<void>(CODE);
}
