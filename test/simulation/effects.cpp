#include "effects.h"

#include <string>

#include "scheduler.h"

namespace autoshard::simulation {
namespace {

double probability_of_errors = 0;

}  // namespace

void set_user_errors(double probability) { probability_of_errors = probability; }

void user_code(const char* where) {
  if (probability_of_errors == 0) return;
  Scheduler& scheduler = Scheduler::get();
  if (!scheduler.chance(probability_of_errors)) return;
  scheduler.trace("the application throws in ", where);
  if (scheduler.below(4) == 0) throw OddError();
  throw UserError(std::string("thrown in ") + where);
}

}  // namespace autoshard::simulation
