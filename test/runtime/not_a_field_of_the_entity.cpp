// Must not compile: a query of one class asks for a field of another.
#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"
#include "entities/groups/topic.autoshard.h"

void ask(autoshard::Mapper& mapper) {
  mapper.query<moderator::Question>(autoshard::Fields<forum::Topic>::views > 5);
}
