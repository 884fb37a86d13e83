#include "entities/types/survey.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(survey) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(survey::Answers{});
  mapper.apply<&survey::Answers::add>(0, std::deque<int>{1, 2}, true, std::monostate{});
  mapper.apply<&survey::Answers::join>(0, std::list<std::tuple<int, bool>>{{7, true}, {8, false}});
  mapper.apply<&survey::Answers::weigh>(0, survey::Weight{5});
  const auto answers = mapper.load<survey::Answers>(0);
  CHECK(answers && answers->count() == 2 + 1 + 5 && answers->seen() == 1);
}
