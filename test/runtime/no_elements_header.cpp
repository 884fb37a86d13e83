#include <autoshard/mapper.h>

#include "entities/forms/question.autoshard.h"

using q = autoshard::Traits<moderator::Question>::Fields;

void use(autoshard::Mapper& mapper, const autoshard::ElementId& element) {
  static_cast<void>(element);
  static_cast<void>(CODE);
}
