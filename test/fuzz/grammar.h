#pragma once

/// Annotated classes out of a stream of choices: valid C++ in odd shapes, and with mistakes if asked for.

#include <string>
#include <vector>

#include "choices.h"

namespace autoshard::test {

enum class Mistakes { kNone, kOfAnnotations, kOfTokens };

struct Case {
  std::string name;  ///< of the header, without its folder
  std::string header;
  std::string other;          ///< another annotated header, `other_` and the name, that it includes; or empty
  bool other_first = false;   ///< is to be given before the header
  std::string source;         ///< what defines methods of the class, of the header's name; or empty
  std::string use;            ///< a function that does with the companion what an application would do
  bool stands_alone = false;  ///< may be anything but C++: nothing else is parsed together with it
};

/// All that the generator gets of `one`.
std::string text_of(const Case& one);

/// Every name at namespace scope, and every macro, holds `number`, so that many cases can be compiled
/// together.
Case make_case(Choices& choices, std::size_t number, Mistakes mistakes);

}  // namespace autoshard::test
