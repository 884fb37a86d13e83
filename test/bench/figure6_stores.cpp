#include <autoshard/rocksdb_store.h>
#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

#include "figure6.h"

namespace autoshard::bench {

std::vector<Row> run_figure6_on_rocksdb(Figure6Options options, const std::filesystem::path& folder) {
  options.store = "RocksDB";
  const std::filesystem::path own = folder / fmt::format("autoshard-figure6-{}", getpid());
  return run_figure6(options, [&](const VoteSetting& setting, const VoteScheme& scheme) {
    VoteResult result;
    {
      RocksDbStore store(own, {.minimum_free_bytes = 0});
      result = run_votes(store, setting, scheme);
    }
    std::filesystem::remove_all(own);
    return result;
  });
}

void run_simulated_figure6(const Figure6Options& options, const std::string& json) {
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("autoshard_figure6").string();
  std::vector<std::string> arguments = {program,
                                        "--users",
                                        fmt::to_string(options.setting.users),
                                        "--rate",
                                        fmt::to_string(options.setting.votes_per_second),
                                        "--most-rate",
                                        fmt::to_string(options.most_votes_per_second),
                                        "--seconds",
                                        fmt::to_string(options.setting.seconds)};
  if (!options.svg.empty()) arguments.insert(arguments.end(), {"--svg", options.svg.string()});
  if (!json.empty()) arguments.insert(arguments.end(), {"--json", json});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw std::runtime_error("cannot start " + program);
}

}  // namespace autoshard::bench
