#pragma once

#include <set>
#include <string>

#include "tool/model/model.h"

namespace autoshard::tool {

/// What is known of the translation units that were not read.
struct OtherUnits {
  std::string source{};          ///< the path of the source that was read, not of a header; empty: none was
  bool define_the_rest = false;  ///< methods without a body are defined in them
  std::set<std::string> defined{};  ///< by method_key() and UnseenCall::key, what some of them define
};

/// Completes the model of one translation unit: which file is a source, which methods are defined elsewhere,
/// and which calls stay unseen. The calls of headers are followed when all sources have been read.
Model resolve(Model model, const OtherUnits& others);

}  // namespace autoshard::tool
