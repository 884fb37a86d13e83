#pragma once

#include <autoshard/mapper.h>

namespace moderator {

/// Lets as many users respond to one question, `threads` of them at a time. Returns how many responses were
/// acknowledged.
std::size_t respond(autoshard::Mapper& mapper, int id, int users, int threads);

/// Reads the responses page by page, and says what is there. Returns whether it is that many, each once.
bool check_responses(autoshard::Mapper& mapper, int id, std::size_t acknowledged);

/// Prints the questions with the most votes, of those with ids from `first` up to below `end`. Returns
/// whether these are the right ones.
bool show_ranking(autoshard::Mapper& mapper, int first, int end);

}  // namespace moderator
