#include "discussion.h"

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "question.autoshard.h"

namespace moderator {
namespace {

using q = autoshard::Fields<Question>;

constexpr std::uint64_t kPage = 50, kRanks = 5;

}  // namespace

std::size_t respond(autoshard::Mapper& mapper, int id, int users, int threads) {
  std::atomic<int> next = 0;
  std::atomic<std::size_t> acknowledged = 0;
  const auto respond_until_done = [&] {
    for (int user = next++; user < users; user = next++) {
      try {
        mapper.apply<&Question::addResponse>(id, "More teachers, and smaller classes.",
                                             fmt::format("user {}", user));
        ++acknowledged;
      } catch (const autoshard::Contention&) {
      }
    }
  };
  std::vector<std::jthread> all;
  for (int thread = 0; thread < threads; ++thread) all.emplace_back(respond_until_done);
  all.clear();
  return acknowledged;
}

bool check_responses(autoshard::Mapper& mapper, int id, std::size_t acknowledged) {
  std::set<std::string> authors;
  std::size_t responses = 0, pages = 0;
  std::string cursor;
  do {
    const auto page = mapper.elements(id, q::responses).after(cursor).limit(kPage).page();
    for (const auto& element : page.rows) authors.insert(element.value.author);
    responses += page.rows.size();
    ++pages;
    cursor = page.cursor;
  } while (!cursor.empty());
  const bool is_right = responses == acknowledged && authors.size() == acknowledged;
  fmt::print("{} responses to one question were accepted, {} are there, on {} pages.{}\n", acknowledged,
             responses, pages, is_right ? "" : " That is WRONG.");
  return is_right;
}

bool show_ranking(autoshard::Mapper& mapper, int first, int end) {
  const auto ranking = mapper.query<Question>(q::id >= first && q::id < end)
                           .order_by(q::votes.desc())
                           .limit(kRanks)
                           .select(q::votes, q::question)
                           .page();
  std::vector<int> expected, found;
  for (int id = first; id < end; ++id) expected.push_back(mapper.load<Question>(id).value().votes());
  std::ranges::sort(expected, std::greater<>());
  expected.resize(std::min<std::size_t>(expected.size(), kRanks));
  fmt::print("\nThe most votes:\n");
  for (const auto& [votes, question] : ranking.rows) {
    fmt::print("{:>7}  {}\n", votes, question);
    found.push_back(votes);
  }
  if (found != expected) fmt::print("Other questions have MORE.\n");
  return found == expected;
}

}  // namespace moderator
