#include "tool/output/fail.h"

#include <llvm/Support/raw_ostream.h>

namespace autoshard::tool {

bool fail(std::string_view problem) {
  llvm::errs() << "autoshard: " << problem << '\n';
  return false;
}

}  // namespace autoshard::tool
