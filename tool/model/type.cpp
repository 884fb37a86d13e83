#include "tool/model/type.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

using Holds = TypeKindSpec::Holds;

constexpr TypeKindSpec kTypeKinds[] = {
    {.kind = TypeKind::kUnsupported, .name = "unsupported"},
    {.kind = TypeKind::kBool, .name = "bool"},
    {.kind = TypeKind::kInteger, .name = "integer"},
    {.kind = TypeKind::kFloating, .name = "floating"},
    {.kind = TypeKind::kEnum, .name = "enum"},
    {TypeKind::kString, "string", "std::basic_string", Holds::kNothing, true},
    {TypeKind::kOptional, "optional", "std::optional", Holds::kFirst, true},
    {TypeKind::kUniquePtr, "unique_ptr", "std::unique_ptr", Holds::kFirst, true},
    {TypeKind::kVector, "vector", "std::vector", Holds::kFirst, true},
    {TypeKind::kDeque, "deque", "std::deque", Holds::kFirst, true},
    {TypeKind::kList, "list", "std::list", Holds::kFirst, true},
    {TypeKind::kArray, "array", "std::array", Holds::kFirst},
    {TypeKind::kMap, "map", "std::map", Holds::kBoth, true},
    {TypeKind::kUnorderedMap, "unordered_map", "std::unordered_map", Holds::kBoth, true},
    {TypeKind::kSet, "set", "std::set", Holds::kFirst, true},
    {TypeKind::kUnorderedSet, "unordered_set", "std::unordered_set", Holds::kFirst, true},
    {TypeKind::kPair, "pair", "std::pair", Holds::kBoth},
    {TypeKind::kTuple, "tuple", "std::tuple", Holds::kAll, true},
    {TypeKind::kVariant, "variant", "std::variant", Holds::kAll, true},
    {TypeKind::kBitset, "bitset", "std::bitset", Holds::kNothing, true},
    {.kind = TypeKind::kMonostate, .name = "monostate", .is_initialised = true},
    {TypeKind::kRef, "ref", "autoshard::Ref", Holds::kSecond, true},
    {TypeKind::kTimePoint, "time_point", "std::chrono::time_point", Holds::kSecond},
    {TypeKind::kDuration, "duration", "std::chrono::duration", Holds::kFirst},
    {.kind = TypeKind::kStruct, .name = "struct"},
    {.kind = TypeKind::kCoded, .name = "coded"},
};

constexpr bool is_in_order() {
  for (std::size_t at = 0; at < std::size(kTypeKinds); ++at) {
    if (kTypeKinds[at].kind != static_cast<TypeKind>(at)) return false;
  }
  return true;
}
static_assert(is_in_order() && std::size(kTypeKinds) == static_cast<std::size_t>(TypeKind::kCoded) + 1);

}  // namespace

std::span<const TypeKindSpec> type_kinds() { return kTypeKinds; }

const TypeKindSpec* find_type_kind(std::string_view class_template) {
  const auto* const found = std::ranges::find(kTypeKinds, class_template, &TypeKindSpec::class_template);
  return found == std::end(kTypeKinds) || class_template.empty() ? nullptr : found;
}

}  // namespace autoshard::tool
