// Classes as real code bases have them. Those in right/ must be accepted without a word. Each header in
// wrong/ breaks one rule, and says which message that earns and how to mend it: see tool/check/examples.h.
// The rules show these headers as their examples. AUTOSHARD_UPDATE_GOLDEN=1 writes the messages into the
// headers, and tool/RULES.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/temporary_folder.h"
#include "tool/check/examples.h"
#include "tool/check/rule.h"
#include "tool/check/rule_pages.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

bool is_updating() { return std::getenv("AUTOSHARD_UPDATE_GOLDEN") != nullptr; }

constexpr const char* kHowToUpdate = "to refresh: AUTOSHARD_UPDATE_GOLDEN=1 build/bin/corpus_test";

/// One message of the generator, as it is expected or as it was printed.
struct Message {
  std::string file;
  std::size_t line = 0;
  std::string rule;
  std::string text;

  friend bool operator==(const Message&, const Message&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Message& one) {
    return out << one.file << ":" << one.line << ": " << one.text << " [" << one.rule << "]";
  }
};

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

fs::path in_corpus(const std::string& name) { return fs::path(CORPUS_FOLDER) / name; }

/// The names of the headers in a folder, without extension. Those named `…_fwd` are only included.
std::vector<std::string> headers_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(in_corpus(folder))) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".h" && !stem.ends_with("_fwd")) names.push_back(folder + "/" + stem);
  }
  std::ranges::sort(names);
  return names;
}

/// The header `name` and its `_fwd`, if it has one.
std::vector<fs::path> files_of(const std::string& name) {
  std::vector<fs::path> files = {in_corpus(name + ".h")};
  if (const fs::path forward = in_corpus(name + "_fwd.h"); fs::exists(forward)) files.push_back(forward);
  return files;
}

/// The messages that the header `name` is expected to earn.
std::vector<Message> expected(const std::string& name) {
  std::vector<Message> messages;
  for (const fs::path& file : files_of(name)) {
    for (const Expectation& one : read_corpus_file(read(file)).expected)
      messages.push_back({file.filename().string(), one.line, one.rule, one.message});
  }
  return messages;
}

/// The errors and warnings in what the generator printed.
std::vector<Message> messages_in(const std::string& output) {
  static const std::regex kMessage(
      "([^/\n]+):([0-9]+):[0-9]+: (?:error|warning): (.*?)(?: \\[([^\\[\\]]*)\\])?$");
  std::vector<Message> messages;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kMessage))
      messages.push_back({match[1], std::stoul(match[2]), match[4], match[3]});
  }
  return messages;
}

/// One run of the generator over several headers, with their sources.
struct Attempt {
  explicit Attempt(const std::vector<fs::path>& headers, bool warnings_are_errors = false,
                   bool laws_are_tested = false) {
    const test::TemporaryFolder folder;
    Job job{.headers = {},
            .flags = {"-std=c++20"},
            .output_folder = folder.path().string(),
            .control = {.warnings_are_errors = warnings_are_errors, .laws_are_tested = laws_are_tested}};
    for (const fs::path& header : headers) {
      job.headers.push_back(header.string());
      const fs::path source = fs::path(header).replace_extension(".cpp");
      if (fs::exists(source)) job.sources.push_back(source.string());
    }
    testing::internal::CaptureStderr();
    ok = run(job);
    output = testing::internal::GetCapturedStderr();
    messages = messages_in(output);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
      written.insert(entry.path().filename().string());
  }

  bool ok = false;
  std::string output;
  std::vector<Message> messages;
  std::set<std::string> written;
};

/// When a rule is judged: those of one stage only where none of the stages before it is broken.
enum class Stage { kRules, kValues, kLaws };

Stage stage_of(const std::string& tag) {
  const Rule* rule = find_rule(tag);
  if (rule && rule->subject == Subject::kValue) return Stage::kValues;
  return rule && rule->subject == Subject::kLaw ? Stage::kLaws : Stage::kRules;
}

/// The wrong headers that break rules of this stage.
std::vector<std::string> wrong_headers(Stage stage) {
  std::vector<std::string> names = headers_in("wrong");
  std::erase_if(names, [&](const std::string& name) {
    const std::vector<Message> wanted = expected(name);
    return wanted.empty() || stage_of(wanted.front().rule) != stage;
  });
  return names;
}

/// The result of `attempt`, which is made once for each stage: headers are read together, because that saves
/// reading the standard library for each.
template <typename MakeAttempt>
const Attempt& once(Stage stage, const MakeAttempt& attempt) {
  static std::map<Stage, Attempt> made;
  const auto found = made.find(stage);
  return found != made.end() ? found->second : made.emplace(stage, attempt(stage)).first->second;
}

class RightCorpus : public testing::TestWithParam<std::string> {
 protected:
  static const Attempt& attempt() {
    static const Attempt kAttempt = [] {
      std::vector<fs::path> headers;
      for (const std::string& name : headers_in("right")) headers.push_back(in_corpus(name + ".h"));
      return Attempt(headers, false, true);  // by the law tests of the corpus
    }();
    return kAttempt;
  }
};

class WrongCorpus : public testing::TestWithParam<std::string> {
 protected:
  static const Attempt& attempt(Stage stage) {
    return once(stage, [](Stage its) {
      std::vector<fs::path> headers;
      for (const std::string& name : wrong_headers(its)) headers.push_back(in_corpus(name + ".h"));
      return Attempt(headers, true);
    });
  }
};

/// The wrong headers as they say how to mend them.
class MendedCorpus : public testing::TestWithParam<std::string> {
 protected:
  static const Attempt& attempt(Stage stage) {
    return once(stage, [](Stage its) {
      const test::TemporaryFolder folder;
      std::vector<fs::path> headers;
      for (const std::string& name : wrong_headers(its)) {
        for (const fs::path& file : files_of(name))
          write(headers.emplace_back(folder.path() / file.filename()), read_corpus_file(read(file)).mended);
      }
      return Attempt(headers, true);
    });
  }
};

/// Writes the messages that the header earns beside the lines that earn them.
void update(const std::string& name) {
  const Attempt found({in_corpus(name + ".h")}, true);
  for (const fs::path& file : files_of(name)) {
    std::vector<Expectation> messages;
    for (const Message& one : found.messages) {
      if (one.file == file.filename()) messages.push_back({one.line, one.rule, one.text});
    }
    write(file, with_expectations(read(file), messages));
  }
}

TEST_P(RightCorpus, IsAcceptedInSilence) {
  EXPECT_TRUE(attempt().ok);
  EXPECT_TRUE(attempt().written.contains(fs::path(GetParam()).filename().string() + ".autoshard.h"));
  EXPECT_EQ(attempt().output, "");
}

TEST_P(WrongCorpus, IsRefusedWhereItIsWrong) {
  if (is_updating()) update(GetParam());
  const std::vector<Message> wanted = expected(GetParam());
  ASSERT_EQ(wanted.size(), 1U) << "a header here is wrong in one way; " << kHowToUpdate;
  if (is_updating()) return;
  const Attempt& found = attempt(stage_of(wanted.front().rule));
  EXPECT_FALSE(found.ok);
  EXPECT_TRUE(found.written.empty());
  std::vector<Message> messages = found.messages;
  std::erase_if(messages, [&](const Message& one) {
    return std::ranges::none_of(files_of(GetParam()),
                                [&](const fs::path& file) { return file.filename() == one.file; });
  });
  EXPECT_EQ(messages, wanted) << kHowToUpdate;
}

TEST_P(MendedCorpus, IsAcceptedInSilence) {
  const std::string name = fs::path(GetParam()).filename().string();
  const auto is_mended = [](const fs::path& path) {
    const CorpusFile file = read_corpus_file(read(path));
    return file.wrong != file.right;
  };
  EXPECT_TRUE(std::ranges::any_of(files_of(GetParam()), is_mended)) << "it does not say how to mend it";
  const Attempt& found = attempt(stage_of(expected(GetParam()).front().rule));
  EXPECT_TRUE(found.written.contains(name + ".autoshard.h")) << found.output;
  for (const Message& one : found.messages) EXPECT_NE(fs::path(one.file).stem(), name) << one;
}

std::string name_of(const testing::TestParamInfo<std::string>& name) {
  return fs::path(name.param).filename().string();
}

INSTANTIATE_TEST_SUITE_P(Headers, RightCorpus, testing::ValuesIn(headers_in("right")), name_of);
INSTANTIATE_TEST_SUITE_P(Headers, WrongCorpus, testing::ValuesIn(headers_in("wrong")), name_of);
INSTANTIATE_TEST_SUITE_P(Headers, MendedCorpus, testing::ValuesIn(headers_in("wrong")), name_of);

TEST(Rules, HaveAnExampleEach) {
  std::set<std::string_view> tags;
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(tags.insert(rule->tag).second) << rule->tag << " is there twice";
    const Example example = example_of(rule->tag);
    EXPECT_NE(example.wrong, "") << "no header in wrong/ breaks " << rule->tag;
    EXPECT_NE(example.right, "") << rule->tag;
    EXPECT_NE(example.message, "") << rule->tag << "; " << kHowToUpdate;
    for (const std::string& code : {example.wrong, example.right}) {
      EXPECT_TRUE(code.ends_with("…\n") || std::ranges::count(code, '{') == std::ranges::count(code, '}'))
          << rule->tag << " leaves a brace open:\n"
          << code;
    }
  }
  for (const std::string& name : headers_in("wrong")) {
    for (const Message& one : expected(name)) EXPECT_TRUE(tags.contains(one.rule)) << one;
  }
}

TEST(Rules, AreSaidInSentences) {
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(rule->tag.starts_with("autoshard-")) << rule->tag;
    EXPECT_TRUE(rule->summary.ends_with('.')) << rule->tag;
    EXPECT_TRUE(rule->reason.ends_with('.')) << rule->tag;
    EXPECT_EQ(std::ranges::count(rule->summary, '\'') % 2, 0) << rule->tag << ": quotes enclose code";
    EXPECT_EQ(std::ranges::count(rule->reason, '\'') % 2, 0) << rule->tag << ": quotes enclose code";
    if (rule->severity == Diagnostic::Severity::kWarning) {
      EXPECT_TRUE(rule->optional) << rule->tag << " warns, so nothing relies on it";
    }
  }
}

TEST(Rules, AreFoundWithAndWithoutPrefix) {
  EXPECT_EQ(find_rule("no-id"), find_rule("autoshard-no-id"));
  EXPECT_EQ(find_rule("no-ids"), nullptr);
  EXPECT_EQ(no_such_rule("no-ids", "see --list-rules"),
            "there is no rule 'autoshard-no-ids'; did you mean 'autoshard-no-id'?");
  EXPECT_EQ(no_such_rule("xyzzyx", "see --list-rules"),
            "there is no rule 'autoshard-xyzzyx'; see --list-rules");
}

TEST(Rules, HavePages) {
  const std::string page = page_of_rule("no-id");
  EXPECT_TRUE(page.starts_with("autoshard-no-id (error)\n\nAn entity has an id.\n")) << page;
  EXPECT_NE(page.find("Wrong:\n\n    class [[autoshard::entity]] Subscription {"), std::string::npos) << page;
  EXPECT_NE(page.find("  error: entity 'Subscription' has no id; mark one of its members"), std::string::npos)
      << page;
  EXPECT_NE(page.find("[[autoshard::id]] std::string reader;"), std::string::npos) << page;
  EXPECT_NE(page.find("cannot be disabled"), std::string::npos) << page;
  EXPECT_NE(page_of_rule("fold-not-commutative").find("--disable=fold-not-commutative"), std::string::npos);
  EXPECT_EQ(page_of_rule("no-ids"), "");
  EXPECT_NE(list_of_rules().find("autoshard-no-id "), std::string::npos);
}

TEST(RulesPage, IsWhatTheGeneratorWrites) {
  if (is_updating()) write(RULES_PAGE, rules_in_markdown());
  EXPECT_TRUE(read(RULES_PAGE) == rules_in_markdown())
      << "to refresh: build/bin/autoshard --list-rules --markdown > tool/RULES.md";
}

}  // namespace
}  // namespace autoshard::tool
