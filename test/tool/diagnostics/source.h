#pragma once

/// Annotated headers in a few lines, parsed without a file.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/check/check.h"
#include "tool/check/control.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// A source whose `^` marks were taken out.
struct Marked {
  std::string text;
  std::vector<std::uint32_t> marks;  ///< offsets in `text`
};

Marked take_marks(std::string_view source);

/// What parsing and checking one or more headers gave.
struct Outcome {
  bool ok = false;          ///< nothing was wrong
  Model model;              ///< empty where Clang itself found an error
  Diagnostics diagnostics;  ///< of the rules, or else of the laws
  std::string explanation;  ///< where no rule was broken
  std::string output;       ///< what the user sees
};

/// Parses `entity.h`.
Outcome parse_text(const std::string& text, const std::vector<std::string>& flags = {});

/// Parses `entity.h`, and applies the rules alone: tries no law.
Outcome apply_rules(const std::string& text);

/// Parses `headers`, in this order; `others` can be included by them.
Outcome parse_texts(const std::vector<std::pair<std::string, std::string>>& headers,
                    const std::map<std::string, std::string>& others = {},
                    const std::vector<std::string>& flags = {});

/// Parses `entity.h`, and wants each law proved.
Outcome prove_text(const std::string& text, const Control& control = {});

/// Parses `entity.cpp`, which includes `entity.h`.
Outcome parse_source(const std::string& header, const std::string& source);

/// Parses `entity.h` where sources have been found to define what `defined` names.
Outcome parse_after_source(const std::string& header, const std::set<std::string>& defined);

/// `model` without what is known of bodies and folds: all of its laws have to be tried.
Model without_forms(Model model);

/// The model of `entity.h` read as for suggestions; empty where Clang found an error, which is printed.
Model parse_candidates(const std::string& text);

/// `text` after `edits`, which must not overlap.
std::string applied(std::string text, std::vector<Edit> edits);

/// `code` behind the headers of the standard library that it needs, and no others: to parse them takes more
/// time than all else that these tests do.
std::string with_headers(const std::string& code);

/// An entity that is right, with `members` among its public ones and `private_members` behind its private
/// ones.
std::string question(const std::string& members, const std::string& private_members = "");

}  // namespace autoshard::tool
