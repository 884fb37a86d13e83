#pragma once

namespace autoshard::tool {

/// Lets this process allocate from large pages, and keep what it frees: reading a standard library takes some
/// 60 MB in small pieces, and with pages of 4 KB a tenth of the time went into getting them. To be called
/// first of all.
void use_large_pages();

}  // namespace autoshard::tool
