#include "tool/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tool/text/wrap.h"

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
  return wrapped(text, std::string(indent, ' '), std::string(indent + 2, ' '), columns());
}

}  // namespace autoshard::tool
