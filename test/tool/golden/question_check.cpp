#include "entities/forms/question.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(question) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(moderator::Question{42, "How do you plan to improve public education?", "Phil R"});

  auto question = mapper.load<moderator::Question>(42);
  CHECK(question && question->votes() == 0);
  question->voteUp();
  question->voteUp();
  question->voteDown();
  CHECK(question->votes() == 1);
  mapper.save(*question);
  mapper.save(*question);
  CHECK(mapper.load<moderator::Question>(42)->votes() == 1);

  mapper.apply<&moderator::Question::voteUp>(42);
  const autoshard::token again{"request 17"};
  mapper.apply<&moderator::Question::voteUp>(42, again);
  mapper.apply<&moderator::Question::voteUp>(42, autoshard::token{"request 17"});
  mapper.apply_async<&moderator::Question::voteUp>(42, again).get();
  mapper.apply<&moderator::Question::voteDown>(42);
  mapper.update<moderator::Question>(42, [](auto& q) {
    q.voteUp();
    q.voteUp();
  });
  CHECK(mapper.load<moderator::Question>(42)->votes() == 4);
  CHECK(mapper.load<moderator::Question>(42)->question() == question->question());
}
