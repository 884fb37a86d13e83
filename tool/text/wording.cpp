#include "tool/text/wording.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace autoshard::tool {
namespace {

/// The number of single changes between two words: letters inserted, removed, replaced, or swapped with a
/// neighbour.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::vector<std::size_t> row(other.size() + 1, i);
    for (std::size_t j = 1; j <= other.size(); ++j) {
      std::size_t replaced = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, last[j] + 1, replaced});
      bool swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, std::move(row));
  }
  return last.back();
}

/// The nearest candidate that begins with most of `word`, as `shardable` does with most of `sharded`; empty
/// if there is none.
std::string_view begins_alike(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLeast = 4;
  std::string_view best;
  for (std::string_view candidate : candidates) {
    const auto length = static_cast<std::size_t>(std::ranges::mismatch(word, candidate).in1 - word.begin());
    if (length < kLeast || length * 3 < word.size() * 2) continue;
    if (best.empty() || edit_distance(word, candidate) < edit_distance(word, best)) best = candidate;
  }
  return best;
}

}  // namespace

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best.empty() ? begins_alike(word, candidates) : best;
}

std::string any_of_these(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0) text += at + 1 == words.size() ? " or " : ", ";
    text += quoted(words[at]);
  }
  return text;
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string enumeration(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0) text += at + 1 == words.size() ? " " + last + " " : ", ";
    text += words[at];
  }
  return text;
}

std::string count(std::size_t number, const std::string& thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string string_literal(std::string_view text) {
  static constexpr std::string_view kDigits = "01234567";
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      // An escape of three octal digits always ends after them.
      literal += '\\';
      for (const int shift : {6, 3, 0}) literal += kDigits[(byte >> shift) & 7U];
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

}  // namespace autoshard::tool
