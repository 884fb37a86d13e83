#pragma once

/// How attributes are written.

#include <string>
#include <vector>

#include "choices.h"
#include "grammar.h"

namespace autoshard::test {

class Spelling {
 public:
  Spelling(Choices& choices, std::string number, Mistakes mistakes)
      : choices_(choices), number_(std::move(number)), mistakes_(mistakes) {}

  /// Whether to make a mistake, which it never is where none are asked for.
  bool wrong(std::size_t percent) {
    return mistakes_ == Mistakes::kOfAnnotations && choices_.sometimes(percent);
  }

  /// An attribute list that holds `attributes`, or something else for a mistake.
  std::string list(const std::vector<std::string>& attributes);

  /// `text`, or a macro for it.
  std::string macro(const std::string& text);

  const std::string& defines() const { return defines_; }
  const std::string& undefines() const { return undefines_; }

 private:
  Choices& choices_;
  std::string number_;
  Mistakes mistakes_;
  std::string defines_;
  std::string undefines_;
  std::size_t macros_ = 0;
};

}  // namespace autoshard::test
