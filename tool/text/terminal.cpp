#include "tool/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace autoshard::tool {
namespace {

/// Returns 80, or the width of a narrower terminal on standard output. The variable COLUMNS has precedence.
std::size_t columns() {
  constexpr std::size_t kMost = 80;
  std::size_t known = 0;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return kMost;
  if (const char* given = std::getenv("COLUMNS")) known = std::strtoul(given, nullptr, 10);
  if (known == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) known = size.ws_col;
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

}  // namespace autoshard::tool
