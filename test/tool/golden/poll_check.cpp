#include "entities/forms/poll.autoshard.cpp"
#include "golden_check.h"

GOLDEN_CHECK(poll) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  using poll::Poll;

  Poll poll{1, "Rain?"};
  poll.voteUp();
  CHECK(&poll.vote(2, {"because", 3}) == &poll);
  poll.vote("really").vote("no").voteDown();
  CHECK(poll.votes() == 1 + 6 + 2 + 1 - 1);
  CHECK(poll.feel(Poll::Mood::kBad) == Poll::Mood::kBad);
  CHECK(poll.twice(4) == 8);
  poll.thrice();
  poll += 100;
  CHECK(poll.say("wet", 2) == 2);
  CHECK(poll.votes() == 119);
  mapper.save(poll);
  poll.voteUp();
  mapper.save(poll);

  mapper.apply<&Poll::voteUp>(1);
  mapper.apply<&Poll::feel>(1, Poll::Mood::kGood);
  mapper.apply<static_cast<Poll& (Poll::*)(int, poll::Reason)&>(&Poll::vote)>(1, 5);
  mapper.apply<&Poll::say>(1, std::string("dry"));
  const auto loaded = mapper.load<Poll>(1);
  CHECK(loaded->votes() == 127);
  Poll other{2, "Snow?"};
  other.voteUp();
  other.reset(7);
  other.voteUp();
  CHECK(other.votes() == 8);
  Poll::Shard shard;
  shard.voteUp();
  shard.reset(3);
  CHECK(shard.votes_ == 3 && shard.replaced_votes_ && !shard.replaced_words_);
  shard.mute();
  CHECK(shard.replaced_words_);
  CHECK(loaded->words() == (Poll::Words{{"wet", 2}, {"dry", 1}}));
}
