#pragma once

#include <cstdint>

namespace market {

#ifdef TILL_WIDE_IDS
using TillId = std::uint64_t;
#else
using TillId = std::uint32_t;
#endif

}  // namespace market
