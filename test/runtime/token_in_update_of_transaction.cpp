#include <autoshard/autoshard.h>

#include "entities/forms/question.autoshard.h"

void vote(autoshard::Mapper& mapper) {
  mapper.transact([](autoshard::EntityTransaction& transaction) {
    transaction.update<moderator::Question>(42, autoshard::token{"request 17"},
                                            [](auto& votes) { votes.voteUp(); });
  });
}
