#include "tool/frontend/proof/memory.h"

namespace autoshard::tool {

void Memory::merge(const Memory& other, Term condition, Terms& terms) {
  for (const auto& [variable, others] : other.variables_) {
    std::vector<Computed>& mine = variables_[variable];
    mine.resize(others.size());
    for (std::size_t at = 0; at < others.size(); ++at) {
      const Computed& there = others[at];
      // Reading a byte that was not written is undefined behaviour. So the byte may be taken from the other
      // path.
      if (!there.value) continue;
      if (!mine[at].value) {
        mine[at] = there;
      } else {
        mine[at] = {terms.choice(condition, there.value, mine[at].value),
                    terms.choice(condition, there.poison, mine[at].poison)};
      }
    }
  }
}

}  // namespace autoshard::tool
