#pragma once

/// Neither the evaluator nor the prover can follow the containers of the standard library. They can follow a
/// twin of a header: the same text in a namespace of its own, where `std::set` and others are stand-ins.

#include <string>

#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The text of tool/laws/trial/stand_ins: what an evaluator follows, and what a prover follows.
extern const char* const kStandIns;
extern const char* const kOneKeyStandIns;

/// Who follows a twin.
enum class Follower { kEvaluator, kProver };

/// Compiles a twin, and evaluates its functions. All names that it is given are those of the header itself.
class Twin : public Evaluator {
 public:
  /// Compiles the twin of file number `file`. The first twin of a run also compiles the stand-ins.
  Twin(const Model& model, std::uint32_t file, bool is_first, Evaluator& evaluator,
       Follower follower = Follower::kEvaluator);
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  ~Twin() override;

  /// The name that a prover knows a function by.
  std::string name_of(std::string_view function) const { return scope_ + "::" + std::string(function); }

  /// Why there is no twin; empty if there is one.
  const std::string& problem() const { return problem_; }

  std::string compile(std::string_view owner, std::string_view nested, const std::string& text) override;
  Value call(std::string_view function, const Arguments& arguments) override;
  void limit(unsigned steps) override { evaluator_.limit(steps); }

 private:
  Evaluator& evaluator_;
  std::string scope_;
  std::string problem_;
};

}  // namespace autoshard::tool
