#pragma once

/// The compiler's constant evaluator, as the laws see it.

#include <array>
#include <string>
#include <string_view>

namespace autoshard::tool {

/// Runs functions of the user's headers without a program around them. Whether they are `constexpr` does not
/// matter, and neither does who may access what.
class Evaluator {
 public:
  /// What every function that can be called here takes.
  using Arguments = std::array<int, 3>;

  /// The result of one call.
  struct Value {
    bool known =
        false;  ///< the call could be evaluated: it neither threw nor overflowed nor left the compiler
    bool truth = false;         ///< what a function that returns bool returned
    std::string text{};         ///< what one that returns a struct with a first member `char[]` returned
    std::string problem{};      ///< why not, where it is not known
    bool out_of_steps = false;  ///< not known, as the call did all the steps that `limit` allows
  };

  virtual ~Evaluator() = default;

  /// Compiles `text`, which may be any declarations of the global namespace, behind the headers and what was
  /// compiled before. In it, the class `owner` has a nested struct `nested`, to be defined. Returns the first
  /// error, or nothing; after an error none of the functions in `text` can be called.
  virtual std::string compile(std::string_view owner, std::string_view nested, const std::string& text) = 0;

  /// Calls a function by its qualified name.
  virtual Value call(std::string_view function, const Arguments& arguments) = 0;

  /// Lets each of the next calls do so many steps; a step is a statement.
  virtual void limit(unsigned steps) = 0;

  static constexpr unsigned kUsualSteps = 4'000;  ///< a loop over the largest integer is cut short
};

}  // namespace autoshard::tool
