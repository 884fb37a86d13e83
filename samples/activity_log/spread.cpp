#include "spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace activity {
namespace {

/// Of the records of the kind's indexes (runtime/FORMAT.md).
std::vector<std::string> index_keys(const autoshard::Snapshot& snapshot, std::string_view kind) {
  std::string begin("\0\2", 2);
  begin += kind;
  begin += std::string("\0\1", 2);
  std::vector<std::string> keys;
  for (const auto cursor = snapshot.scan(begin, begin + '\xFF'); cursor->valid(); cursor->next())
    keys.emplace_back(cursor->key());
  return keys;
}

std::string bars(const Spread& spread, const std::string& title, double top) {
  constexpr double kLeft = 24, kWidth = 812, kHeight = 120;
  const double step = kWidth / static_cast<double>(spread.writes.size());
  const double all =
      static_cast<double>(std::accumulate(spread.writes.begin(), spread.writes.end(), std::size_t{0}));
  std::string svg = fmt::format(R"(<text x="{}" y="{}" font-size="14" fill="#1f2933">{}</text>)"
                                "\n",
                                kLeft, top, title);
  for (std::size_t i = 0; i < spread.writes.size(); ++i) {
    const double height = kHeight * static_cast<double>(spread.writes[i]) / all;
    svg += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#2563eb"/>)"
                       "\n",
                       kLeft + step * static_cast<double>(i), top + 16 + kHeight - height, step - 4, height);
  }
  svg += fmt::format(R"(<line x1="{0}" y1="{2}" x2="{1}" y2="{2}" stroke="#52606d"/>)"
                     "\n",
                     kLeft, kLeft + kWidth, top + 16 + kHeight);
  return svg;
}

}  // namespace

double Spread::busiest() const {
  const std::size_t all = std::accumulate(writes.begin(), writes.end(), std::size_t{0});
  return static_cast<double>(*std::max_element(writes.begin(), writes.end())) / static_cast<double>(all);
}

Spread spread(const autoshard::Snapshot& before, const autoshard::Snapshot& after, std::string_view kind,
              std::size_t tablets) {
  const std::vector<std::string> old = index_keys(before, kind);
  std::vector<std::string> cuts;
  for (std::size_t tablet = 1; tablet < tablets; ++tablet) cuts.push_back(old[tablet * old.size() / tablets]);
  Spread spread{std::vector<std::size_t>(tablets)};
  for (const std::string& key : index_keys(after, kind)) {
    if (std::binary_search(old.begin(), old.end(), key)) continue;
    ++spread.writes[static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), key) - cuts.begin())];
  }
  return spread;
}

std::string plot(const Spread& plain, const Spread& sharded) {
  return R"(<svg xmlns="http://www.w3.org/2000/svg" width="860" height="400" font-family="sans-serif">)"
         "\n"
         R"(<rect width="860" height="400" fill="white"/>)"
         "\n"
         R"(<text x="24" y="32" font-size="18" fill="#1f2933">New records of an index by company and time, by tablets of as many records</text>)"
         "\n" +
         bars(
             plain,
             fmt::format("one index: the busiest tablet takes {:.0f} % of the writes", 100 * plain.busiest()),
             72) +
         bars(sharded, fmt::format("over 10 shards: the busiest takes {:.0f} %", 100 * sharded.busiest()),
              240) +
         "</svg>\n";
}

}  // namespace activity
