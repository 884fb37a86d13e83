// Must not compile: a query of one class asks for a field of another.
#include <autoshard/autoshard.h>

#include "question.autoshard.h"
#include "topic.h"

void ask(autoshard::Mapper& mapper) {
  mapper.query<moderator::Question>(autoshard::Fields<forum::Topic>::views > 5);
}
