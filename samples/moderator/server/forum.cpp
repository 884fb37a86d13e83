#include "forum.h"

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "input.h"
#include "question.autoshard.h"
#include "server/ballot.autoshard.h"

namespace moderator {
namespace {

using q = autoshard::Fields<Question>;

constexpr std::uint64_t kListed = 20;

/// Adds the votes of the ballot to its question, once. The token makes a repetition harmless: by this call
/// after a crash, or by another server.
void settle(autoshard::Mapper& mapper, Ballot& ballot) {
  mapper.update<Question>(ballot.question(), autoshard::token{ballot.token()}, [&](auto& shard) {
    for (int change = ballot.change(); change > 0; --change) shard.voteUp();
    for (int change = ballot.change(); change < 0; ++change) shard.voteDown();
  });
  ballot.mark_counted();
  mapper.save(ballot);
}

auto listed(const autoshard::Query<Question>& query) {
  return query.select(q::id, q::question, q::author, q::votes, q::answers);
}

template <class Rows>
std::vector<Entry> to_entries(Rows&& rows) {
  std::vector<Entry> entries;
  for (auto&& [id, question, author, votes, answers] : rows)
    entries.push_back({id, question, author, votes, answers});
  return entries;
}

}  // namespace

Forum::Forum(autoshard::Mapper& mapper, int max_questions) : mapper_(mapper), max_questions_(max_questions) {
  autoshard::admin::build_indexes<Question>(mapper_);  // of a database from before there was one
  for (const auto& [id] : mapper_.query<Question>().select(q::id)) {
    ++questions_;
    last_id_ = id;
  }
  settle_all();
}

void Forum::settle_all() {
  for (Ballot& ballot : mapper_.query<Ballot>(autoshard::Fields<Ballot>::is_counted == false)) {
    try {
      settle(mapper_, ballot);
    } catch (const autoshard::NotFound&) {
      mapper_.erase<Ballot>({ballot.visitor(), ballot.question()});
    } catch (const autoshard::StaleEntity&) {  // another server settles it
    }
  }
}

int Forum::ask(const std::string& question, const std::string& author) {
  if (++questions_ > max_questions_) {
    --questions_;
    throw WrongInput(409,
                     fmt::format("there are {} questions, and there is room for no more: vote on one of them",
                                 max_questions_));
  }
  while (true) {
    const int id = ++last_id_;
    try {
      mapper_.save(Question{id, question, author});
      return id;
    } catch (const autoshard::StaleEntity&) {  // another server has taken the id
    } catch (...) {
      --questions_;
      throw;
    }
  }
}

int Forum::vote(int question, const std::string& visitor, int choice) {
  if (!mapper_.exists<Question>(question))
    throw autoshard::NotFound(fmt::format("there is no question {}", question));
  while (true) {
    Ballot ballot = mapper_.load<Ballot>({visitor, question}).value_or(Ballot{visitor, question});
    try {
      if (!ballot.is_counted()) settle(mapper_, ballot);
      if (ballot.choice() != choice) {
        ballot.choose(choice);
        mapper_.save(ballot);
        settle(mapper_, ballot);
        ++cast_;
      }
      return votes(question);
    } catch (const autoshard::StaleEntity&) {  // another request of the visitor came in between
    }
  }
}

int Forum::votes(int question) const {
  for (const auto& [votes] : mapper_.query<Question>(q::id == question).select(q::votes)) return votes;
  throw autoshard::NotFound(fmt::format("there is no question {}", question));
}

void Forum::respond(int question, const autoshard::token& token, const std::string& text,
                    const std::string& author) {
  for (const auto& [answers] : mapper_.query<Question>(q::id == question).select(q::answers)) {
    if (answers >= kResponses) {
      throw WrongInput(
          409,
          fmt::format("the question has {} responses, and there is room for no more: vote on it", answers));
    }
  }
  mapper_.apply<&Question::addResponse>(question, token, text, author);
}

Ranking Forum::ranking() const {
  const int last = last_id_;
  Entries top = more("");
  Ranking ranking{
      .top = std::move(top.entries),
      .newest = to_entries(listed(mapper_.query<Question>(q::id > last - static_cast<int>(kListed)))),
      .next = std::move(top.next),
      .cast = cast_};
  std::ranges::reverse(ranking.newest);
  if (ranking.newest.size() > kListed) ranking.newest.resize(kListed);  // other servers have added some
  return ranking;
}

Forum::Entries Forum::more(const std::string& cursor) const {
  auto page = listed(mapper_.query<Question>().order_by(q::votes.desc()).limit(kListed)).after(cursor).page();
  return {to_entries(page.rows), std::move(page.cursor)};
}

Forum::Responses Forum::responses(int question, const std::string& cursor) const {
  if (!mapper_.exists<Question>(question))
    throw autoshard::NotFound(fmt::format("there is no question {}", question));
  Responses responses;
  auto page = mapper_.elements(question, q::responses).newest_first().after(cursor).limit(kListed).page();
  for (auto& element : page.rows)
    responses.rows.push_back(
        {element.id.text(), std::move(element.value.text), std::move(element.value.author)});
  responses.next = std::move(page.cursor);
  return responses;
}

std::map<int, int> Forum::votes_of(const std::string& visitor) const {
  std::map<int, int> votes;
  for (const Ballot& ballot : mapper_.range<Ballot::ByVisitor>(visitor)) {
    if (ballot.choice() != 0) votes[ballot.question()] = ballot.choice();
  }
  return votes;
}

}  // namespace moderator
