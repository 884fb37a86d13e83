#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

void erase(autoshard::Mapper& mapper) {
  mapper.transact([](auto transaction) { transaction.template erase<moderator::Question>(42); });
}
