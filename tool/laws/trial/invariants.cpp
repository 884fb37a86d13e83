#include "tool/laws/trial/invariants.h"

#include <algorithm>

#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// Constants and members beyond these are not compared.
constexpr std::size_t kMostConstants = 6;
constexpr std::size_t kMostRelated = 4;

/// A number within a value.
struct Part {
  std::string path;  ///< behind the name of the value: `.sum`
  const Type* type = nullptr;
};

bool is_ordered(const Type& type) {
  return type.kind == TypeKind::kInteger || type.kind == TypeKind::kDuration ||
         type.kind == TypeKind::kTimePoint || type.kind == TypeKind::kEnum || type.kind == TypeKind::kBool;
}

void add_parts(const Type& type, const std::string& path, std::vector<Part>& parts) {
  if (is_ordered(type)) parts.push_back({path, &type});
  if (type.kind == TypeKind::kPair) {
    add_parts(type.arguments[0], path + ".first", parts);
    add_parts(type.arguments[1], path + ".second", parts);
  }
  for (const Field& field : type.fields) add_parts(field.type.front(), path + "." + field.name, parts);
}

void add_arrays(const Type& type, const std::string& path, std::vector<Part>& arrays) {
  if (type.kind == TypeKind::kArray) arrays.push_back({path, &type});
  for (const Field& field : type.fields) add_arrays(field.type.front(), path + "." + field.name, arrays);
}

bool has_order(const Type& type) {
  const bool is_composed = type.kind == TypeKind::kPair || type.kind == TypeKind::kTuple;
  return is_ordered(type) || (is_composed && std::ranges::all_of(type.arguments, has_order));
}

class Candidates {
 public:
  explicit Candidates(const Property& property) : property_(property), name_(property.name) {
    add_parts(property.type, "", parts_);
    add_arrays(property.type, "", arrays_);
  }

  std::vector<Invariant> take(const Constants& constants) {
    compare_with_neutral();
    tell_apart_by_flags();
    compare_with_each_other();
    add_orders();
    add_totals();
    compare_with(constants);
    if (found_.size() > kMostInvariants) found_.resize(kMostInvariants);
    return std::move(found_);
  }

 private:
  void compare_with_neutral() {
    for (const Part& part : parts_) {
      const std::string neutral = "neutral" + part.path;
      const std::string shown = part.path.empty() ? property_.sharding->neutral : neutral;
      compare(part.path, ">=", neutral, shown);
      compare(part.path, "<=", neutral, shown);
    }
    for (Invariant& one : found_) one.is_of_neutral = true;
  }

  /// A part is neutral while a flag is.
  void tell_apart_by_flags() {
    for (const Part& flag : parts_) {
      if (flag.type->kind != TypeKind::kBool) continue;
      for (const Part& other : parts_) {
        if (&other == &flag) continue;
        add("(value$flag$ != neutral$flag$ || value$other$ == neutral$other$)",
            "$name$$other$ is neutral while $name$$flag$ is",
            {{"name", name_}, {"flag", flag.path}, {"other", other.path}});
      }
    }
  }

  void compare_with_each_other() {
    for (std::size_t one = 0; one < std::min(parts_.size(), kMostRelated); ++one) {
      for (std::size_t other = 0; other < std::min(parts_.size(), kMostRelated); ++other) {
        if (one == other || !(*parts_[one].type == *parts_[other].type)) continue;
        const std::string left = parts_[one].path, right = "value" + parts_[other].path;
        const std::string shown = name_ + parts_[other].path;
        compare(left, "<=", right, shown);
        if (parts_.size() > kMostRelated || !arrays_.empty()) continue;
        add("(value$left$ < $right$ || ($neutral$))", "$name$$left$ < $shown$ or neutral",
            {{"name", name_}, {"left", left}, {"right", right}, {"shown", shown}, {"neutral", is_neutral()}});
      }
    }
  }

  std::string is_neutral() const {
    return joined(parts_, " && ", [](const Part& part) {
      return fill("value$part$ == neutral$part$", {{"part", part.path}});
    });
  }

  void add_orders() {
    for (const Part& array : arrays_) {
      if (!has_order(array.type->arguments.front())) continue;
      const auto sorted = [&](std::string_view one, std::string_view next, std::string_view order) {
        add("[](const auto& array) { for (decltype(array.size()) at = 1; at < array.size(); ++at) { "
            "if (array[$next$] < array[$one$]) return false; } return true; }(value$array$)",
            "$name$$array$ in $order$ order",
            {{"name", name_}, {"array", array.path}, {"one", one}, {"next", next}, {"order", order}});
      };
      sorted("at - 1", "at", "ascending");
      sorted("at", "at - 1", "descending");
    }
  }

  /// A number is the sum of an array.
  void add_totals() {
    for (const Part& array : arrays_) {
      for (const Part& part : parts_) {
        if (!(array.type->arguments.front() == *part.type) || part.type->kind != TypeKind::kInteger) continue;
        add("[](const auto& array) { $number$ sum = 0; for (const $number$ one : array) "
            "sum = static_cast<$number$>(sum + one); return sum; }(value$array$) == value$part$",
            "$name$$part$ as the sum of $name$$array$",
            {{"name", name_}, {"number", part.type->qualified}, {"array", array.path}, {"part", part.path}});
      }
    }
  }

  void compare_with(const Constants& constants) {
    for (const Part& part : parts_) {
      if (part.type->kind != TypeKind::kInteger) continue;
      std::size_t count = 0;
      for (const std::string& number : constants.numbers) {
        if (number.find_first_of(".e") != std::string::npos || ++count > kMostConstants) continue;
        const std::string converted = "static_cast<" + part.type->qualified + ">(" + number + ")";
        compare(part.path, "<=", converted, number);
        compare(part.path, "<", converted, number);
      }
    }
  }

  void compare(const std::string& left, const std::string& sign, const std::string& right,
               const std::string& shown) {
    add("value$left$ $sign$ $right$", "$name$$left$ $sign$ $shown$",
        {{"name", name_}, {"left", left}, {"sign", sign}, {"right", right}, {"shown", shown}});
  }
  /// Both `test` and `text` are templates with the same holes.
  void add(std::string_view test, std::string_view text,
           std::initializer_list<std::pair<std::string_view, std::string_view>> holes) {
    found_.push_back({fill(test, holes), fill(text, holes)});
  }

  const Property& property_;
  const std::string& name_;
  std::vector<Part> parts_, arrays_;
  std::vector<Invariant> found_;
};

}  // namespace

std::vector<Invariant> possible_invariants(const Property& property, const Constants& constants) {
  return Candidates(property).take(constants);
}

}  // namespace autoshard::tool
