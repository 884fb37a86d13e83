#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace moderator {

/// Tells viewers how the ranking looks now. A thread renders the ranking after a change, at most ten times a
/// second. All viewers share the one newest text. So a slow viewer misses texts in between and costs no
/// memory, and no vote waits for a viewer. Thread-safe.
class Feed {
 public:
  /// `render` returns the text. If it throws `autoshard::Error`, the feed logs the message and tries again.
  /// `most_viewers` is the number of viewers at the same time.
  Feed(std::function<std::string()> render, int most_viewers);
  ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  /// Something has changed: the next text comes soon.
  void notify();

  /// Ends all waiting; the feed renders no more.
  void close();
  bool is_closed() const;

  /// The place of one viewer. The place is free again when the last copy is gone.
  using Place = std::shared_ptr<const void>;
  /// Returns nothing if all places are taken. The feed must outlive the place.
  std::optional<Place> enter();

  struct Text {
    std::uint64_t number = 0;  ///< 0 before the first text
    std::shared_ptr<const std::string> text;
  };
  /// Returns the newest text. Waits for one with another number than `seen`, for `at_most` this long: then
  /// the result has the number `seen`.
  Text wait_for(std::uint64_t seen, std::chrono::milliseconds at_most) const;

 private:
  void run();
  void render_once();

  const std::function<std::string()> render_;
  const int most_viewers_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;  // `newest_` or `is_closed_`
  std::condition_variable wanted_;           // `is_stale_` or `is_closed_`
  Text newest_;
  bool is_stale_ = true, is_closed_ = false;
  int viewers_ = 0;
  std::jthread thread_;
};

}  // namespace moderator
