#pragma once

/// The functions that try the laws of an entity. The compiler evaluates them.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/laws/trial/evaluable.h"
#include "tool/laws/trial/invariants.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The text of tool/laws/trial/probe_support.h.
extern const char* const kProbeSupport;

/// The text that is compiled behind the user's class, and the functions in it. Each function takes the
/// numbers of up to three samples. `left`, `right` and the functions in `shown` return a `Text`.
struct Probe {
  struct Trial {
    std::string holds;  ///< returns bool: whether both sides are the same
    std::string left;
    std::string right;
    std::vector<std::size_t> samples{};  ///< the number of samples for each argument
    /// Set if the samples are made of stand-ins. These take long, so not all combinations are tried. Samples
    /// from this number on take longest, because many updates make them.
    std::optional<std::size_t> large_from{};
    std::vector<std::string> shown{};  ///< shows the sample for each argument
    std::string always{};  ///< like `holds`, for values that are read from bytes, for a prover; or empty
    std::string made{};    ///< makes these values: the argument of `NAME_for`, for each function NAME above
    std::string within{};  ///< like `always`, if the invariants of `members` hold; or empty
    std::vector<std::string> members{};
  };
  struct Fold {
    const Property* property = nullptr;
    Trial commutative{};
    Trial associative{};
    Trial neutral{};
    Trial adds{};                         ///< for a bounded property
    std::vector<Invariant> invariants{};  ///< candidates for invariants of its values
    std::string stays{};                  ///< returns bool: whether a sample is the neutral value
    std::vector<std::string> steps{};  ///< each returns the invariants that hold before and after an update
    /// Like `Trial::always`: whether the fold returns one of its two values, and chooses it in an order. If
    /// both hold, and the fold is commutative, it is associative.
    std::vector<std::string> chooses{};
  };
  struct Update {
    const Method* method = nullptr;
    Trial law{};
    /// Like `Trial::always`: whether the update of a value equals a fold of this value and of the updated
    /// neutral value. If this holds, and the folds are commutative and associative, the update commutes with
    /// them. Empty for a shard write.
    std::string effect{};
    /// The same for values that updates reach, like `Trial::within`.
    std::string effect_within{};
    /// Updates the neutral value. Unless it is defined for all input, the two above say nothing.
    std::string updates_neutral{};
  };

  std::string text;
  std::vector<Fold> folds;      ///< for members whose values can be evaluated
  std::vector<Update> updates;  ///< for shard methods that touch no other members
};

/// Returns the texts that compare and show the structs and enumerations among sharded members and parameters.
/// Each type has a text of its own, so one that does not compile does not affect the others.
std::vector<std::string> probe_types(const Model& model, Containers containers = Containers::kReal);

/// Returns the probe of `entity`. `number` must be unique among the probes of one run. With stand-ins, it
/// tries values that updates reach. For members in `unmoved`, it tries samples of the type, because no known
/// update changes these members.
Probe make_probe(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
                 std::size_t number, const std::set<std::string>& unmoved = {});

}  // namespace autoshard::tool
