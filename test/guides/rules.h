#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "markdown.h"

namespace autoshard::guides {

/// Mistakes of a page, as `README.md:12: there is no …`.
using Findings = std::vector<std::string>;

/// Returns the text of a file of the repository, or nothing.
using Files = std::function<std::optional<std::string>(const std::string& path)>;
Files files_below(const std::filesystem::path& root);

/// No line is longer than 120 columns. Tables, code and lines that are one link are excepted.
Findings wide_lines(const Page& page);

/// A table of contents stands before the first heading of level 2, and has a link to each of these headings,
/// in their order.
Findings missing_contents(const Page& page);

/// Each link leads to a file or folder of the repository; its anchor, to a heading. Nothing is said of links
/// to the web.
Findings broken_links(const Page& page, const std::filesystem::path& root);

/// Each file that the prose names as code is one of `paths`, those of the repository: by its path, or by its
/// name alone. In it, `NAME` and `*` stand for any name. A path that ends with `/` is that of a folder.
Findings unknown_files(const Page& page, const std::vector<std::string>& paths);

/// Returns the paths of all files of the repository. Folders of builds and hidden files are left out.
std::vector<std::string> paths_below(const std::filesystem::path& root);

/// Each block of C++ has one of the forms that a test holds, and each block names its language.
Findings unknown_blocks(const Page& page);

/// The lines of an excerpt stand, apart from indentation, one after the other in the file that it names. A
/// line `…` stands for any number of lines. The file may also be one of the page. Files that the generator
/// makes of these are compared only if `files` finds them.
Findings changed_excerpts(const Page& page, const Files& files);

/// A column `held by` names tests or files of tests in each of its rows, and all of them exist.
Findings missing_tests(const Page& page, const std::vector<std::string>& tests, const Files& files);

/// Returns the names of all tests in the sources below a folder: `TokenTest.OutlivesItsEntity`.
std::vector<std::string> tests_below(const std::filesystem::path& folder);

/// A file of an example: "question.h" of a block `cpp question.h`.
std::optional<std::string> file_of(const Block& block);

/// The path of an excerpt: "samples/a.h" of a block `cpp in samples/a.h`.
std::optional<std::string> excerpt_of(const Block& block);

std::string at(const Page& page, std::size_t line);

}  // namespace autoshard::guides
