// Sliding windows while power is lost, and the clocks that their buckets hang on move.

#include <autoshard/admin.h>

#include <optional>
#include <set>

#include "entities/strategies/traffic.autoshard.h"
#include "power_loss_model.h"

namespace autoshard::test {
namespace {

using traffic::Page;
using namespace std::chrono_literals;
using Time = std::chrono::system_clock::time_point;

/// The updates of one window. One that was not acknowledged may count.
class Window {
 public:
  Window(std::string name, std::chrono::seconds length, std::chrono::seconds bucket)
      : name_(std::move(name)), length_(length), bucket_(bucket) {}

  /// Calls `update`, which adds one.
  template <class Update>
  void add(Worker& worker, Update update) {
    Added added{.begin = worker.now.load()};
    const Outcome outcome = update();
    added.end = worker.now.load();
    added.is_sure = outcome == Outcome::kDone;
    if (outcome != Outcome::kRefused) added_.push_back(added);
  }

  /// `count`: what a load between the two times has shown.
  void expect_possible(std::int64_t count, Time begin, Time end, const char* when) const {
    std::int64_t least = 0, most = 0;
    for (const Added& added : added_) {
      if (added.is_sure && added.begin >= first_bucket(end)) ++least;
      if (added.end >= first_bucket(begin)) ++most;
    }
    EXPECT_TRUE(least <= count && count <= most)
        << name_ << ": " << count << " " << when << " instead of " << least << " to " << most;
  }

  /// After a restart.
  void check(std::int64_t count, Time now) {
    checked_ = added_.size();
    expect_possible(count, now, now, "after the loss of power");
  }
  /// What was added since the last restart may be lost.
  void doubt() {
    for (std::size_t i = checked_; i < added_.size(); ++i) added_[i].is_sure = false;
  }

 private:
  struct Added {
    Time begin{}, end{};  // somewhere between them
    bool is_sure = false;
  };

  /// The begin of the first bucket that counts.
  Time first_bucket(Time now) const { return now - now.time_since_epoch() % bucket_ - (length_ - bucket_); }

  const std::string name_;
  const std::chrono::seconds length_, bucket_;
  std::vector<Added> added_;
  std::size_t checked_ = 0;  // those that were there at the last restart
};

/// A page with clicks of the last day, and with requests of the last minute, which are buffered.
class OwnPage final : public Subject {
 public:
  OwnPage(std::string path, const std::atomic<Time>& now) : path_(std::move(path)), now_(now) {}

  void act(Worker& worker) override {
    Mapper& mapper = worker.any();
    if (!is_there_) {
      is_there_ = worker.attempt([&] {
        if (!mapper.exists<Page>(path_)) mapper.save(Page(path_));
      }) == Outcome::kDone;
      return;
    }
    switch (worker.below(10)) {
      case 0: {  // if no other thread does so
        Time now = worker.now.load();
        worker.now.compare_exchange_strong(
            now, now + (worker.below(2) == 0 ? std::chrono::seconds(worker.below(90))
                                             : std::chrono::minutes(worker.below(240))));
        return;
      }
      case 1:
        worker.attempt([&] { admin::compact<Page>(mapper, path_); });
        return;
      case 2: {
        const Time begin = worker.now.load();
        std::optional<Page> page;
        if (worker.attempt([&] { page = mapper.load<Page>(path_).value(); }) != Outcome::kDone) return;
        clicks_.expect_possible(page->clicks(), begin, worker.now.load(), "in the process that wrote them");
        requests_.expect_possible(page->requests(), begin, worker.now.load(),
                                  "in the process that wrote them");
        return;
      }
      case 3:
      case 4:
      case 5:
        return requests_.add(worker, [&] {
          return worker.attempt_in_parts([&] {
            worker.buffering_windows.apply<&Page::serve>(path_, 20);
            worker.buffering_windows.flush();
          });
        });
      default:
        clicks_.add(worker,
                    [&] { return worker.attempt([&] { mapper.apply<&Page::click>(path_, "user"); }); });
    }
  }

  void check(const Mapper& mapper, bool durable) override {
    if (!durable) {
      clicks_.doubt();
      requests_.doubt();
    }
    const std::optional<Page> page = mapper.load<Page>(path_);
    EXPECT_TRUE(page || !is_there_ || !durable) << path_ << " is lost";
    is_there_ = page.has_value();
    if (!page) return;
    clicks_.check(page->clicks(), now_);
    requests_.check(page->requests(), now_);
  }

 private:
  const std::string path_;
  const std::atomic<Time>& now_;
  bool is_there_ = false;
  Window clicks_{path_ + ", clicks", 24h, 1h};
  Window requests_{path_ + ", requests", 60s, 1s};
};

}  // namespace

std::unique_ptr<Subject> page_of(int thread, const std::atomic<Time>& now) {
  return std::make_unique<OwnPage>("/" + std::to_string(thread), now);
}

}  // namespace autoshard::test
