#pragma once

/// Neither the evaluator nor the prover can follow the containers of the standard library. They can follow a
/// twin of a header: the same text in a separate namespace, in which `std::set` and other names mean
/// stand-ins.

#include <string>

#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The texts of tool/laws/trial/stand_ins: for an evaluator, and for a prover.
extern const char* const kStandIns;
extern const char* const kOneKeyStandIns;

/// The component that follows a twin.
enum class Follower { kEvaluator, kProver };

/// Compiles a twin, and evaluates its functions. Names in arguments are those of the header itself.
class Twin : public Evaluator {
 public:
  /// Compiles the twin of file number `file`. If it fails, problem() says why. The first twin of a run also
  /// compiles the stand-ins.
  Twin(const Model& model, std::uint32_t file, bool is_first, Evaluator& evaluator,
       Follower follower = Follower::kEvaluator);
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  ~Twin() override;

  /// The name of a function for a prover.
  std::string name_of(std::string_view function) const { return scope_ + "::" + std::string(function); }

  /// Why the twin could not be compiled; empty if it could.
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
