#pragma once

/// The numbers that the class Kiosk is annotated with.
namespace sizes {

inline constexpr int kShards = 6;
enum : unsigned { kGroups = 3 };
enum class Limit : unsigned char { kLeast = 2, kMost = 24 };

inline constexpr long kStock = 500;
constexpr int half(int number) { return number / 2; }

}  // namespace sizes
