#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace autoshard::test {

/// Networks of their own for servers, and one that joins them, in which this thread is from then on, with the
/// processes that it starts. They go when nobody is in them any more.
class Networks {
 public:
  /// Nothing where this process may not make networks.
  static std::optional<Networks> make(std::size_t number);

  std::string address(std::size_t index) const { return "10.77.0." + std::to_string(index + 2); }
  /// For setns().
  int descriptor(std::size_t index) const { return descriptors_[index]; }

  /// No packet gets to or from the others any more, or does again. Connections do not notice.
  void cut(std::size_t index) const { set(index, "down"); }
  void join(std::size_t index) const { set(index, "up"); }

 private:
  void add(std::size_t index);
  static void set(std::size_t index, const std::string& state);

  std::vector<int> descriptors_;  // open until the end
};

}  // namespace autoshard::test
