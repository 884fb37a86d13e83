#pragma once

#include <string_view>

/// The bytes that keys are made of, as defined in runtime/FORMAT.md.
namespace autoshard::detail {

inline constexpr char kTextTag = 0x02;
inline constexpr char kCompositeTag = 0x03;
inline constexpr char kEndOfComposite = 0x01;
// The tag is this plus the number of bytes of a positive integer, or minus that of a negative one.
inline constexpr unsigned char kZeroTag = 0x14;
inline constexpr char kMainTag = 0x01;
inline constexpr char kShardTag = 0x02;
inline constexpr char kEndTag = '\xFF';

// These prefixes are adjacent. No lease is named "expiring" or "clock".
inline constexpr std::string_view kExpiringKeys("\0\1expiring\0\1", 12);
inline constexpr std::string_view kTokenKeys("\0\1expiring\0\1\2", 13);
inline constexpr std::string_view kWriterKeys("\0\1expiring\0\1\1", 13);
inline constexpr std::string_view kEntityKeys("\0\1expiring\0\1\3", 13);

inline constexpr std::string_view kIndexKeys("\0\2", 2);

inline constexpr char kEscape = 0x00;
inline constexpr char kEscapedZero = '\xFF';
inline constexpr char kEndOfText = 0x01;

}  // namespace autoshard::detail
