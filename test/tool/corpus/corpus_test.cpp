// Classes as real code bases have them. Those in right/ must be accepted without a word. Each header in
// wrong/ is wrong in one way, and says where: `// expect: autoshard-rule` at the end of the line that must be
// reported, be it by a warning. A source of the same name belongs to a header.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tool/check/check.h"
#include "tool/laws/laws.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

/// One message of the generator, as it is expected or as it was printed.
struct Message {
  std::string file;
  int line = 0;
  std::string rule;

  friend bool operator==(const Message&, const Message&) = default;
  friend auto operator<=>(const Message&, const Message&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Message& one) {
    return out << one.file << ":" << one.line << " [" << one.rule << "]";
  }
};

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

/// What the header `name`, its source and its `_fwd`, where it has these, say that is wrong with them.
std::vector<Message> expected(const std::string& name) {
  static const std::regex kExpectation("// expect: ([a-z-]+)\r?$");
  std::vector<Message> messages;
  for (const char* extension : {".h", ".cpp", "_fwd.h"}) {
    std::ifstream lines(in_corpus(name + extension));
    int number = 0;
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (std::regex_search(line, match, kExpectation))
        messages.push_back({fs::path(name).filename().string() + extension, number, match[1]});
    }
  }
  return messages;
}

/// The errors and warnings in what the generator printed.
std::vector<Message> messages_in(const std::string& output) {
  static const std::regex kMessage("([^/\n]+):([0-9]+):[0-9]+: (error|warning): ");
  static const std::regex kRule("\\[([^\\[\\]]*)\\]$");
  std::vector<Message> messages;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    std::smatch rule;
    if (!std::regex_search(line, match, kMessage)) continue;
    const bool has_rule = std::regex_search(line, rule, kRule);
    messages.push_back({match[1], std::stoi(match[2]), has_rule ? rule[1].str() : ""});
  }
  return messages;
}

/// One run of the generator over several headers, with their sources.
struct Attempt {
  explicit Attempt(const std::vector<std::string>& names, const Control& control = {}) {
    std::string folder = testing::TempDir() + "corpus-XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    Job job{.headers = {}, .flags = {"-std=c++20"}, .output_folder = folder, .control = control};
    for (const std::string& name : names) {
      job.headers.push_back(in_corpus(name + ".h").string());
      const fs::path source = in_corpus(name + ".cpp");
      if (fs::exists(source)) job.sources.push_back(source.string());
    }
    testing::internal::CaptureStderr();
    ok = run(job);
    output = testing::internal::GetCapturedStderr();
    messages = messages_in(output);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      written.insert(entry.path().filename().string());
    fs::remove_all(folder);
  }

  bool ok = false;
  std::string output;
  std::vector<Message> messages;
  std::set<std::string> written;
};

bool is_law(const std::string& rule) { return std::ranges::find(kLawRules, rule) != std::end(kLawRules); }

/// Headers are read together, which saves reading the standard library for each.
class RightCorpus : public testing::TestWithParam<std::string> {
 protected:
  static const Attempt& attempt() {
    static const Attempt kAttempt(headers_in("right"));
    return kAttempt;
  }
};

class WrongCorpus : public testing::TestWithParam<std::string> {
 protected:
  inline static const Control kStrict{.warnings_are_errors = true};

  /// Laws are judged only where no rule is broken; and a source is read with all headers.
  static const Attempt& attempt(const std::string& name, const std::string& rule) {
    if (fs::exists(in_corpus(name + ".cpp"))) {
      static std::map<std::string, Attempt> alone;
      return alone.try_emplace(name, std::vector{name}, kStrict).first->second;
    }
    static const auto attempt_at = [](bool laws) {
      std::vector<std::string> names = headers_in("wrong");
      std::erase_if(names, [&](const std::string& one) {
        const std::vector<Message> wanted = expected(one);
        return fs::exists(in_corpus(one + ".cpp")) || wanted.empty() || is_law(wanted.front().rule) != laws;
      });
      return Attempt(names, kStrict);
    };
    static const Attempt kOfRules = attempt_at(false);
    static const Attempt kOfLaws = attempt_at(true);
    return is_law(rule) ? kOfLaws : kOfRules;
  }
};

TEST_P(RightCorpus, IsAcceptedInSilence) {
  EXPECT_TRUE(attempt().ok);
  EXPECT_TRUE(attempt().written.contains(fs::path(GetParam()).filename().string() + ".autoshard.h"));
  EXPECT_EQ(attempt().output, "");
}

TEST_P(WrongCorpus, IsRefusedWhereItIsWrong) {
  const std::vector<Message> wanted = expected(GetParam());
  ASSERT_EQ(wanted.size(), 1U) << "a header here is wrong in one way";
  const Attempt& found = attempt(GetParam(), wanted.front().rule);
  EXPECT_FALSE(found.ok);
  EXPECT_TRUE(found.written.empty());
  std::vector<Message> messages = found.messages;
  const std::string name = fs::path(GetParam()).filename().string();
  std::erase_if(messages, [&](const Message& one) {
    const std::string file = fs::path(one.file).stem().string();
    return file != name && file != name + "_fwd";
  });
  EXPECT_EQ(messages, wanted);
}

std::string name_of(const testing::TestParamInfo<std::string>& name) {
  return fs::path(name.param).filename().string();
}

INSTANTIATE_TEST_SUITE_P(Headers, RightCorpus, testing::ValuesIn(headers_in("right")), name_of);
INSTANTIATE_TEST_SUITE_P(Headers, WrongCorpus, testing::ValuesIn(headers_in("wrong")), name_of);

TEST(Corpus, HasAWrongClassForEveryRule) {
  std::set<std::string> found;
  for (const std::string& name : headers_in("wrong")) {
    for (const Message& message : expected(name)) found.insert(message.rule);
  }
  std::set<std::string> rules(std::begin(kLawRules), std::end(kLawRules));
  for (const std::string_view rule : checked_rules()) rules.emplace(rule);
  EXPECT_EQ(found, rules);
}

}  // namespace
}  // namespace autoshard::tool
