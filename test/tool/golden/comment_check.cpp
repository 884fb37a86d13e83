#include "entities/types/comment.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(comment) {
  using blog::Author;
  using blog::Comment;

  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Comment answer{{2}, "bob"};
  Comment comment{{1}, "ann"};
  comment.answer(answer);
  mapper.save(comment);
  mapper.save(answer);
  Author author{.name = "ann"};
  author.newest = autoshard::Ref<Comment, blog::CommentId>{{1}};
  mapper.save(author);

  const auto loaded = *mapper.load<Comment>({1});
  const auto ann = loaded.author().load(mapper);
  CHECK(ann && ann->newest && ann->newest->load(mapper)->answers() == loaded.answers());
  CHECK(loaded.answers()[0].load(mapper)->author().id() == "bob");
  CHECK(!loaded.answers()[0].load(mapper)->author().load(mapper));  // never saved
  mapper.transact([&](autoshard::EntityTransaction& transaction) {
    CHECK(loaded.author().load(transaction).has_value());
  });
}
