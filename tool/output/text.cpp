#include "tool/output/text.h"

#include <llvm/Support/Process.h>

#include <algorithm>

namespace autoshard::tool {
namespace {

/// What reads well, or what a narrower terminal has.
std::size_t columns() {
  constexpr unsigned kMost = 80;
  const unsigned known = llvm::sys::Process::StandardOutColumns();
  return known == 0 ? kMost : std::min(known, kMost);
}

}  // namespace

std::string wrapped(std::size_t indent, std::string_view text) {
  const std::size_t most = columns();
  std::string result;
  std::string line(indent, ' ');
  bool empty = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!empty && line.size() + 1 + word.size() > most) {
      line.erase(line.find_last_not_of(' ') + 1);  // where words are further apart
      result += line + '\n';
      line.assign(indent + 2, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + std::string(word);
    empty = false;
  }
  return result + line + '\n';
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

}  // namespace autoshard::tool
