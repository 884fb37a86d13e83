#include "query.h"

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "entity_index.h"
#include "forum.autoshard.h"
#include "keys.h"
#include "machine.h"
#include "open_store.h"
#include "query_data.h"
#include "query_peer.h"

namespace autoshard::bench {
namespace {

using forum::LogEntry;
using forum::Question;
using Field = Fields<Question>;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kFew = 20;  // rows of a first page
constexpr int kDirty = 1'000;       // entities that were updated since the index of votes was refreshed

/// How long a query takes, from when it is asked.
class Watch {
 public:
  /// To be called for each row.
  void see() {
    if (rows_++ == 0) first_ = Clock::now() - begin_;
  }
  void see_all(std::uint64_t rows) { rows_ += rows; }

  std::uint64_t rows() const { return rows_; }
  /// Until the first row was there; where rows are not seen one by one, until the end.
  Clock::duration first() const { return first_.value_or(Clock::now() - begin_); }
  Clock::duration all() const { return Clock::now() - begin_; }

 private:
  const Clock::time_point begin_ = Clock::now();
  std::uint64_t rows_ = 0;
  std::optional<Clock::duration> first_;
};

/// One of those that are measured: opens a store and returns what asks the query with this number.
struct Contestant {
  using Ask = std::function<void(Watch&, int number)>;
  std::string name, peer;  // with which it is compared
  int times;               // a round
  std::function<Ask()> open;
};

void check(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what + " has not found what is there");
}

class Contestants {
 public:
  Contestants(std::filesystem::path questions, std::filesystem::path log, const QueryData& data)
      : questions_(std::move(questions)), log_(std::move(log)), data_(data) {
    add_scans();
    add_ranked_index();
    add_indexed();
    add_range();
  }

  std::vector<Contestant> all;

 private:
  /// A condition that no index answers.
  static auto has_many() { return !(Field::votes <= QueryData::kMany); }

  /// Over the sharded property, without an index, next to a walk over the same records that looks at nothing
  /// in them.
  void add_scans() {
    by_hand("peer-scan", questions_, 1, [data = data_](QueryPeer& peer, Watch& watch, int) {
      const auto records = static_cast<std::uint64_t>(data.entities) * (1 + QueryData::kShards);
      check(peer.walk(detail::kind_key("Question")) == records, "peer-scan");
      watch.see_all(static_cast<std::uint64_t>(data.entities));
    });
    own("count", "scan", questions_, 1, [data = data_](Mapper& mapper, Watch& watch, int) {
      check(mapper.query<Question>(has_many()).count() == data.many, "count");
      watch.see_all(static_cast<std::uint64_t>(data.entities));
    });
    own("many", "scan", questions_, 1, [data = data_](Mapper& mapper, Watch& watch, int) {
      std::uint64_t found = 0;
      for (const Question& question : mapper.query<Question>(has_many()))
        found += question.votes() > QueryData::kMany ? 1 : 0;
      check(found == data.many, "many");
      watch.see_all(static_cast<std::uint64_t>(data.entities));
    });
    own("all", "scan", questions_, 1, [data = data_](Mapper& mapper, Watch& watch, int) {
      std::uint64_t votes = 0;
      for (const Question& question : mapper.query<Question>()) {
        votes += static_cast<std::uint64_t>(question.votes());
        watch.see();
      }
      check(votes == data.votes, "all");
    });
    own("sorted", "scan", questions_, 1, [data = data_](Mapper& mapper, Watch& watch, int) {
      const auto sorted = mapper.query<Question>().order_by(Field::votes.desc(), Field::day);
      check(votes_of(sorted.limit(kFew)) == data.top, "sorted");
      watch.see_all(static_cast<std::uint64_t>(data.entities));
    });
  }

  /// Over the index of the sharded property, while no entity is dirty, and while some are.
  void add_ranked_index() {
    constexpr int kTimes = 50;
    by_hand("peer-top-20", questions_, kTimes,
            [data = data_, by_votes = index(2, 1)](QueryPeer& peer, Watch& watch, int) {
              std::string from;
              detail::append_id(from, data.top.back());
              peer.find_questions(by_votes, from, kFew, [&](const QueryPeer::Found&) { watch.see(); });
              check(watch.rows() == data.top.size(), "peer-top-20");
            });
    for (const auto& [name, dirty] : {std::pair("top-20", 0), std::pair("dirty-20", kDirty)}) {
      own(
          name, "top-20", questions_, kTimes,
          [=, data = data_](Mapper& mapper, Watch& watch, int) {
            const auto ranking = mapper.query<Question>().order_by(Field::votes.desc()).limit(kFew);
            check(votes_of(ranking) == data.top, name);
            watch.see_all(data.top.size());
          },
          [dirty = std::min(dirty, data_.entities)](Mapper& mapper) {
            admin::refresh_indexes<Question>(mapper);
            for (const int vote : {1, -1}) {
              for (int id = 0; id < dirty; ++id) mapper.apply<&Question::add>(id, vote);
            }
          });
    }
  }

  /// That of a property, by the place of its index; as `QueryPeer` has them.
  static QueryPeer::Index index(std::size_t place, std::size_t numbers) {
    const detail::EntityType& type = detail::kEntityType<Question>;
    return {detail::kind_key("Question"), detail::find_index(type, type.indexes[place]).entry_prefixes(),
            numbers};
  }

  template <class Rows>
  static std::vector<int> votes_of(const Rows& rows) {
    std::vector<int> votes;
    for (const Question& question : rows) votes.push_back(question.votes());
    return votes;
  }

  /// Over `index`: all of an author, and the first of those from some day on.
  void add_indexed() {
    constexpr int kTimes = 200;
    const auto of_author =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(data_.entities), QueryData::kByAuthor);
    by_hand("peer-equal", questions_, kTimes,
            [=, data = data_, by_author = index(0, 0)](QueryPeer& peer, Watch& watch, int number) {
              QueryPeer::Index of = by_author;
              detail::append_id(of.prefixes.front(), data.author(number * 31));
              peer.find_questions(of, {}, std::numeric_limits<std::size_t>::max(),
                                  [&](const QueryPeer::Found&) { watch.see(); });
              check(watch.rows() >= of_author, "peer-equal");
            });
    own("equal", "equal", questions_, kTimes, [=, data = data_](Mapper& mapper, Watch& watch, int number) {
      for ([[maybe_unused]] const Question& question :
           mapper.query<Question>(Field::author == data.author(number * 31)))
        watch.see();
      check(watch.rows() >= of_author, "equal");
    });
    const auto day = [data = data_](int number) {
      return number * 37 % (std::max(data.entities / QueryData::kByDay, 2) - 1);
    };
    by_hand("peer-from-day", questions_, kTimes,
            [=, by_day = index(1, 1)](QueryPeer& peer, Watch& watch, int number) {
              std::string from;
              detail::append_id(from, day(number));
              peer.find_questions(by_day, from, kFew, [&](const QueryPeer::Found&) { watch.see(); });
              check(watch.rows() == kFew, "peer-from-day");
            });
    own("from-day", "from-day", questions_, kTimes, [=](Mapper& mapper, Watch& watch, int number) {
      for ([[maybe_unused]] const Question& question :
           mapper.query<Question>(Field::day >= day(number)).order_by(Field::day).limit(kFew))
        watch.see();
      check(watch.rows() == kFew, "from-day");
    });
  }

  /// Of a sharded index, from its begin to its end, and the first of it.
  void add_range() {
    const detail::EntityType& type = detail::kEntityType<LogEntry>;
    QueryPeer::Index by_company = {detail::kind_key("LogEntry"),
                                   detail::find_index(type, type.indexes.front()).entry_prefixes(), 1};
    for (std::string& prefix : by_company.prefixes)
      detail::append_id(prefix, std::string(QueryData::kCompany));
    const auto entities = static_cast<std::uint64_t>(data_.entities);
    for (const auto& [name, limit, times] :
         {std::tuple("range", entities, 1), std::tuple("range-20", kFew, 200)}) {
      by_hand(fmt::format("peer-{}", name), log_, times, [=](QueryPeer& peer, Watch& watch, int) {
        std::int64_t before = 0;
        peer.find_log(by_company, {}, limit, [&](const QueryPeer::Found& found) {
          check(found.when >= before, name);
          before = found.when;
          watch.see();
        });
        check(watch.rows() == limit, name);
      });
      own(name, name, log_, times, [=](Mapper& mapper, Watch& watch, int) {
        std::int64_t before = 0;
        for (const LogEntry& entry : mapper.range<LogEntry::ByCompany>(QueryData::kCompany).limit(limit)) {
          check(entry.time() >= before, name);
          before = entry.time();
          watch.see();
        }
        check(watch.rows() == limit, name);
      });
    }
  }

  template <class Ask>
  void by_hand(const std::string& name, const std::filesystem::path& folder, int times, Ask ask) {
    all.push_back({name, name, times, [folder, ask] {
                     return [peer = std::make_shared<QueryPeer>(folder), ask](Watch& watch, int number) {
                       ask(*peer, watch, number);
                     };
                   }});
  }
  /// `prepare` is not measured.
  template <class Ask>
  void own(
      const std::string& name, const std::string& peer, const std::filesystem::path& folder, int times,
      Ask ask, const std::function<void(Mapper&)>& prepare = [](Mapper&) {}) {
    all.push_back({"autoshard-" + name, "peer-" + peer, times, [folder, ask, prepare] {
                     // What is dirty stays so.
                     const MapperOptions options = {.compact_every = std::chrono::milliseconds(0)};
                     auto open = std::make_shared<OpenStore>(folder, options);
                     prepare(open->mapper);
                     return [open, ask](Watch& watch, int number) { ask(open->mapper, watch, number); };
                   }});
  }

  const std::filesystem::path questions_, log_;
  const QueryData& data_;
};

/// In MiB, of this process: the most memory it had since `forget_peak`.
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM")) return std::stod(line.substr(line.find(':') + 1)) / 1024;
  }
  throw std::runtime_error("no VmHWM in /proc/self/status");
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

/// Of one contestant, those of its rounds.
struct Figures {
  std::vector<double> each, first;  // milliseconds that a query takes, and until its first row
  double rows = 0;                  // that one of them looks at
  double peak = 0;
};

void measure(const Contestant& contestant, int round, Figures& figures) {
  const Contestant::Ask ask = contestant.open();
  forget_peak();
  Clock::duration all{};
  std::vector<double> firsts;
  std::uint64_t rows = 0;
  for (int time = 0; time < contestant.times; ++time) {
    Watch watch;
    ask(watch, round * contestant.times + time);
    all += watch.all();
    firsts.push_back(milliseconds(watch.first()));
    rows += watch.rows();
  }
  figures.each.push_back(milliseconds(all) / contestant.times);
  figures.first.push_back(median(firsts));
  figures.rows = static_cast<double>(rows) / contestant.times;
  figures.peak = std::max(figures.peak, peak());
}

/// What AutoShard promises of a million entities.
struct Limit {
  std::string row;  // empty: every one of AutoShard's own
  std::string value;
  double most;
};
const std::vector<Limit> kLimits = {{"autoshard-count", "ratio_to_peer", 1.3},
                                    {"autoshard-top-20", "milliseconds", 1},
                                    {"autoshard-range", "first_ms", 5},
                                    {"", "peak_mib", 200}};

/// Says which limits are passed; whether any is.
bool passes_a_limit(const std::vector<Row>& rows) {
  bool passes = false;
  for (const Limit& limit : kLimits) {
    for (const Row& row : rows) {
      if (limit.row.empty() ? !row.own() : row.name != limit.row) continue;
      if (row.number(limit.value) <= limit.most) continue;
      passes = true;
      fmt::print("{}: {} is {:.2f}, and should be {:.2f} at most\n", row.name, limit.value,
                 row.number(limit.value), limit.most);
    }
  }
  return passes;
}

}  // namespace

std::vector<Row> run_query(const QueryOptions& options) {
  const WorkFolder work(options.folder);
  const std::filesystem::path questions = work.path() / "questions", log = work.path() / "log";
  const QueryData data(options.entities);
  fmt::print("{} questions with {} shards each, and as many log entries\n{}\n", options.entities,
             QueryData::kShards, describe_machine(work.path()));
  std::fflush(stdout);
  const Clock::time_point begin = Clock::now();
  fill_questions(questions, data);
  const Clock::time_point between = Clock::now();
  fill_log(log, data);
  fmt::print("filled in {:.0f} and {:.0f} s\n\n", milliseconds(between - begin) / 1000,
             milliseconds(Clock::now() - between) / 1000);
  std::fflush(stdout);

  const std::vector<Contestant> all = Contestants(questions, log, data).all;
  std::vector<Figures> figures(all.size());
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) measure(all[i], round, figures[i]);
  }

  fmt::print("{:<20}{:>11}{:>9}{:>10}{:>9}{:>11}{:>9}\n", "", "ms", "rows", "us a row", "to peer",
             "first, ms", "MiB");
  std::vector<Row> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto peer = std::ranges::find(all, all[i].peer, &Contestant::name);
    const double took = median(figures[i].each);
    const double ratio = took / median(figures[static_cast<std::size_t>(peer - all.begin())].each);
    const double a_row = took * 1000 / figures[i].rows, first = median(figures[i].first);
    fmt::print("{:<20}{:>11.3f}{:>9.0f}{:>10.2f}{:>8.2f}x{:>11.3f}{:>9.0f}\n", all[i].name, took,
               figures[i].rows, a_row, ratio, first, figures[i].peak);
    rows.push_back({all[i].name,
                    {{"entities", static_cast<double>(options.entities)},
                     {"milliseconds", took},
                     {"rows", figures[i].rows},
                     {"us_per_row", a_row},
                     {"ratio_to_peer", ratio},
                     {"first_ms", first},
                     {"peak_mib", figures[i].peak}}});
  }
  if (passes_a_limit(rows) && options.check) throw std::runtime_error("a limit is passed");
  return rows;
}

}  // namespace autoshard::bench
