#pragma once

#include <exception>
#include <string>

namespace autoshard::detail {

/// Returns the message of an exception, which the application's code may have thrown.
inline std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is not derived from std::exception was thrown";
  }
}

}  // namespace autoshard::detail
