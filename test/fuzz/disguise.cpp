#include "disguise.h"

#include <cctype>
#include <vector>

namespace autoshard::test {
namespace {

bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & '\x80') != 0;
}

/// Where what begins at `at` ends: a directive, comment, literal, word, run of blanks, or one other byte.
std::size_t end_of_piece(const std::string& text, std::size_t at) {
  const auto behind = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found + mark.size();
  };
  const bool begins_line = at == 0 || text.find_last_not_of(" \t", at - 1) == std::string::npos ||
                           text[text.find_last_not_of(" \t", at - 1)] == '\n';
  if ((text[at] == '#' && begins_line) || text.compare(at, 2, "//") == 0) return behind("\n", at) - 1;
  if (text.compare(at, 2, "/*") == 0) return behind("*/", at + 2);
  if (text.compare(at, 2, "R\"") == 0) {
    const std::size_t open = text.find('(', at);
    return behind(")" + text.substr(at + 2, open - at - 2) + "\"", open);
  }
  if (text[at] == '"' || text[at] == '\'') {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  std::size_t end = at + 1;
  if (continues_word(text[at])) {
    while (end < text.size() &&
           (continues_word(text[end]) ||
            (std::isdigit(static_cast<unsigned char>(text[at])) != 0 && text[end] == '.')))
      ++end;
  } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
  }
  return end;
}

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_piece(text, at);
    result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

bool is_blank(const std::string& piece) {
  return std::isspace(static_cast<unsigned char>(piece.front())) != 0;
}

bool is_directive(const std::string& piece) { return piece.front() == '#'; }

/// Whether anything may stand between `piece` and what follows it.
bool is_bracket(const std::string& piece) {
  return piece.size() == 1 && std::string_view("()[]{};,").find(piece.front()) != std::string_view::npos;
}

}  // namespace

std::string with_odd_blanks(const std::string& text, Choices& choices) {
  const std::vector<std::string> all = pieces(text);
  std::string result;
  for (std::size_t at = 0; at < all.size();) {
    // One choice says how far the text stays as it is.
    const std::size_t distance = choices.below(256);
    const std::size_t end = distance == 0 ? all.size() : std::min(at + distance, all.size());
    for (; at < end; ++at) result += all[at];
    if (at >= all.size()) break;
    const bool between = is_blank(all[at]) || is_bracket(all[at - 1]);
    const bool near_directive = is_directive(all[at]) || is_directive(all[at - 1]) ||
                                all[at - 1].starts_with("//") || all[at].starts_with("R\"");
    if (!between || near_directive) continue;
    if (is_blank(all[at]) && (at + 1 == all.size() || is_directive(all[at + 1]))) continue;
    result += choices.one_of({" ", "\n", "\t", "/* odd */", " // odd }\n", "/**/", " /* [[ */ ", "\\\n",
                              " \\\n", "\n\n\n", "/* \" */", " // [[autoshard::id]]\n", "\f", "\v",
                              " /// odd\n", "// \\\n odd\n"});
  }
  return result;
}

std::string with_odd_lines(const std::string& text, Choices& choices) {
  std::string result = text;
  if (choices.sometimes(10)) {
    result.clear();
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
  }
  if (choices.sometimes(10)) result = "\xef\xbb\xbf" + result;
  if (choices.sometimes(10)) {
    while (result.ends_with('\n') || result.ends_with('\r')) result.pop_back();
  }
  return result;
}

std::string with_wrong_tokens(const std::string& text, Choices& choices) {
  std::vector<std::string> all = pieces(text);
  for (std::size_t count = 1 + choices.below(3); count > 0; --count) {
    const std::size_t at = (choices.below(256) * 256 + choices.below(256)) % all.size();
    std::string& piece = all[at];
    switch (choices.below(7)) {
      case 0:
        piece = " ";
        break;
      case 1:
        piece += " " + piece;
        break;
      case 2:
        std::swap(piece, all[choices.below(all.size())]);
        break;
      case 3:
        piece = all[(at + choices.below(64)) % all.size()];
        break;
      case 4:
        piece += choices.one_of({"}", "{", "]]", "[[", ")", "(", ";", "\"", "'", "/*", "#", "\\", "<", ">",
                                 ",", "@", "::",
                                 "\x01"
                                 "12,13\x02",
                                 "$hole$"});
        break;
      case 5:
        piece = choices.one_of({"0", "int", "autoshard", "const", "static", "virtual", "template <class T>",
                                "auto", "void", "operator", "struct", "namespace", "using", "this"});
        break;
      default:
        all.resize(at + 1);
    }
  }
  std::string result;
  for (const std::string& piece : all) result += piece;
  return result;
}

}  // namespace autoshard::test
