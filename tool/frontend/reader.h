#pragma once

/// From a compiler instance to the model: what the tool and a plugin of the compiler have in common.

#include <clang/Frontend/CompilerInstance.h>

#include "tool/frontend/compiler/files.h"
#include "tool/frontend/tokens/scan.h"
#include "tool/frontend/tokens/tokens.h"

namespace autoshard::tool {

/// Reads one translation unit. To be made before the first token is lexed, and used after the last was
/// parsed, while the compiler instance still has its Sema.
class Reader {
 public:
  /// `inputs` are the headers as they were given; relative ones stand in `directory`.
  Reader(clang::CompilerInstance& compiler, const std::vector<std::string>& inputs,
         const std::string& directory);

  /// Makes code readable that stores entities in the same files, whose traits are yet to be generated. To be
  /// called right before the first token is lexed.
  void add_stand_ins();

  /// The files, once there is something to be said about them.
  Files& files() { return files_; }

  /// `candidates`: see ParseRequest.
  Model read(bool candidates = false);

  /// The same for a translation unit of which nothing was parsed.
  Model read_unannotated(const Scan& scan);

 private:
  clang::CompilerInstance& compiler_;
  TokenLog log_;
  Files files_;
};

}  // namespace autoshard::tool
