#include "feed.h"

#include <autoshard/errors.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace moderator {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 100ms;   // between two texts
constexpr int kShare = 4;        // and at least so many times as long as it takes to render one
constexpr auto kLookAgain = 2s;  // votes through other servers on the same store

}  // namespace

Feed::Feed(std::function<std::string()> render, int most_viewers)
    : render_(std::move(render)), most_viewers_(most_viewers), thread_([this] { run(); }) {}

Feed::~Feed() { close(); }

void Feed::notify() {
  {
    const std::lock_guard lock(mutex_);
    is_stale_ = true;
  }
  wanted_.notify_one();
}

void Feed::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  wanted_.notify_one();
  changed_.notify_all();
}

bool Feed::is_closed() const {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

std::optional<Feed::Place> Feed::enter() {
  const std::lock_guard lock(mutex_);
  if (viewers_ == most_viewers_) return std::nullopt;
  ++viewers_;
  return Place(static_cast<const void*>(this), [this](const void*) {
    const std::lock_guard leaving(mutex_);
    --viewers_;
  });
}

Feed::Text Feed::wait_for(std::uint64_t seen, std::chrono::milliseconds at_most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return newest_.number != seen || is_closed_; });
  return newest_;
}

void Feed::run() {
  std::unique_lock lock(mutex_);
  while (!is_closed_) {
    is_stale_ = false;
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    render_once();
    const std::chrono::steady_clock::duration taken = std::chrono::steady_clock::now() - begin;
    lock.lock();
    wanted_.wait_for(lock, std::max<std::chrono::steady_clock::duration>(kPause, kShare * taken),
                     [&] { return is_closed_; });
    wanted_.wait_for(lock, kLookAgain, [&] { return is_stale_ || is_closed_; });
  }
}

void Feed::render_once() try {
  auto text = std::make_shared<const std::string>(render_());
  {
    const std::lock_guard lock(mutex_);
    if (newest_.text && *newest_.text == *text) return;
    newest_ = {newest_.number + 1, std::move(text)};
  }
  changed_.notify_all();
} catch (const autoshard::Error& error) {
  fmt::print(stderr, "moderator: the ranking cannot be read: {}\n", error.what());
}

}  // namespace moderator
