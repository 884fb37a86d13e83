#pragma once

#include <string>
#include <vector>

#include "tool/check/control.h"
#include "tool/laws/laws.h"
#include "tool/laws/trial/evaluable.h"
#include "tool/laws/trial/probe.h"
#include "tool/laws/trial/twin.h"

namespace autoshard::tool {

/// Whether `law` is yet to be judged.
inline bool is_open(const Law& law) { return law.verdict == Law::Verdict::kLeftToTests; }

/// Judges those of the entity's `laws` that are open by the functions of `probe`: proves them where there is
/// a prover, and tries what is not proved. `problem` is why the probe could not be compiled; empty if it
/// could.
void judge_by_probe(std::vector<Law>& laws, const Entity& entity, const Probe& probe,
                    const std::string& problem, const Evaluable& evaluable, Evaluator& evaluator,
                    Prover* prover, const Control& control);

/// Proves those of the entity's `laws` that are not proved yet, as far as one key of each set and map shows
/// what they say. `probe` was compiled in `twin`, which is one for a prover.
void prove_by_key(std::vector<Law>& laws, const Entity& entity, const Probe& probe, const Twin& twin,
                  Prover& prover);

}  // namespace autoshard::tool
