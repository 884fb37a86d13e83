#pragma once

#include <autoshard/mapper.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace moderator {

/// A question as lists show it.
struct Entry {
  int id;
  std::string question, author;
  int votes, answers;
};

/// What all visitors see, as of one instant for each list.
struct Ranking {
  std::vector<Entry> top;     ///< by votes, the most first
  std::vector<Entry> newest;  ///< the newest first
  std::string next;           ///< the cursor after `top`; empty if there are no more questions
  std::uint64_t cast = 0;     ///< votes that this server has taken since it started
};

/// The voting application without its HTTP: questions, votes and responses in a store. Thread-safe. Several
/// servers may share one store. Functions throw `autoshard::NotFound` if the question is absent.
class Forum {
 public:
  /// Counts the votes that an earlier server has accepted and not counted. The mapper must outlive the forum.
  Forum(autoshard::Mapper& mapper, int max_questions);

  /// Returns the id of the new question. Throws `WrongInput` if there are `max_questions` already.
  int ask(const std::string& question, const std::string& author);

  /// Sets the visitor's vote: 1 is up, -1 is down, 0 is none. The last vote of a visitor counts, once,
  /// however often the call is repeated. Returns the votes of the question.
  int vote(int question, const std::string& visitor, int choice);

  /// Adds a response. A repeated call with the same token adds nothing. Throws `WrongInput` if the question
  /// has `kResponses` already; concurrent calls may add a few more.
  void respond(int question, const autoshard::token& token, const std::string& text,
               const std::string& author);

  /// Reads the index of votes and the highest ids, not all questions.
  Ranking ranking() const;

  /// More questions by votes, after a cursor. Throws `autoshard::InvalidCursor`.
  struct Entries {
    std::vector<Entry> entries;
    std::string next;
  };
  Entries more(const std::string& cursor) const;

  /// The newest responses first. Throws `autoshard::InvalidCursor`.
  struct Responses {
    struct Row {
      std::string id, text, author;
    };
    std::vector<Row> rows;
    std::string next;
  };
  Responses responses(int question, const std::string& cursor) const;

  /// The visitor's votes on questions. Questions without a vote are left out.
  std::map<int, int> votes_of(const std::string& visitor) const;

 private:
  void settle_all();
  int votes(int question) const;

  autoshard::Mapper& mapper_;
  const int max_questions_;
  std::atomic<int> questions_ = 0, last_id_ = 0;
  std::atomic<std::uint64_t> cast_ = 0;
};

}  // namespace moderator
