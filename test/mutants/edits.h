#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mutants {

/// Edits of a text whose ranges are nested in each other, or apart.
class Edits {
 public:
  /// Of two with the same range, the one that was wrapped first is the outer one.
  void wrap(std::size_t begin, std::size_t end, std::string before, std::string after);
  void replace(std::size_t begin, std::size_t end, std::string by);

  std::string apply(std::string_view text) const;

 private:
  struct Edit {
    std::size_t place = 0, removed = 0;
    std::string text;
    bool closes = false;
    std::size_t length = 0;  // of the range that it begins or ends
    std::size_t number = 0;
  };
  static bool comes_before(const Edit& left, const Edit& right);

  std::vector<Edit> edits_;
};

}  // namespace mutants
