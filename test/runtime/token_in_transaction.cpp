#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

void vote(autoshard::Mapper& mapper) {
  mapper.transact([](autoshard::EntityTransaction& transaction) {
    transaction.apply<&moderator::Question::voteUp>(42, autoshard::token{"request 17"});
  });
}
