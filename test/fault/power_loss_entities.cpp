// The entities that are updated while power is lost: every way to shard a property, every kind of index,
// groups, and entities that expire.

#include <autoshard/admin.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "entities/by_hand/log_entry.h"
#include "entities/expiry/permit.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "power_loss_model.h"

namespace autoshard::test {
namespace {

using activity::LogEntry;
using activity::Member;
using conference::Talk;
using forum::Topic;
using permits::Permit;
using reading::Bookmark;
using namespace std::chrono_literals;

struct TalkState {
  bool there = false;
  std::string room{}, best{};
  std::int64_t seats = 0, likes = 0, score = 0;

  friend bool operator==(const TalkState&, const TalkState&) = default;
  std::string text() const {
    std::ostringstream out;
    out << (there ? "there" : "gone") << " room " << room << " best " << best << " seats " << seats
        << " likes " << likes << " score " << score;
    return out.str();
  }
};

/// An entity with every way to shard a property and an index over each. It comes and goes.
class OwnTalk final : public Owned<TalkState> {
 public:
  explicit OwnTalk(int id) : Owned("talk " + std::to_string(id)), id_(id) {}

 private:
  TalkState read(const Mapper& mapper) override {
    const std::optional<Talk> talk = mapper.load<Talk>(id_);
    if (!talk) return {};
    return {true, talk->room, talk->best(), talk->seats(), talk->likes(), talk->score()};
  }

  void change(Worker& worker, TalkState state) override {
    Mapper& mapper = worker.any();
    if (!state.there) {
      const auto seats = static_cast<int>(worker.below(100));
      const Outcome outcome = worker.attempt([&] { mapper.save(Talk(id_, seats)); });
      return is_now({.there = true, .seats = seats}, outcome);
    }
    switch (worker.below(12)) {
      case 0:
        return is_now({}, worker.attempt_in_parts([&] { mapper.erase<Talk>(id_); }));
      case 1:
        ++state.likes;
        return is_now(state, worker.attempt([&] { mapper.apply<&Talk::like>(id_); }));
      case 2: {
        const auto seats = static_cast<int>(worker.below(9)) - 4;
        state.seats -= seats;
        return is_now(state, worker.attempt([&] { mapper.apply<&Talk::book>(id_, seats); }));
      }
      case 3:
        state.score += 3;
        return is_now(state, worker.attempt([&] { mapper.apply<&Talk::rate>(id_, 3); }));
      case 4:
        state.score = static_cast<int>(worker.below(50));
        return is_now(state, worker.attempt([&] {
          mapper.apply<&Talk::reset_score>(id_, static_cast<int>(state.score));
        }));
      case 5: {
        const std::string words = worker.letters(20);
        state.best = std::max(state.best, words);
        return is_now(state, worker.attempt([&] { mapper.apply<&Talk::praise>(id_, words); }));
      }
      case 6:  // several shards in one commit
        ++state.likes;
        state.score += 5;
        return is_now(state, worker.attempt([&] {
          mapper.update<Talk>(id_, [](auto& shard) {
            shard.like();
            shard.rate(5);
          });
        }));
      case 7:
        state.room = worker.letters(5);
        return is_now(state, worker.attempt([&] {
          Talk talk = mapper.load<Talk>(id_).value();
          talk.room = state.room;
          mapper.save(talk);
        }));
      case 8:
        return is_now(state, worker.attempt_in_parts([&] {
          admin::set_shards<Talk>(mapper, id_, "likes", static_cast<std::uint32_t>(worker.below(8)));
        }));
      case 9:
        return is_now(state, worker.attempt_in_parts([&] {
          admin::set_shards<Talk>(mapper, id_, "seats", static_cast<std::uint32_t>(worker.below(8)) + 1);
        }));
      case 10:
        return is_now(state, worker.attempt_in_parts([&] { admin::compact<Talk>(mapper, id_); }));
      default:
        return is_now(state, worker.attempt_in_parts([&] { admin::refresh_indexes<Talk>(mapper); }));
    }
  }

  const int id_;
};

struct MemberState {
  std::optional<Member> member{};

  friend bool operator==(const MemberState&, const MemberState&) = default;
  std::string text() const {
    return member ? member->name + " " + member->email + " " + member->team : "gone";
  }
};

/// An entity with a value index, a unique one and one over several shards.
class OwnMember final : public Owned<MemberState> {
 public:
  explicit OwnMember(int id) : Owned("member " + std::to_string(id)), id_(id) {}

 private:
  MemberState read(const Mapper& mapper) override { return {mapper.load<Member>(id_)}; }

  void change(Worker& worker, MemberState state) override {
    Mapper& mapper = worker.any();
    if (state.member && worker.below(6) == 0)
      return is_now({}, worker.attempt_in_parts([&] { mapper.erase<Member>(id_); }));
    if (!state.member) state.member.emplace(id_);
    state.member->name = worker.letters(3);
    state.member->email = std::to_string(worker.below(12)) + "@";  // others have the same
    state.member->team = worker.letters(3);
    state.member->note = std::string(worker.below(1500), worker.below(2) == 0 ? 'n' : '\0');
    is_now(state, worker.attempt([&] {
      std::optional<Member> member = mapper.load<Member>(id_);
      if (!member) member.emplace(id_);
      member->name = state.member->name;
      member->email = state.member->email;
      member->team = state.member->team;
      member->note = state.member->note;
      mapper.save(*member);
    }));
  }

  const int id_;
};

struct BookmarkState {
  bool there = false;
  std::vector<std::string> tags{};

  friend bool operator==(const BookmarkState&, const BookmarkState&) = default;
  std::string text() const {
    std::string text = there ? "tagged" : "gone";
    for (const std::string& tag : tags) text += ' ' + tag;
    return text;
  }
};

/// An entity with indexes of elements.
class OwnBookmark final : public Owned<BookmarkState> {
 public:
  explicit OwnBookmark(int number) : Owned("bookmark " + std::to_string(number)), number_(number) {}

 private:
  BookmarkState read(const Mapper& mapper) override {
    const std::optional<Bookmark> bookmark = mapper.load<Bookmark>(number_);
    return bookmark ? BookmarkState{true, bookmark->tags} : BookmarkState{};
  }

  void change(Worker& worker, BookmarkState state) override {
    Mapper& mapper = worker.any();
    if (state.there && worker.below(6) == 0)
      return is_now({}, worker.attempt_in_parts([&] { mapper.erase<Bookmark>(number_); }));
    state.there = true;
    state.tags.resize(worker.below(4));
    for (std::string& tag : state.tags) tag = worker.letters(kMostLettersOfATag);
    is_now(state, worker.attempt([&] {
      std::optional<Bookmark> bookmark = mapper.load<Bookmark>(number_);
      if (!bookmark) bookmark.emplace(number_);
      bookmark->tags = state.tags;
      mapper.save(*bookmark);
    }));
  }

  const int number_;
};

struct EntryState {
  bool there = false;
  int seen = 0;

  friend bool operator==(const EntryState&, const EntryState&) = default;
  std::string text() const { return there ? "seen " + std::to_string(seen) : "gone"; }
};

/// An entity with a composite id in an index over several shards.
class OwnLogEntry final : public Owned<EntryState> {
 public:
  explicit OwnLogEntry(int number)
      : Owned("log entry " + std::to_string(number)),
        id_("user" + std::to_string(number), "Acme", activity::Time(std::chrono::milliseconds(number))) {}

 private:
  EntryState read(const Mapper& mapper) override {
    const auto entry = mapper.load<LogEntry>(id_);
    return entry ? EntryState{true, entry->seen()} : EntryState{};
  }

  void change(Worker& worker, EntryState state) override {
    Mapper& mapper = worker.any();
    if (!state.there) {
      return is_now({.there = true}, worker.attempt([&] {
        LogEntry entry(std::get<0>(id_), std::get<1>(id_), std::get<2>(id_));
        mapper.save(entry);
      }));
    }
    if (worker.below(5) == 0)
      return is_now({}, worker.attempt_in_parts([&] { mapper.erase<LogEntry>(id_); }));
    state.seen += 2;
    is_now(state, worker.attempt([&] { mapper.apply<&LogEntry::see>(id_, 2); }));
  }

  const Traits<LogEntry>::Id id_;
};

struct TopicState {
  bool there = false;
  std::multiset<std::string> posts{};
  std::set<std::string> readers{};
  std::map<std::string, int> stars{};
  int views = 0;

  friend bool operator==(const TopicState&, const TopicState&) = default;
  std::string text() const {
    std::ostringstream out;
    out << (there ? "there" : "gone") << " views " << views << " posts";
    for (const std::string& post : posts) out << ' ' << post;
    out << " readers";
    for (const std::string& reader : readers) out << ' ' << reader;
    out << " stars";
    for (const auto& [reader, count] : stars) out << ' ' << reader << '=' << count;
    return out.str();
  }
};

/// An entity with groups: a sequence, a set and a map.
class OwnTopic final : public Owned<TopicState> {
 public:
  explicit OwnTopic(int id) : Owned("topic " + std::to_string(id)), id_(id) {}

 private:
  using f = Fields<Topic>;

  TopicState read(const Mapper& mapper) override {
    const std::optional<Topic> topic = mapper.load<Topic>(id_);
    if (!topic) return {};
    TopicState state{true, {}, topic->readers(), topic->stars(), topic->views()};
    for (const std::string& text : topic->texts()) state.posts.insert(text);
    return state;
  }

  void change(Worker& worker, TopicState state) override {
    Mapper& mapper = worker.any();
    if (!state.there) return is_now({.there = true}, worker.attempt([&] { mapper.save(Topic(id_)); }));
    if (state.posts.size() > 12)
      return is_now({}, worker.attempt_in_parts([&] { mapper.erase<Topic>(id_); }));
    const std::string reader = worker.letters(4);
    switch (worker.below(5)) {
      case 0: {
        const std::string post = std::to_string(worker.generator());
        state.posts.insert(post);
        return is_now(state, worker.attempt([&] { mapper.apply<&Topic::add_post>(id_, post); }));
      }
      case 1:
        state.readers.insert(reader);
        ++state.views;
        return is_now(state, worker.attempt([&] { mapper.apply<&Topic::read_by>(id_, reader); }));
      case 2:
        state.stars[reader] = static_cast<int>(worker.below(6));
        return is_now(state,
                      worker.attempt([&] { mapper.apply<&Topic::rate>(id_, reader, state.stars[reader]); }));
      case 3:
        return is_now(state, worker.attempt_in_parts([&] { admin::compact<Topic>(mapper, id_); }));
      default: {
        ElementId element;
        if (worker.attempt([&] {
              for (const auto& [id, post] : mapper.elements<Topic>(id_, f::posts).limit(1)) {
                element = id;
                const auto known = state.posts.find(post.text);
                if (known == state.posts.end()) throw std::logic_error("shows a post that nobody has added");
                state.posts.erase(known);
              }
            }) != Outcome::kDone ||
            element == ElementId())
          return;
        return is_now(state, worker.attempt([&] { mapper.erase_element<Topic>(id_, f::posts, element); }));
      }
    }
  }

  const int id_;
};

struct PermitState {
  bool there = false;
  std::string zone{};
  std::int64_t uses = 0;

  friend bool operator==(const PermitState&, const PermitState&) = default;
  std::string text() const { return there ? zone + " used " + std::to_string(uses) : "gone"; }
};

/// An entity that expires, and that another one follows.
class OwnPermit final : public Owned<PermitState> {
 public:
  explicit OwnPermit(std::string holder) : Owned("permit of " + holder), holder_(std::move(holder)) {}

 private:
  PermitState read(const Mapper& mapper) override {
    const std::optional<Permit> permit = mapper.load<Permit>(holder_);
    return permit ? PermitState{true, permit->zone, permit->uses()} : PermitState{};
  }

  void change(Worker& worker, PermitState state) override {
    Mapper& mapper = worker.any();
    if (!state.there) {
      const std::string zone = worker.letters(9);
      return is_now({.there = true, .zone = zone}, worker.attempt([&] {
        Permit permit(holder_, worker.now.load() + 1'000'000h);  // the clock moves
        permit.zone = zone;
        mapper.save(permit);
      }));
    }
    switch (worker.below(6)) {
      case 0:  // ends its life
        return is_now({}, worker.attempt([&] {
          Permit permit = mapper.load<Permit>(holder_).value();
          permit.expires = worker.now.load();
          mapper.save(permit);
        }));
      case 1:
        return is_now(state, worker.attempt_in_parts([&] { admin::compact<Permit>(mapper); }));
      default:
        ++state.uses;
        return is_now(state, worker.attempt([&] { mapper.apply<&Permit::use>(holder_, 1); }));
    }
  }

  const std::string holder_;
};

}  // namespace

std::vector<std::unique_ptr<Subject>> entities_of(int thread) {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (int i = 0; i < 3; ++i) {
    const int id = 100 * (thread + 1) + i;
    subjects.push_back(std::make_unique<OwnTalk>(id));
    subjects.push_back(std::make_unique<OwnMember>(id));
    subjects.push_back(std::make_unique<OwnLogEntry>(id));
    subjects.push_back(std::make_unique<OwnBookmark>(id));
  }
  subjects.push_back(std::make_unique<OwnTopic>(thread));
  subjects.push_back(std::make_unique<OwnPermit>("holder " + std::to_string(thread)));
  return subjects;
}

}  // namespace autoshard::test
