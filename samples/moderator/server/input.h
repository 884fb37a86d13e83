#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

/// What visitors may send. Sizes of texts are in characters, not in bytes.
namespace moderator {

constexpr std::size_t kQuestionSize = 300, kResponseSize = 2'000, kNameSize = 40;
constexpr int kResponses = 500;  ///< to a question; a query of its votes passes over its responses
constexpr std::size_t kRequestBytes = 16 * 1024;  ///< a response of four-byte characters, escaped in JSON

/// The visitor sent wrong input. The message says what to do.
class WrongInput : public std::runtime_error {
 public:
  WrongInput(int http_status, const std::string& message)
      : std::runtime_error(message), status_(http_status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// A kind of text. `field` is its name in requests, `subject` its name in messages.
struct TextRule {
  const char* field;
  const char* subject;
  std::size_t characters;
  bool may_have_lines;
};

constexpr TextRule kQuestionRule = {"question", "the question", kQuestionSize, false};
constexpr TextRule kResponseRule = {"text", "the response", kResponseSize, true};
constexpr TextRule kNameRule = {"author", "the name", kNameSize, false};

/// Returns the UTF-8 text without spaces around it. Throws `WrongInput` if the text is too long or has
/// control characters. The result may be empty.
std::string checked_text(const TextRule& rule, std::string_view text);

}  // namespace moderator
