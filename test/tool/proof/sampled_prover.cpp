#include "sampled_prover.h"

#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <stdexcept>

namespace autoshard::tool {
namespace {

std::string bytes_of(const std::vector<unsigned char>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes.begin(), bytes.begin() + 48, " "));
}

class Objector {
 public:
  Objector(const RecordingProver& prover, const std::string& scope, clang::CompilerInstance& compiler,
           std::string_view text, std::size_t tries, std::uint64_t seed)
      : prover_(prover), scope_(scope), functions_(compiler, names(), text), tries_(tries), seed_(seed) {}

  Objections run() {
    for (const RecordingProver::Law& law : prover_.laws) {
      if (!law.function.starts_with(scope_)) continue;
      const Sampled sampled = functions_.sample_law(law.function, tries_, seed_);
      const bool is_proved = law.outcome == Proof::Outcome::kProved;
      if (is_proved) {
        note(law.function, sampled);
      } else if (sampled.is_broken && !holds_within(law.function)) {
        found_.against_the_rest.push_back(law.function + " fails for " + bytes_of(sampled.broken));
      }
    }
    for (const RecordingProver::Steps& steps : prover_.steps) {
      const auto loses = [&](std::uint64_t held) {
        const std::uint64_t kept = steps.kept;
        return (held & kept) == kept && ((held >> 32) & kept) != kept;
      };
      for (const std::string& step : steps.functions) {
        if (step.starts_with(scope_) && steps.kept != 0)
          note(step, functions_.sample_bits(step, tries_, seed_, loses));
      }
    }
    for (const RecordingProver::Within& within : prover_.within) {
      const auto fails = [&](std::uint64_t held) {
        return (held & within.given) == within.given && held >> 63 == 0;
      };
      if (within.function.starts_with(scope_))
        note(within.function, functions_.sample_bits(within.function, tries_, seed_, fails));
    }
    return std::move(found_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    const auto add = [&](const std::string& name) {
      if (name.starts_with(scope_) && std::ranges::find(all, name) == all.end()) all.push_back(name);
    };
    for (const RecordingProver::Law& law : prover_.laws) add(law.function);
    for (const RecordingProver::Steps& steps : prover_.steps) {
      for (const std::string& step : steps.functions) add(step);
    }
    for (const RecordingProver::Within& within : prover_.within) add(within.function);
    return all;
  }

  /// Whether the law holds for all values that updates can reach.
  bool holds_within(const std::string& function) const {
    const std::string law = function.substr(0, function.rfind("::"));
    return std::ranges::any_of(prover_.within, [&](const RecordingProver::Within& within) {
      return within.function.substr(0, within.function.rfind("::")) == law;
    });
  }

  void note(const std::string& function, const Sampled& sampled) {
    if (!sampled.obstacle.empty()) return found_.not_sampled.push_back(function + ": " + sampled.obstacle);
    if (sampled.counted == 0) return found_.not_sampled.push_back(function + ": no value counts");
    ++found_.sampled;
    found_.counted += sampled.counted;
    if (sampled.is_broken)
      found_.against_proofs.push_back(function + " is proved, but fails for " + bytes_of(sampled.broken));
  }

  const RecordingProver& prover_;
  const std::string scope_;
  const NativeFunctions functions_;
  const std::size_t tries_;
  const std::uint64_t seed_;
  Objections found_;
};

llvm::json::Value json_of(const Objections& objections) {
  return llvm::json::Object{{"against_proofs", objections.against_proofs},
                            {"against_the_rest", objections.against_the_rest},
                            {"sampled", static_cast<std::int64_t>(objections.sampled)},
                            {"counted", static_cast<std::int64_t>(objections.counted)},
                            {"not_sampled", objections.not_sampled}};
}

Objections objections_of(const std::string& text) {
  const llvm::json::Value json = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Object& object = *json.getAsObject();
  const auto number = [&](const char* name) { return static_cast<std::size_t>(*object.getInteger(name)); };
  const auto strings = [&](const char* name) {
    std::vector<std::string> all;
    for (const llvm::json::Value& one : *object.getArray(name)) all.push_back(one.getAsString()->str());
    return all;
  };
  return {strings("against_proofs"), strings("against_the_rest"), number("sampled"), number("counted"),
          strings("not_sampled")};
}

/// What `function` returns in a child process; nothing if it ends in another way.
std::optional<std::string> run_in_child(const std::function<std::string()>& function) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    const std::string text = function();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(ends[1], text.data() + at, text.size() - at);
      if (written <= 0) _exit(1);
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace

Objections objections_to(const RecordingProver& prover, const std::string& scope,
                         clang::CompilerInstance& compiler, std::string_view text, std::size_t tries,
                         std::uint64_t seed) {
  // A mutant that writes outside of its objects may destroy the process.
  const std::optional<std::string> found = run_in_child([&] {
    const Objections objections = Objector(prover, scope, compiler, text, tries, seed).run();
    return llvm::formatv("{0}", json_of(objections)).str();
  });
  if (found) return objections_of(*found);
  Objections objections;
  objections.not_sampled.push_back(scope + ": its machine code ended the process");
  return objections;
}

}  // namespace autoshard::tool
