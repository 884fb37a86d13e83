#include "test/tool/diagnostics/source.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "tool/frontend/frontend.h"
#include "tool/laws/explain.h"
#include "tool/pipeline.h"

namespace autoshard::tool {

namespace {

constexpr char kFolder[] = "/no/such/folder";

std::string in_folder(const std::string& name) { return std::string(kFolder) + "/" + name; }

/// Headers of the standard library, with names in them, each between two blanks. Other names are those of
/// their headers.
constexpr struct {
  const char* header;
  std::string_view names;
} kHomes[] = {
    {"algorithm",
     " all_of any_of clamp count_if find_if for_each max max_element min none_of ranges remove_if sort "
     "swap_ranges transform unique "},
    {"cassert", " assert "},
    {"cctype", " toupper "},
    {"cerrno", " errno "},
    {"clocale", " setlocale "},
    {"cmath", " floor sqrt "},
    {"cstddef", " size_t "},
    {"cstdint", " int64_t uint32_t uint64_t uint8_t uintptr_t "},
    {"cstdio", " printf puts "},
    {"cstdlib", " abort atexit atoi exit getenv malloc rand strtol "},
    {"cstring", " memcpy strlen "},
    {"ctime", " localtime time time_t "},
    {"exception", " terminate "},
    {"fstream", " ofstream "},
    {"functional", " bit_and bit_or bit_xor function greater hash invoke less multiplies plus "},
    {"iostream", " cerr cout endl "},
    {"limits", " numeric_limits "},
    {"memory", " make_unique shared_ptr unique_ptr "},
    {"new", " bad_alloc "},
    {"numeric", " accumulate "},
    {"ostream", " flush "},
    {"random", " mt19937 random_device uniform_int_distribution "},
    {"sstream", " ostringstream "},
    {"stdexcept",
     " domain_error invalid_argument length_error logic_error out_of_range range_error runtime_error "},
    {"string", " stoi to_string "},
    {"type_traits", " is_constant_evaluated remove_cvref_t "},
    {"utility", " declval exchange forward move pair swap "},
    {"variant", " get get_if holds_alternative monostate visit "},
};

/// What was read, less what is known of its laws: what is tested here is how they are tried.
class Untold : public Parsed {
 public:
  explicit Untold(Parsed& parsed) : parsed_(parsed), model_(without_forms(parsed.model())) {}

  const Model& model() const override { return model_; }
  void report(const Diagnostics& diagnostics) override { parsed_.report(diagnostics); }
  Evaluator& evaluator() override { return parsed_.evaluator(); }
  Prover& prover() override { return parsed_.prover(); }

 private:
  Parsed& parsed_;
  Model model_;
};

Outcome outcome_of(const ParseRequest& request, Scrutiny scrutiny = Scrutiny::kLaws) {
  Outcome outcome;
  llvm::raw_string_ostream output(outcome.output);
  outcome.ok = parse(request, output, [&](Parsed& parsed) {
    outcome.model = parsed.model();
    Untold untold(parsed);
    const Compiled compiled = compile(untold, {}, {}, scrutiny);
    outcome.diagnostics = compiled.problems;
    outcome.explanation = explain(compiled.laws);
    parsed.report(outcome.diagnostics);
  });
  return outcome;
}

}  // namespace

Marked take_marks(std::string_view source) {
  Marked result;
  for (char byte : source) {
    if (byte == '^') {
      result.marks.push_back(static_cast<std::uint32_t>(result.text.size()));
    } else {
      result.text += byte;
    }
  }
  return result;
}

Outcome parse_text(const std::string& text, const std::vector<std::string>& flags) {
  return parse_texts({{"entity.h", text}}, {}, flags);
}

Outcome parse_texts(const std::vector<std::pair<std::string, std::string>>& headers,
                    const std::map<std::string, std::string>& others, const std::vector<std::string>& flags) {
  ParseRequest request{.flags = flags, .directory = kFolder};
  for (const auto& [name, text] : headers) {
    request.headers.push_back(name);
    request.contents[in_folder(name)] = text;
  }
  for (const auto& [name, text] : others) request.contents[in_folder(name)] = text;
  return outcome_of(request);
}

Outcome prove_text(const std::string& text, const Control& control) {
  ParseRequest request{.headers = {"entity.h"}, .directory = kFolder};
  request.contents[in_folder("entity.h")] = text;
  Outcome outcome;
  llvm::raw_string_ostream output(outcome.output);
  outcome.ok = parse(request, output, [&](Parsed& parsed) {
    const Compiled compiled = compile(parsed, control);
    outcome.diagnostics = compiled.problems;
    outcome.explanation = explain(compiled.laws);
  });
  return outcome;
}

Outcome apply_rules(const std::string& text) {
  return outcome_of(
      {.headers = {"entity.h"}, .directory = kFolder, .contents = {{in_folder("entity.h"), text}}},
      Scrutiny::kRules);
}

Outcome parse_source(const std::string& header, const std::string& source) {
  return outcome_of({.headers = {"entity.h"},
                     .source = "entity.cpp",
                     .directory = kFolder,
                     .contents = {{in_folder("entity.h"), header}, {in_folder("entity.cpp"), source}}});
}

Outcome parse_after_source(const std::string& header, const std::set<std::string>& defined) {
  return outcome_of({.headers = {"entity.h"},
                     .defined_elsewhere = defined,
                     .directory = kFolder,
                     .contents = {{in_folder("entity.h"), header}}});
}

Model without_forms(Model model) {
  for (Entity& entity : model.entities) {
    for (Method& method : entity.methods) {
      method.only_updates = false;
      if (method.is_shard_write()) method.only_assigns = false;
    }
    for (Property& property : entity.properties) {
      if (property.sharding) property.sharding->operation.reset();
    }
  }
  return model;
}

Model parse_candidates(const std::string& text) {
  ParseRequest request{.headers = {"entity.h"}, .directory = kFolder, .candidates = true};
  request.contents[std::string(kFolder) + "/entity.h"] = text;
  Model model;
  parse(request, llvm::errs(), [&](Parsed& parsed) { model = parsed.model(); });
  return model;
}

std::string applied(std::string text, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater{}, [](const Edit& edit) { return edit.span.begin; });
  for (const Edit& edit : edits) text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  return text;
}

std::string with_headers(const std::string& code) {
  std::set<std::string> headers;
  const std::regex name(R"(\bstd::(\w+)|\b(assert|errno|time_t|toupper)\b)");
  for (std::sregex_iterator at(code.begin(), code.end(), name), end; at != end; ++at) {
    const std::string found = (*at)[1].matched ? (*at)[1] : (*at)[2];
    const auto* const home = std::ranges::find_if(
        kHomes, [&](const auto& one) { return one.names.find(" " + found + " ") != std::string_view::npos; });
    headers.insert(home == std::end(kHomes) ? found : home->header);
  }
  std::string text;
  for (const std::string& header : headers) text += "#include <" + header + ">\n";
  return text + code;
}

std::string question(const std::string& members, const std::string& private_members) {
  return R"(class [[autoshard::entity]] Question {
 public:
)" + members +
         R"(

 private:
  [[autoshard::shard_fold]] static int total_of(int x, int y) { return x + y; }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 10)]] int votes_ = 0;
  int plain_ = 0;
)" + private_members +
         "\n};\n";
}

}  // namespace autoshard::tool
