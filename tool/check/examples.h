#pragma once

/// The examples of the rules: the headers of test/tool/corpus/wrong, each of which is wrong in one way and
/// says how to mend it. They are compiled into the generator, and the tests read the same marks:
///
///     // wrong:
///     [[autoshard::id]] double price_ = 0;
///     // expect: autoshard-id-type: id 'price_' has type 'double'; an id is an integer, …
///     //     … or a struct with one of these as its only member
///     // right:
///     // [[autoshard::id]] long cents_ = 0;
///
/// `expect` states the whole message for the line above it. The lines between `wrong` and `right` are the
/// mistake; the comment below `right` replaces them. A file may have several such places.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

/// A message that a line of a corpus file earns.
struct Expectation {
  std::size_t line = 0;  ///< of the file as it is, from 1
  std::string rule;      ///< its tag
  std::string message;
};

/// A file of the corpus, taken apart.
struct CorpusFile {
  std::vector<Expectation> expected;
  std::string wrong;  ///< the lines that are wrong, without marks; `…` stands for lines in between and behind
  std::string right;   ///< the lines that replace them
  std::string mended;  ///< the whole file with these replaced
};

/// Takes the text of a corpus file apart.
CorpusFile read_corpus_file(std::string_view text);

/// `text` with exactly these expectations, each below its line, at most 110 columns wide.
std::string with_expectations(std::string_view text, const std::vector<Expectation>& expected);

/// How a rule is broken, and how that is mended.
struct Example {
  std::string wrong;
  std::string message;
  std::string right;
};

/// The example of the rule `tag`; empty if the corpus has none.
Example example_of(std::string_view tag);

}  // namespace autoshard::tool
