#pragma once

#include <autoshard/store.h>

#include <optional>
#include <string>
#include <string_view>

/// The implementation of `Transaction::fold` for stores that do it on bytes.
namespace autoshard::detail {

/// Returns the record that a fold writes if there is none. Its integer always has the byte D3 followed by 8
/// bytes.
std::string number_record(const NumberFold& fold);

/// Returns the number in such a record and the elements after it. The result refers to the record.
NumberFold read_number_record(std::string_view record);

/// Returns the folded record. Empty if the record cannot be folded.
std::optional<std::string> fold_number(const NumberFold& fold, std::string_view record);

}  // namespace autoshard::detail
