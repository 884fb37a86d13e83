#pragma once

namespace shop {
enum class Unit { kPiece, kMetre };
}
