#include "tool/examine.h"

#include <algorithm>
#include <iterator>

#include "tool/check/check.h"
#include "tool/laws/argument_value.h"

namespace autoshard::tool {

Examination examine(const Model& model, const Model& judged, Evaluator* evaluator, const Control& control,
                    const Verdicts& known) {
  Examination result{controlled(check(model), control), {}};
  if (has_errors(result.problems) || !evaluator) return result;
  std::ranges::move(wrong_argument_values(judged, *evaluator), std::back_inserter(result.problems));
  if (has_errors(result.problems)) return result;
  result.laws = judge(judged, *evaluator);
  complete(result.laws, known);
  std::ranges::move(controlled(counterexamples(result.laws), control), std::back_inserter(result.problems));
  return result;
}

}  // namespace autoshard::tool
