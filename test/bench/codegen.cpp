#include "codegen.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>

#include "codegen_build.h"
#include "codegen_headers.h"
#include "process.h"
#include "support/test_store.h"

namespace autoshard::bench {
namespace {

using Command = std::vector<std::string>;

/// What a header is read with by both. A compiler that does not know the attributes says so for each.
const Command kFlags = {"-std=c++20", "-Wno-unknown-attributes", "-Wno-pragma-once-outside-header"};

/// The costs of those who take turns.
class Turns {
 public:
  void add(const std::string& name, std::function<Cost()> operation) {
    names_.push_back(name);
    operations_.push_back(std::move(operation));
  }

  /// One round more comes first, which nobody measures: it fills the caches of the machine.
  void run(int rounds) {
    for (int round = -1; round < rounds; ++round) {
      for (std::size_t at = 0; at < names_.size(); ++at) {
        const Cost cost = operations_[at]();
        if (round < 0) continue;
        times_[names_[at]].push_back(cost.milliseconds);
        cpu_times_[names_[at]].push_back(cost.cpu_milliseconds);
      }
    }
  }

  double time(const std::string& name) const { return median(times_.at(name)); }

  Row row(const std::string& name) const {
    return {name, {{"ms", time(name)}, {"cpu_ms", median(cpu_times_.at(name))}}};
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::function<Cost()>> operations_;
  std::map<std::string, std::vector<double>> times_, cpu_times_;
};

Command with_flags(Command command) {
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  return command;
}

/// What a source of an application at least contains.
constexpr const char* kThreeCalls = R"(#include <autoshard/mapper.h>
#include <autoshard/rocksdb_store.h>

#include "{header}.autoshard.h"

std::optional<forum::Post0> three_calls(autoshard::Mapper& mapper) {{
  mapper.save(forum::Post0(1, "text", "author"));
  mapper.apply<&forum::Post0::voteUp>(1);
  return mapper.load<forum::Post0>(1);
}}
)";

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

std::vector<Row> run_codegen(const CodegenOptions& options) {
  if (options.rounds < 1 || options.headers < 1) throw std::runtime_error("nothing to measure");
  const test::TemporaryFolder folder;
  const std::filesystem::path log = folder.path() / "log";
  const Command headers = write_entity_headers(folder.path(), options.headers);
  BuildFolder build(folder.path() / "build", headers, options.autoshard);

  Command generate_all = {options.autoshard, "-o", "out"};
  generate_all.insert(generate_all.end(), headers.begin(), headers.end());
  generate_all.emplace_back("--");
  const Command generate_one = {options.autoshard, "-o", "out", headers.front(), "--"};
  const Command compile_one = {options.clang, "-fsyntax-only", "-x", "c++", headers.front()};

  const auto process = [&](const Command& command) {
    return [&, command = with_flags(command)] { return run_process(command, folder.path(), log); };
  };
  const std::string one = "autoshard-one-header";
  const std::string all = fmt::format("autoshard-{}-headers", options.headers);
  const std::string compiler = "peer-syntax-only-one-header";
  Turns turns;
  turns.add(one, process(generate_one));
  turns.add(compiler, process(compile_one));
  turns.add(all, process(generate_all));
  turns.add("autoshard-unchanged-build", [&] { return build.build_again(true); });
  turns.add("peer-unchanged-build", [&] { return build.build_again(false); });
  // The source includes what the generator writes, so that exists from here on.
  run_process(with_flags(generate_one), folder.path(), log);
  const std::string stem = std::filesystem::path(headers.front()).stem().string();
  write(folder.path() / "three_calls.cpp", fmt::format(kThreeCalls, fmt::arg("header", stem)));
  write(folder.path() / "rocksdb.cpp", "#include <rocksdb/db.h>\n");
  const auto compile = [&](const std::string& source) {
    return Command{options.compiler,
                   "-O1",
                   "-DAUTOSHARD_HAS_ROCKSDB",
                   "-I" AUTOSHARD_SOURCE "/runtime/include",
                   "-Iout",
                   "-c",
                   source,
                   "-o",
                   source + ".o"};
  };
  turns.add("autoshard-three-calls", process(compile("three_calls.cpp")));
  turns.add("peer-rocksdb-header", process(compile("rocksdb.cpp")));
  turns.run(options.rounds);

  Row own = turns.row(one);
  own.values.emplace_back("ratio_to_peer", turns.time(one) / turns.time(compiler));
  Row many = turns.row(all);
  many.values.emplace_back("ratio_to_one_header", turns.time(all) / turns.time(one));
  Row unchanged = turns.row("autoshard-unchanged-build");
  unchanged.values.emplace_back("ratio_to_peer",
                                turns.time("autoshard-unchanged-build") / turns.time("peer-unchanged-build"));
  unchanged.values.emplace_back("compiled_after_touch", static_cast<double>(build.compiled_after_touch()));
  Row calls = turns.row("autoshard-three-calls");
  calls.values.emplace_back("ratio_to_peer",
                            turns.time("autoshard-three-calls") / turns.time("peer-rocksdb-header"));
  calls.values.emplace_back("object_bytes",
                            static_cast<double>(file_size(folder.path() / "three_calls.cpp.o")));
  return {own,
          turns.row(compiler),
          many,
          unchanged,
          turns.row("peer-unchanged-build"),
          calls,
          turns.row("peer-rocksdb-header")};
}

}  // namespace autoshard::bench
