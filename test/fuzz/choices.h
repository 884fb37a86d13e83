#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::test {

/// Decisions that bytes take. A byte of zero takes the plainest one, and so does the end of the bytes: fewer
/// bytes, and smaller ones, make simpler things.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  /// From 0, the plainest, to `count - 1`.
  std::size_t below(std::size_t count) { return next() % count; }

  /// True in so many of 100 cases.
  bool sometimes(std::size_t percent) { return next() * 100 >= (100 - percent) * 256; }

  /// The first is the plainest.
  std::string one_of(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }

  /// How many bytes were asked for; no further byte makes a difference.
  std::size_t used() const { return used_; }

 private:
  std::size_t next() {
    const std::size_t at = used_++;
    return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0;
  }

  std::string_view bytes_;
  std::size_t used_ = 0;
};

}  // namespace autoshard::test
