#pragma once

/// Files on disk, written so that a build tool sees a change only where there is one.

#include <string>
#include <vector>

namespace autoshard::tool {

struct OutputFile {
  std::string path;
  std::string text;
};

/// Writes the files whose content differs from what is there, making folders as needed: each is prepared
/// beside its place, and none takes it before all are prepared. Returns an empty string, or what went wrong.
std::string write_if_changed(const std::vector<OutputFile>& files);

/// The same for files of the user's, which are there: symbolic links stay what they are, permissions are
/// kept, and a file that is read-only is a problem.
std::string write_in_place(std::vector<OutputFile> files);

/// A Make rule, as compilers write it: `targets` depend on `inputs`.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs);

}  // namespace autoshard::tool
