#pragma once

#include <autoshard/store.h>

#include <optional>
#include <string>
#include <string_view>

/// What `Transaction::fold` does, for stores that do it on bytes.
namespace autoshard::detail {

/// Where there is nothing to fold with. Its integer has 8 bytes behind the byte D3, whatever it is.
std::string number_record(const NumberFold& fold);

/// The number in such a record, and what stands behind it. Looks at the record as long as it lives.
NumberFold read_number_record(std::string_view record);

/// Empty where that is a conflict.
std::optional<std::string> fold_number(const NumberFold& fold, std::string_view record);

}  // namespace autoshard::detail
