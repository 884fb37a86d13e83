// What is updated while power is lost: every way to shard a property, every kind of index, groups, entities
// that expire, idempotency keys, transactions, every durability.

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "index_fixture.h"
#include "permit.h"
#include "power_loss_model.h"
#include "rollup_fixture.h"
#include "stock.h"
#include "topic.h"

namespace autoshard::test {
namespace {

using forum::Topic;
using permits::Permit;
using shop::Stock;
using namespace std::chrono_literals;

constexpr int kSharedTalk = 1;

std::string letters(Worker& worker, std::size_t most) { return std::string(1 + worker.below(most), 'a'); }

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
        const std::string words = letters(worker, 20);
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
        state.room = letters(worker, 5);
        return is_now(state, worker.attempt([&] {
          Talk talk = mapper.load<Talk>(id_).value();
          talk.room = state.room;
          mapper.save(talk);
        }));
      case 8:
        return is_now(state, worker.attempt_in_parts([&] {
          mapper.set_shards<Talk>(id_, "likes", static_cast<std::uint32_t>(worker.below(8)));
        }));
      case 9:
        return is_now(state, worker.attempt_in_parts([&] {
          mapper.set_shards<Talk>(id_, "seats", static_cast<std::uint32_t>(worker.below(8)) + 1);
        }));
      case 10:
        return is_now(state, worker.attempt_in_parts([&] { mapper.compact<Talk>(id_); }));
      default:
        return is_now(state, worker.attempt_in_parts([&] { mapper.refresh_indexes<Talk>(); }));
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
    state.member->name = letters(worker, 3);
    state.member->email = std::to_string(worker.below(12)) + "@";  // others have the same
    state.member->team = letters(worker, 3);
    state.member->note = std::string(worker.below(600), 'n');
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
    const std::string reader = letters(worker, 4);
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
        return is_now(state, worker.attempt_in_parts([&] { mapper.compact<Topic>(id_); }));
      default: {
        ElementId element;
        if (worker.attempt([&] {
              for (const auto& [id, post] : mapper.elements<Topic>(id_, f::posts).limit(1)) {
                element = id;
                state.posts.erase(state.posts.find(post.text));
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
      const std::string zone = letters(worker, 9);
      return is_now({.there = true, .zone = zone}, worker.attempt([&] {
        Permit permit(holder_, worker.now.load() + 1h);
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
        return is_now(state, worker.attempt_in_parts([&] { mapper.compact<Permit>(); }));
      default:
        ++state.uses;
        return is_now(state, worker.attempt([&] { mapper.apply<&Permit::use>(holder_, 1); }));
    }
  }

  const std::string holder_;
};

struct PairState {
  int left = 0, right = 0;

  friend bool operator==(const PairState&, const PairState&) = default;
  std::string text() const { return std::to_string(left) + " and " + std::to_string(right); }
};

/// Two entities that one transaction changes.
class OwnPair final : public Owned<PairState> {
 public:
  explicit OwnPair(const std::string& name) : Owned("pair " + name), left_(name + " left"), right_(name) {}

 private:
  static int price(const std::optional<Stock>& stock) { return stock ? static_cast<int>(stock->price()) : 0; }

  PairState read(const Mapper& mapper) override {
    return {price(mapper.load<Stock>(left_)), price(mapper.load<Stock>(right_))};
  }

  void change(Worker& worker, PairState state) override {
    const int next = state.left + 1;
    is_now({next, next}, worker.attempt([&] {
      worker.any().transact([&](EntityTransaction& transaction) {
        for (const std::string& article : {left_, right_}) {
          std::optional<Stock> stock = transaction.load<Stock>(article);
          if (!stock) stock.emplace(article);
          stock->set_price(next);
          transaction.save(*stock);
        }
        if (state.left > 0) transaction.apply<&Stock::refill>(left_, 1);
      });
    }));
  }

  const std::string left_, right_;
};

struct ChainState {
  std::vector<int> links{0, 0, 0};

  friend bool operator==(const ChainState&, const ChainState&) = default;
  std::string text() const {
    std::string text;
    for (const int link : links) text += std::to_string(link) + " ";
    return text;
  }
};

/// Entities that are changed in turn, so that a change that survives without the one before it shows.
class OwnChain final : public Owned<ChainState> {
 public:
  explicit OwnChain(const std::string& name) : Owned("chain " + name), article_(name + " link ") {}

 private:
  ChainState read(const Mapper& mapper) override {
    ChainState state;
    for (std::size_t i = 0; i < state.links.size(); ++i) {
      const auto stock = mapper.load<Stock>(article_ + std::to_string(i));
      state.links[i] = stock ? static_cast<int>(stock->price()) : 0;
    }
    return state;
  }

  void change(Worker& worker, ChainState state) override {
    const int next = *std::max_element(state.links.begin(), state.links.end()) + 1;
    const std::size_t place = static_cast<std::size_t>(next) % state.links.size();
    state.links[place] = next;
    is_now(state, worker.attempt([&] {
      const std::string article = article_ + std::to_string(place);
      std::optional<Stock> stock = worker.mapper.load<Stock>(article);
      if (!stock) stock.emplace(article);
      stock->set_price(next);
      worker.mapper.save(*stock);
    }));
  }

  const std::string article_;
};

/// Pieces of a stock that there need not be yet.
std::int64_t pieces(const Mapper& mapper, const std::string& article) {
  const auto stock = mapper.load<Stock>(article);
  return stock ? stock->pieces() : 0;
}

void make_stock(Worker& worker, const std::string& article) {
  worker.attempt([&] {
    if (!worker.mapper.exists<Stock>(article)) worker.mapper.save(Stock(article));
  });
}

/// Updates with idempotency keys, each repeated until it is acknowledged.
class OwnTokens final : public Subject {
 public:
  explicit OwnTokens(std::string article) : article_(std::move(article)) {}

  void act(Worker& worker) override {
    make_stock(worker, article_);
    if (pending_.empty()) pending_ = std::to_string(worker.generator());
    const Outcome outcome =
        worker.attempt([&] { worker.any().apply<&Stock::refill>(article_, token(pending_), 1); });
    if (outcome == Outcome::kDone) {
      ++counted_;
      pending_.clear();
      maybe_ = false;
    } else if (outcome == Outcome::kUnknown) {
      maybe_ = true;
    }
  }

  void check(const Mapper& mapper, bool durable) override {
    const std::int64_t now = pieces(mapper, article_);
    const std::int64_t least = durable ? counted_ : start_, most = counted_ + (maybe_ ? 1 : 0);
    EXPECT_TRUE(least <= now && now <= most)
        << article_ << ": " << now << " instead of " << least << " to " << most;
    start_ = now;
    if (durable) return;  // the one that is pending may be counted already
    counted_ = now;
    pending_.clear();
    maybe_ = false;
  }

 private:
  const std::string article_;
  std::int64_t start_ = 0, counted_ = 0;
  std::string pending_;
  bool maybe_ = false;
};

/// Updates that are acknowledged before the commit, and flushed now and then.
class OwnBuffered final : public Subject {
 public:
  explicit OwnBuffered(std::string article) : article_(std::move(article)) {}

  void act(Worker& worker) override {
    make_stock(worker, article_);
    if (worker.below(4) > 0) {
      const Outcome outcome = worker.attempt([&] { worker.buffering.apply<&Stock::refill>(article_, 1); });
      if (outcome == Outcome::kDone) {
        ++buffered_;
      } else {  // some of those before may be lost
        count_.add(buffered_ + 1, Outcome::kUnknown);
        buffered_ = 0;
      }
    } else {
      const Outcome outcome = worker.attempt([&] { worker.buffering.flush(); });
      count_.add(buffered_, outcome == Outcome::kDone ? Outcome::kDone : Outcome::kUnknown);
      buffered_ = 0;
    }
  }

  void check(const Mapper& mapper, bool durable) override {
    count_.add(buffered_, Outcome::kUnknown);
    buffered_ = 0;
    count_.check(article_, pieces(mapper, article_), durable);
  }

 private:
  const std::string article_;
  Count count_;
  std::int64_t buffered_ = 0;  // since the last flush
};

/// Updates that the thread does not wait for.
class Asynchronous final : public Subject {
 public:
  void act(Worker& worker) override {
    make_stock(worker, kArticle);
    const std::size_t updates = 1 + worker.below(8);
    for (std::size_t i = 0; i < updates; ++i) {
      static_cast<void>(worker.attempt([&] {
        worker.mapper.apply_async<&Stock::refill>(kArticle, 1).then([this](const std::exception_ptr& error) {
          count_->add(1, outcome(error));
        });
      }));
    }
  }
  void check(const Mapper& mapper, bool durable) override {
    count_->check(kArticle, pieces(mapper, kArticle), durable);
  }

 private:
  static constexpr const char* kArticle = "asynchronous";

  static Outcome outcome(const std::exception_ptr& error) {
    if (!error) return Outcome::kDone;
    try {
      std::rethrow_exception(error);
    } catch (const OutcomeUnknown&) {
      return Outcome::kUnknown;
    } catch (const Error&) {
      return Outcome::kRefused;
    }
  }

  const std::unique_ptr<Count> count_ = std::make_unique<Count>();
};

/// An entity that all threads update, in every way to shard a property.
class SharedTalk final : public Subject {
 public:
  void act(Worker& worker) override {
    worker.attempt([&] {
      if (!worker.mapper.exists<Talk>(kSharedTalk)) worker.mapper.save(Talk(kSharedTalk));
    });
    Mapper& mapper = worker.any();
    switch (worker.below(6)) {
      case 0:
        return likes_.add(1, worker.attempt([&] { mapper.apply<&Talk::like>(kSharedTalk); }));
      case 1: {
        const int seats = static_cast<int>(worker.below(9)) - 4;
        return seats_.add(-seats, worker.attempt([&] { mapper.apply<&Talk::book>(kSharedTalk, seats); }));
      }
      case 2:
        return score_.add(1, worker.attempt([&] { mapper.apply<&Talk::rate>(kSharedTalk, 1); }));
      case 3: {  // the main record, and an update in a commit of its own
        const Outcome outcome = worker.attempt_in_parts([&] {
          std::optional<Talk> talk = mapper.load<Talk>(kSharedTalk);
          if (!talk) throw NotFound("the shared talk");
          talk->room = letters(worker, 5);
          talk->like();
          mapper.save(*talk);
        });
        return likes_.add(1, outcome);
      }
      case 4:
        worker.attempt([&] {
          mapper.set_shards<Talk>(kSharedTalk, "score", 1 + static_cast<std::uint32_t>(worker.below(8)));
        });
        return;
      default:
        worker.attempt([&] { mapper.compact<Talk>(kSharedTalk); });
        return;
    }
  }

  void check(const Mapper& mapper, bool durable) override {
    const std::optional<Talk> talk = mapper.load<Talk>(kSharedTalk);
    likes_.check("shared likes", talk ? talk->likes() : 0, durable);
    seats_.check("shared seats", talk ? talk->seats() : 0, durable);
    score_.check("shared score", talk ? talk->score() : 0, durable);
  }

 private:
  Count likes_, seats_, score_;
};

}  // namespace

std::vector<std::unique_ptr<Subject>> own_subjects(int thread) {
  const std::string suffix = std::to_string(thread);
  std::vector<std::unique_ptr<Subject>> subjects;
  for (int i = 0; i < 3; ++i) {
    subjects.push_back(std::make_unique<OwnTalk>(100 * (thread + 1) + i));
    subjects.push_back(std::make_unique<OwnMember>(100 * (thread + 1) + i));
    subjects.push_back(std::make_unique<OwnLogEntry>(100 * (thread + 1) + i));
  }
  subjects.push_back(std::make_unique<OwnTopic>(thread));
  subjects.push_back(std::make_unique<OwnPermit>("holder " + suffix));
  subjects.push_back(std::make_unique<OwnPair>("pair " + suffix));
  subjects.push_back(std::make_unique<OwnChain>("chain " + suffix));
  subjects.push_back(std::make_unique<OwnTokens>("tokens " + suffix));
  subjects.push_back(std::make_unique<OwnBuffered>("buffered " + suffix));
  return subjects;
}

std::vector<std::unique_ptr<Subject>> shared_subjects() {
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(std::make_unique<SharedTalk>());
  subjects.push_back(std::make_unique<Asynchronous>());
  return subjects;
}

void expect_right_indexes(Store& store) {
  const auto snapshot = store.snapshot();
  expect_right_indexes<Member>(*snapshot);
  expect_right_indexes<LogEntry>(*snapshot);
  expect_right_rollups(*snapshot);
}

}  // namespace autoshard::test
