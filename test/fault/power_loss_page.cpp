// A sliding window while power is lost, and the clocks that its buckets hang on move.

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

/// Clicks on a page, of the last day. A click that was not acknowledged may count.
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
        worker.now.compare_exchange_strong(now, now + std::chrono::minutes(worker.below(240)));
        return;
      }
      case 1:
        worker.attempt([&] { admin::compact<Page>(mapper, path_); });
        return;
      case 2: {
        const Time begin = worker.now.load();
        std::int64_t clicks = 0;
        if (worker.attempt([&] { clicks = mapper.load<Page>(path_).value().clicks(); }) == Outcome::kDone)
          expect_possible(clicks, begin, worker.now.load(), "in the process that wrote them");
        return;
      }
      default: {
        Click click{.begin = worker.now.load()};
        const Outcome outcome = worker.attempt([&] { mapper.apply<&Page::click>(path_, "user"); });
        click.end = worker.now.load();
        click.is_sure = outcome == Outcome::kDone;
        if (outcome != Outcome::kRefused) clicks_.push_back(click);
      }
    }
  }

  void check(const Mapper& mapper, bool durable) override {
    if (!durable) {
      for (std::size_t i = checked_; i < clicks_.size(); ++i) clicks_[i].is_sure = false;
    }
    checked_ = clicks_.size();
    const std::optional<Page> page = mapper.load<Page>(path_);
    is_there_ = page.has_value();
    if (page) expect_possible(page->clicks(), now_, now_, "after the loss of power");
  }

 private:
  struct Click {
    Time begin{}, end{};  // somewhere between them
    bool is_sure = false;
  };

  /// The begin of the first bucket that counts.
  static Time first_bucket(Time now) { return std::chrono::floor<std::chrono::hours>(now) - 23h; }

  /// `clicks`: what a load between the two times has shown.
  void expect_possible(std::int64_t clicks, Time begin, Time end, const char* when) const {
    std::int64_t least = 0, most = 0;
    for (const Click& click : clicks_) {
      if (click.is_sure && click.begin >= first_bucket(end)) ++least;
      if (click.end >= first_bucket(begin)) ++most;
    }
    EXPECT_TRUE(least <= clicks && clicks <= most)
        << path_ << ": " << clicks << " clicks " << when << " instead of " << least << " to " << most;
  }

  const std::string path_;
  const std::atomic<Time>& now_;
  bool is_there_ = false;
  std::vector<Click> clicks_;
  std::size_t checked_ = 0;  // clicks that were there at the last check
};

}  // namespace

std::unique_ptr<Subject> page_of(int thread, const std::atomic<Time>& now) {
  return std::make_unique<OwnPage>("/" + std::to_string(thread), now);
}

}  // namespace autoshard::test
