// The calls by which entities are updated while power is lost: transactions, idempotency keys, every
// durability, and several threads on one entity.

#include <autoshard/admin.h>

#include <map>
#include <optional>
#include <set>

#include "entities/strategies/stock.autoshard.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "power_loss_model.h"
#include "support/index_fixture.h"
#include "support/ranked_fixture.h"

namespace autoshard::test {
namespace {

using reading::Bookmark;
using shop::Stock;

constexpr int kSharedTalk = 1;

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
          talk->room = worker.letters(5);
          talk->like();
          mapper.save(*talk);
        });
        return likes_.add(1, outcome);
      }
      case 4:
        worker.attempt([&] {
          admin::set_shards<Talk>(mapper, kSharedTalk, "score",
                                  1 + static_cast<std::uint32_t>(worker.below(8)));
        });
        return;
      default:
        worker.attempt([&] { admin::compact<Talk>(mapper, kSharedTalk); });
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

std::vector<std::unique_ptr<Subject>> calls_of(int thread) {
  const std::string suffix = std::to_string(thread);
  std::vector<std::unique_ptr<Subject>> subjects;
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
  expect_right_ranked(*snapshot);
  const Mapper mapper(store, {.compact_every = std::chrono::milliseconds(0)});
  std::map<std::string, std::vector<int>> numbers;
  for (const Bookmark& bookmark : mapper.query<Bookmark>()) {
    for (const std::string& tag : std::set(bookmark.tags.begin(), bookmark.tags.end()))
      numbers[tag].push_back(bookmark.number());
  }
  for (std::size_t letters = 1; letters <= kMostLettersOfATag; ++letters) {
    const std::string tag(letters, 'a');
    std::vector<int> found;
    for (const Bookmark& bookmark : mapper.query<Bookmark>(Fields<Bookmark>::tags.contains(tag)))
      found.push_back(bookmark.number());
    EXPECT_EQ(found, numbers[tag]) << "bookmarks tagged " << tag;
  }
}

}  // namespace autoshard::test
