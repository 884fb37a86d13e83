#pragma once

/// The functions that the compiler evaluates to try out the laws of an entity.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/laws/invariants.h"
#include "tool/laws/trial/evaluable.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The text of tool/laws/trial/probe_support.h.
extern const char* const kProbeSupport;

/// The text behind the user's class, and what can be called in it. Each function takes the numbers of up to
/// three samples; `left`, `right` and those that show a sample return a `Text`.
struct Probe {
  struct Trial {
    std::string holds;  ///< bool: whether both sides are the same
    std::string left;
    std::string right;
    std::vector<std::size_t> samples{};  ///< how many there are for each of the arguments
    /// Set if the samples are made of stand-ins, which take long: then not all combinations are tried.
    /// Samples from this one on take longest, as many updates lead to them.
    std::optional<std::size_t> large_from{};
    std::vector<std::string> shown{};  ///< shows the sample for each of the arguments
    std::string always{};  ///< what a prover can prove: as `holds`, for the values in some bytes; or empty
    std::string made{};    ///< makes these values: what `NAME_for` takes, for each function NAME above
    std::string within{};  ///< as `always`, with the invariants of `members` that hold; or empty
    std::vector<std::string> members{};
  };
  struct Fold {
    const Property* property = nullptr;
    Trial commutative{};
    Trial associative{};
    Trial neutral{};
    Trial adds{};                         ///< of a bounded property
    std::vector<Invariant> invariants{};  ///< that may hold of its values
    std::string stays{};                  ///< bool: whether a sample is the neutral value
    std::vector<std::string> steps{};     ///< each tells which of them hold before an update, and after it
  };
  struct Update {
    const Method* method = nullptr;
    Trial law{};
  };

  std::string text;
  std::vector<Fold> folds;      ///< of the members whose values can be evaluated
  std::vector<Update> updates;  ///< the shard methods that touch no other member
};

/// How the structs and enums among the sharded members and parameters are compared and shown: each a text of
/// its own, so that one which does not compile leaves the others alone.
std::vector<std::string> probe_types(const Model& model, Containers containers = Containers::kReal);

/// `number` tells the probes of one run apart. Of stand-ins, values are tried that updates reach, except of
/// the members in `unmoved`: no update that is in sight changes these, so others must.
Probe make_probe(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
                 std::size_t number, const std::set<std::string>& unmoved = {});

}  // namespace autoshard::tool
