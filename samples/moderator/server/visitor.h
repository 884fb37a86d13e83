#pragma once

#include <optional>
#include <string>
#include <string_view>

/// A visitor is a browser: it keeps a random cookie. The cookie proves nothing about a person; it makes the
/// votes of one browser count once.
namespace moderator {

/// Returns 32 random hexadecimal digits, which nobody can guess.
std::string random_id();

/// Returns the id in the value of a `Cookie` header, or nothing if no cookie of the server is in it.
std::optional<std::string> visitor_in(std::string_view cookies);

/// Returns the value of a `Set-Cookie` header. Scripts cannot read the cookie, and other sites cannot send
/// it.
std::string cookie_for(const std::string& visitor);

}  // namespace moderator
