#pragma once

/// Finds members that could be sharded in classes that are not annotated so, and says of the others why not.

#include <optional>
#include <string>
#include <vector>

#include "tool/advise/id.h"
#include "tool/advise/pattern.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// A member whose updates commute.
struct Suggestion {
  const Property* property = nullptr;
  Pattern pattern;
  std::string does;                    ///< what its updates do: "adds to it"
  std::vector<const Method*> methods;  ///< that update it, each to become a shard method
  std::vector<const Method*> writes;   ///< that replace its value, each to become a shard write
};

/// A member that is updated, or a whole class, that is left as it is.
struct Refusal {
  std::string member;  ///< empty for the class
  Span span;
  std::string reason;
};

/// About one class, which may be an entity already. Points into the model.
struct ClassAdvice {
  const Entity* entity = nullptr;
  IdChoice id;  ///< without property and candidates where there is an id already
  bool has_id = false;
  std::vector<Suggestion> suggestions;
  std::vector<Refusal> refusals;

  /// Whether annotations can be written: there is something to annotate, and an id.
  bool is_complete() const { return !suggestions.empty() && (has_id || id.property != nullptr); }
};

/// What came out when a suggestion was tried.
struct Objection {
  std::string entity;                ///< qualified
  std::string member;                ///< not to be suggested so; empty: the class is not
  std::optional<Pattern> pattern{};  ///< that was tried
  std::string reason;
};

/// Looks at Model::candidates and at the entities without sharded members, both read as
/// ParseRequest::candidates has it. Classes of which there is nothing to say are left out.
std::vector<ClassAdvice> advise(const Model& model, const std::vector<Objection>& objections = {});

/// The same advice with an id everywhere, if any member could be it: good enough to try the rest out.
std::vector<ClassAdvice> with_provisional_ids(std::vector<ClassAdvice> advice);

/// Where `span` begins, for a text about what stands in `file`: `line 4`, or `line 4 of question.cpp`.
std::string place_of(const Model& model, const Span& span, std::uint32_t file);

}  // namespace autoshard::tool
