#pragma once

#include <string>

#include "simulation.h"

namespace moderator {

/// Asks the questions of the simulation at a server, and lets all users vote on them, each as a visitor with
/// a cookie of its own. Every tenth user responds, too. Prints the rate and the ranking. Returns whether the
/// totals that the server shows are the votes and responses that it has acknowledged. Nobody else may vote on
/// these questions meanwhile. `simulation.store` has no effect.
bool simulate_over_http(const Simulation& simulation, const std::string& url);

}  // namespace moderator
