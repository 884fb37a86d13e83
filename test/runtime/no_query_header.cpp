#include <autoshard/mapper.h>

#include "question.autoshard.h"

using q = autoshard::Traits<moderator::Question>::Fields;

void look(const autoshard::Mapper& mapper) { mapper.query<moderator::Question>(q::votes > 50); }
