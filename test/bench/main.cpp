#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "adaptive.h"
#include "codegen.h"
#include "figure6.h"
#include "growth.h"
#include "hot.h"
#include "micro.h"
#include "query.h"
#include "rows.h"
#include "strategies.h"

int main(int argc, char** argv) {
  using namespace autoshard::bench;
  CLI::App app("Measures AutoShard next to others that do the same.");
  app.require_subcommand(1);
  app.get_formatter()->column_width(36);

  std::vector<Row> rows;
  std::string json;

  // What several subcommands have.
  const auto add_folder = [](CLI::App* command, std::filesystem::path& folder) {
    command->add_option("--folder", folder, "Where to keep the data meanwhile")
        ->check(CLI::ExistingDirectory)
        ->capture_default_str();
  };
  const auto add_rounds = [](CLI::App* command, int& rounds) {
    command->add_option("--rounds", rounds, "In how many turns; figures are medians")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
  };

  MicroOptions micro;
  CLI::App* const micro_command =
      app.add_subcommand("micro", "apply, save and load on RocksDB, next to the same by hand");
  micro_command->add_flag("--sync", micro.sync, "Commit to disk");
  micro_command->add_option("--repetitions", micro.repetitions, "How often each is measured")
      ->capture_default_str();
  micro_command->add_option("--seconds", micro.seconds, "How long one measurement takes")
      ->capture_default_str();
  micro_command->callback([&] { print(rows = run_micro(micro)); });

  RaceOptions hot, shards, load;
  load.setting.threads = 1;
  load.setting.entities = 300;
  load.setting.sync = false;
  const auto add_race = [&](const char* name, const char* description, RaceOptions& options, auto run) {
    CLI::App* const command = app.add_subcommand(name, description);
    command->add_option("--threads", options.setting.threads, "How many at the same time")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--entities", options.setting.entities, "How many, taken at random")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--seconds", options.setting.seconds, "How long each is measured")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_rounds(command, options.setting.rounds);
    add_folder(command, options.setting.folder);
    command
        ->add_option("--only", options.only,
                     "Only rows of these names, or with these beginnings, such as peer-")
        ->delimiter(',');
    command->add_option("--svg", options.svg, "Also draw the results to this file");
    command->callback([&rows, &options, run] { rows = run(options); });
    return command;
  };
  const auto add_sync = [](CLI::App* command, RaceOptions& options) {
    command->add_flag("--sync,!--no-sync", options.setting.sync, "Acknowledge when on disk (the default)");
  };
  add_sync(add_race("hot", "Many threads update one entity, next to others that count", hot, run_hot), hot);
  add_sync(add_race("shards", "The same with different numbers of shards", shards, run_shards), shards);
  add_race("load", "Loads of entities with 1, 10 and 64 shards, next to the same by hand", load, run_load);

  AdaptiveOptions adaptive;
  CLI::App* const adaptive_command =
      app.add_subcommand("adaptive", "How the number of shards follows a load that rises, moves and falls");
  adaptive_command->add_option("--processes", adaptive.processes, "Mappers that share a store")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  adaptive_command->add_option("--threads", adaptive.threads, "Of each of these")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  adaptive_command->add_option("--seconds", adaptive.seconds, "How long the load stays as it is")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  adaptive_command
      ->add_option_function<int>(
          "--window", [&](int milliseconds) { adaptive.window = std::chrono::milliseconds(milliseconds); },
          "Of the statistics, in milliseconds; 250 if not given")
      ->check(CLI::Range(1, 60'000));
  adaptive_command->add_flag("--sync,!--no-sync", adaptive.sync, "Acknowledge when on disk (the default)");
  add_folder(adaptive_command, adaptive.folder);
  adaptive_command->add_option("--svg", adaptive.svg, "Also draw the run to this file");
  adaptive_command->callback([&] { rows = run_adaptive(adaptive); });

  StrategyOptions strategies;
  CLI::App* const strategies_command =
      app.add_subcommand("strategies", "An update and a load by each strategy, by shards and by deltas");
  strategies_command->add_option("--most-deltas", strategies.most_deltas, "Of 10, 100, and so on")
      ->check(CLI::Range(10, 10'000'000))
      ->capture_default_str();
  strategies_command->add_option("--seconds", strategies.seconds, "How long each is measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  strategies_command->add_flag("--sync", strategies.sync, "Commit to disk");
  add_folder(strategies_command, strategies.folder);
  strategies_command->add_option("--svg", strategies.svg, "Also draw the results to this file");
  strategies_command->callback([&] { rows = run_strategies(strategies); });

  QueryOptions query;
  CLI::App* const query_command = app.add_subcommand(
      "query", "Queries over a sharded property and over indexes, next to the same by hand");
  query_command->add_option("--entities", query.entities, "With ten shards each")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  query_command->add_flag("--check", query.check, "Fail where a figure is above its limit");
  add_rounds(query_command, query.rounds);
  add_folder(query_command, query.folder);
  query_command->callback([&] { rows = run_query(query); });

  GrowthOptions growth;
  CLI::App* const growth_command =
      app.add_subcommand("growth", "An update in stores of 1,000 entities, of 10,000, and so on");
  growth_command->add_option("--most", growth.most, "The last of these")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  growth_command->add_option("--seconds", growth.seconds, "How long each is measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_rounds(growth_command, growth.rounds);
  add_folder(growth_command, growth.folder);
  growth_command->add_option("--svg", growth.svg, "Also draw the results to this file");
  growth_command->callback([&] { rows = run_growth(growth); });

  Figure6Options figure6;
  std::string figure6_store = "simulated";
  std::filesystem::path figure6_folder = std::filesystem::temp_directory_path();
  CLI::App* const figure6_command =
      app.add_subcommand("figure6", "The paper's experiment: users vote, naively and with AutoShard");
  figure6_command->add_option("--store", figure6_store, "A Cloud Datastore in virtual time, or a real store")
      ->check(CLI::IsMember({"simulated", "rocksdb", "mariadb", "galera"}))
      ->capture_default_str();
  figure6_command->add_option("--users", figure6.setting.users, "Each votes now and then")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  figure6_command
      ->add_option("--rate", figure6.setting.votes_per_second, "Votes a second, of all users together")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  figure6_command
      ->add_option("--most-rate", figure6.most_votes_per_second,
                   "It doubles up to this, or until half of the naive votes fail")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  figure6_command->add_option("--seconds", figure6.setting.seconds, "How long each is measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_folder(figure6_command, figure6_folder);
  figure6_command->add_option("--svg", figure6.svg, "Also draw failures to this file, and times next to it");
  figure6_command->callback([&] {
    if (figure6_store == "rocksdb") {
      rows = run_figure6_on_rocksdb(figure6, figure6_folder);
    } else if (figure6_store != "simulated") {
      rows = run_figure6_on_mysql(figure6, figure6_folder, figure6_store == "galera");
    } else {
      run_simulated_figure6(figure6, json);
    }
  });

  CodegenOptions codegen;
  CLI::App* const codegen_command =
      app.add_subcommand("codegen", "the generator, next to clang++ -fsyntax-only of the same header");
  codegen_command->add_option("--rounds", codegen.rounds, "How often each is measured")
      ->capture_default_str();
  codegen_command->add_option("--headers", codegen.headers, "How many are given at once")
      ->capture_default_str();
  codegen_command->add_option("--autoshard", codegen.autoshard, "The generator")->capture_default_str();
  codegen_command->add_option("--clang", codegen.clang, "The compiler next to the generator")
      ->capture_default_str();
  codegen_command->add_option("--compiler", codegen.compiler, "What compiles a source with three calls")
      ->capture_default_str();
  codegen_command->callback([&] { print(rows = run_codegen(codegen)); });

  for (CLI::App* command : app.get_subcommands({})) {
    command->add_option("--json", json, "Also write the results to this file");
  }

  try {
    app.parse(argc, argv);
    if (!json.empty()) write_json(json, rows);
    check_nothing_lost(rows);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "autoshard_bench: " << error.what() << '\n';
    return 1;
  }
}
