#include <autoshard/mysql_store.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <type_traits>

#include "figure6.h"
#include "galera_cluster.h"

namespace autoshard::bench {
namespace {

/// What a function gives in a process of its own, which may not have been told anything of the database yet.
template <class Function>
class Elsewhere {
 public:
  using Result = std::invoke_result_t<Function>;
  static_assert(std::is_trivially_copyable_v<Result>);

  explicit Elsewhere(const Function& function) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      close(ends[0]);
      _exit(run(function, ends[1]) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    end_ = ends[0];
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  ~Elsewhere() {
    close(end_);
    waitpid(process_, nullptr, 0);
  }

  Result get() {
    Result result;
    auto* bytes = reinterpret_cast<char*>(&result);
    for (std::size_t there = 0; there < sizeof result;) {
      const ssize_t size = read(end_, bytes + there, sizeof result - there);
      if (size <= 0) throw std::runtime_error("a process that votes has failed");
      there += static_cast<std::size_t>(size);
    }
    return result;
  }

 private:
  static bool run(const Function& function, int end) try {
    const Result result = function();
    const auto* bytes = reinterpret_cast<const char*>(&result);
    for (std::size_t there = 0; there < sizeof result;) {
      const ssize_t size = write(end, bytes + there, sizeof result - there);
      if (size <= 0) return false;
      there += static_cast<std::size_t>(size);
    }
    return true;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return false;
  }

  pid_t process_;
  int end_;
};

/// Each process prefers another node, as one that runs beside it.
MySqlOptions options_of(const MySqlOptions& options, int process) {
  MySqlOptions own = options;
  std::rotate(own.endpoints.begin(),
              own.endpoints.begin() + process % static_cast<std::ptrdiff_t>(own.endpoints.size()),
              own.endpoints.end());
  return own;
}

VoteResult run_votes_on(const MySqlOptions& options, const VoteSetting& setting, const VoteScheme& scheme) {
  Elsewhere([&] {
    MySqlStore store(options);
    begin_votes(store, setting, scheme);
    return true;
  }).get();

  VoteSetting share = setting;
  share.processes = 1;
  share.users /= setting.processes;
  share.votes_per_second /= setting.processes;
  const auto vote_in = [&](int process) {
    return [&, process] {
      MySqlStore store(options_of(options, process));
      return cast_votes(store, share, scheme);
    };
  };
  std::vector<std::unique_ptr<Elsewhere<decltype(vote_in(0))>>> processes;
  for (int process = 0; process < setting.processes; ++process)
    processes.push_back(std::make_unique<Elsewhere<decltype(vote_in(0))>>(vote_in(process)));
  std::vector<VoteTally> tallies;
  for (const auto& process : processes) tallies.push_back(process->get());

  const std::int64_t counted = Elsewhere([&] {
                                 MySqlStore store(options);
                                 return count_votes(store, setting, scheme);
                               }).get();
  return result_of(tallies, counted);
}

}  // namespace

std::vector<Row> run_figure6_on_mysql(Figure6Options options, const std::filesystem::path& folder,
                                      bool is_cluster) {
  options.store = is_cluster ? "three Galera nodes" : "one MariaDB";
  options.random_shards = 16;
  options.compares_strategies = false;
  options.saturates = true;
  const std::filesystem::path own = folder / fmt::format("autoshard-figure6-{}", getpid());
  std::vector<std::string> arguments = {"--max-connections=" + std::to_string(options.setting.users + 50)};
  const auto run_on = [&](const std::vector<std::string>& sockets) {
    return run_figure6(options, [&](const VoteSetting& setting, const VoteScheme& scheme) {
      return run_votes_on(test::options_of_a_new_table(sockets), setting, scheme);
    });
  };
  std::vector<Row> rows;
  if (is_cluster) {
    test::GaleraCluster cluster(own, 3, arguments);
    rows = run_on(cluster.sockets());
  } else {
    test::make_server_folder(own);
    arguments.insert(arguments.end(), {"--skip-networking", "--skip-grant-tables"});
    test::MariaDbServer server(own / "server", arguments);
    server.start();
    server.wait_until_ready();
    rows = run_on({server.socket()});
  }
  std::filesystem::remove_all(own);
  return rows;
}

}  // namespace autoshard::bench
