/// The voting application of the paper: people put questions to a moderator, vote on them and respond to
/// them.

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "http_simulation.h"
#include "question.autoshard.h"
#include "server/serve.h"
#include "simulation.h"

namespace {

using moderator::Question;

constexpr int kQuestions = 16;
constexpr int kShown = 20;  // questions, or responses

void seed(autoshard::Mapper& mapper) {
  int asked = 0;
  for (int id = 1; id <= kQuestions; ++id) {
    if (mapper.exists<Question>(id)) continue;
    mapper.save(Question{id, fmt::format("How do you plan to improve public education in district {}?", id),
                         "Phil R"});
    ++asked;
  }
  fmt::print("{} questions asked, {} were there before\n", asked, kQuestions - asked);
}

void vote(autoshard::Mapper& mapper, int id, bool down) {
  if (down) {
    mapper.apply<&Question::voteDown>(id);
  } else {
    mapper.apply<&Question::voteUp>(id);
  }
  fmt::print("voted on question {}\n", id);
}

void respond(autoshard::Mapper& mapper, int id, const std::string& text, const std::string& author) {
  mapper.apply<&Question::addResponse>(id, text, author);
  fmt::print("responded to question {}\n", id);
}

/// The most popular ones first.
void show(autoshard::Mapper& mapper) {
  using q = autoshard::Fields<Question>;
  fmt::print("{:>4} {:>7}  {}\n", "id", "votes", "question");
  autoshard::admin::build_indexes<Question>(mapper);  // of a database from before there was one; otherwise
                                                      // there is nothing to do
  const auto ranking = mapper.query<Question>().order_by(q::votes.desc()).limit(kShown);
  for (const auto& [id, votes, question] : ranking.select(q::id, q::votes, q::question)) {
    fmt::print("{:>4} {:>7}  {}\n", id, votes, question);
  }
}

/// The newest ones.
void show_responses(autoshard::Mapper& mapper, int id) {
  using q = autoshard::Fields<Question>;
  for (const auto& element : mapper.elements(id, q::responses).newest_first().limit(kShown)) {
    fmt::print("{}: {}\n", element.value.author, element.value.text);
  }
}

/// A folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "moderator-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool simulate_in_own_store(moderator::Simulation simulation) {
  if (!simulation.store.empty()) return moderator::simulate(simulation);
  const TemporaryFolder folder;
  simulation.store = folder.path() / "votes.db";
  return moderator::simulate(simulation);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"Questions to a moderator, votes on them and responses. Without a command: simulate."};
  std::string path = "moderator.db";
  const auto with_store = [&path](CLI::App* command) {
    command->add_option("--store", path, "Folder of the database")->capture_default_str();
    return command;
  };

  with_store(app.add_subcommand("seed", "Ask the first questions"))->callback([&] {
    autoshard::RocksDbStore store{path};
    autoshard::Mapper mapper{store};
    seed(mapper);
  });

  int id = 0;
  bool down = false;
  CLI::App* vote_command = with_store(app.add_subcommand("vote", "Vote for a question"));
  vote_command->add_option("ID", id, "Its number")->required();
  vote_command->add_flag("--down", down, "Vote against it");
  vote_command->callback([&] {
    autoshard::RocksDbStore store{path};
    autoshard::Mapper mapper{store};
    vote(mapper, id, down);
  });

  std::string text, author = "anonymous";
  CLI::App* respond_command = with_store(app.add_subcommand("respond", "Respond to a question"));
  respond_command->add_option("ID", id, "Its number")->required();
  respond_command->add_option("TEXT", text, "The response")->required();
  respond_command->add_option("--author", author, "Who responds")->capture_default_str();
  respond_command->callback([&] {
    autoshard::RocksDbStore store{path};
    autoshard::Mapper mapper{store};
    respond(mapper, id, text, author);
  });

  with_store(app.add_subcommand("show", "List the questions with the most votes"))->callback([&] {
    autoshard::RocksDbStore store{path};
    autoshard::Mapper mapper{store};
    show(mapper);
  });

  CLI::App* responses_command = with_store(app.add_subcommand("responses", "List the newest responses"));
  responses_command->add_option("ID", id, "To which question")->required();
  responses_command->callback([&] {
    autoshard::RocksDbStore store{path};
    autoshard::Mapper mapper{store};
    show_responses(mapper, id);
  });

  moderator::ServeOptions served;
  CLI::App* serve_command = app.add_subcommand("serve", "Open the vote in the browser, until Ctrl-C");
  serve_command->add_option("--store", served.store, "rocksdb:PATH, mysql:[HOST:PORT/]DATABASE, or a folder")
      ->capture_default_str();
  serve_command->add_option("--port", served.port, "0 takes a free port")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  serve_command->add_option("--address", served.address, "0.0.0.0 lets other machines in")
      ->capture_default_str();
  serve_command->add_option("--max-viewers", served.max_viewers, "Browsers that can watch at the same time")
      ->check(CLI::Range(1, 2'000))
      ->capture_default_str();
  serve_command->add_option("--max-questions", served.max_questions, "Questions that can be asked")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();

  serve_command
      ->add_option("--monitor-port", served.monitor_port, "Also show the live map of hot spots there")
      ->check(CLI::Range(0, 65'535));

  moderator::Simulation simulation;
  std::string url;
  CLI::App* simulate_command =
      app.add_subcommand("simulate", "Let many users vote at once, naively and sharded, and respond");
  const CLI::Range positive(1, 1'000'000);
  simulate_command->add_option("--users", simulation.users)->check(positive)->capture_default_str();
  simulate_command->add_option("--questions", simulation.questions)->check(positive)->capture_default_str();
  simulate_command->add_option("--threads", simulation.threads)
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  simulate_command->add_option("--votes-per-user", simulation.votes_per_user)
      ->check(positive)
      ->capture_default_str();
  CLI::Option* const simulated_store = simulate_command->add_option(
      "--store", simulation.store, "Folder of the database (default: a temporary one)");
  simulate_command->add_option("--url", url, "Vote through a server, such as http://127.0.0.1:8080")
      ->excludes(simulated_store);
  app.require_subcommand(0, 1);

  CLI11_PARSE(app, argc, argv);
  if (serve_command->parsed()) return moderator::serve(served) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!app.get_subcommands().empty() && !simulate_command->parsed()) return EXIT_SUCCESS;
  if (!url.empty()) return moderator::simulate_over_http(simulation, url) ? EXIT_SUCCESS : EXIT_FAILURE;
  return simulate_in_own_store(simulation) ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const autoshard::Error& error) {
  fmt::print(stderr, "moderator: {}\n", error.what());
  return EXIT_FAILURE;
}
