#pragma once

#include <string>
#include <vector>

#include "tool/check/control.h"
#include "tool/laws/laws.h"
#include "tool/laws/trial/evaluable.h"
#include "tool/laws/trial/probe.h"
#include "tool/laws/trial/twin.h"

namespace autoshard::tool {

/// Whether `law` has no verdict yet.
inline bool is_open(const Law& law) { return law.verdict == Law::Verdict::kLeftToTests; }

/// Judges the entity's open laws with the functions of `probe`. Proves a law if there is a `prover`, which
/// may be null, and tries the laws that are not proved. `problem` says why the probe could not be compiled;
/// it is empty if it could. The functions set the verdict, the reason and the obstacle of each law.
void judge_by_probe(std::vector<Law>& laws, const Entity& entity, const Probe& probe,
                    const std::string& problem, const Evaluable& evaluable, Evaluator& evaluator,
                    Prover* prover, const Control& control);

/// Proves the entity's laws that are not proved yet, by following one key of each set and map. `probe` must
/// have been compiled in `twin`, which must be a twin for the prover. Laws that it cannot prove stay
/// unchanged, except for their obstacle.
void prove_by_key(std::vector<Law>& laws, const Entity& entity, const Probe& probe, const Twin& twin,
                  Prover& prover);

}  // namespace autoshard::tool
