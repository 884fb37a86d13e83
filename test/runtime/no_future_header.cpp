#include <autoshard/mapper.h>

#include <future>

#include "entities/forms/question.autoshard.h"

std::future<void> vote(autoshard::Mapper& mapper) {
  return mapper.apply_async<&moderator::Question::voteUp>(42);
}
