// A property of nearly every type, hooks, former names, and an id of two members; and an id of bytes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace museum {

struct Label {
  std::string text;
  std::optional<int> size;
  std::vector<Label> parts;
};

class [[autoshard::entity]] Specimen {
 public:
  Specimen(std::string cabinet, std::uint32_t drawer) : cabinet_(std::move(cabinet)), drawer_(drawer) {}

  std::uint64_t natural = 0;
  std::int64_t integer = 0;
  double real = 0;
  float single = 0;
  bool shown = false;
  std::string text;
  std::chrono::sys_seconds found{};
  std::optional<std::optional<int>> maybe;
  std::vector<double> weights;
  std::array<std::int8_t, 3> place{};
  [[autoshard::also_load("remarks")]] std::map<std::string, std::string> notes;
  std::map<int, std::string> numbered;
  std::unordered_map<std::string, std::vector<int>> table;
  std::variant<std::monostate, int, std::string> kind;
  std::pair<int, std::string> pair;
  Label label;

  [[autoshard::shard_method]] void visit(std::int64_t by) { visits_ += by; }
  [[autoshard::shard_method]] void see(std::string who) { visitors_.insert(std::move(who)); }
  std::int64_t visits() const { return visits_; }
  const std::set<std::string>& visitors() const { return visitors_; }

 private:
  [[autoshard::before_save]] void note_save() { text += " saved"; }
  [[autoshard::after_load]] void note_load() { text += " loaded"; }

  /// Modulo 2^64: the records of the fuzzer hold any numbers.
  static std::int64_t add(std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  }
  static std::set<std::string> unite(std::set<std::string> x, const std::set<std::string>& y) {
    x.insert(y.begin(), y.end());
    return x;
  }

  [[autoshard::id]] std::string cabinet_;
  [[autoshard::id]] std::uint32_t drawer_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = add)]] std::int64_t visits_ = 0;
  [[autoshard::shardable(neutral = {}, fold = unite), autoshard::also_load("guests")]] std::set<std::string>
      visitors_;
};

class [[autoshard::entity]] Crate {
 public:
  using Id = std::array<std::byte, 4>;

  explicit Crate(Id id) : id_(id) {}

  std::string content;

 private:
  [[autoshard::id]] Id id_;
};

}  // namespace museum
