#pragma once

/// From a compiler instance to the model: what the tool and a plugin of the compiler have in common.

#include <clang/Frontend/CompilerInstance.h>

#include "tool/frontend/compiler/files.h"
#include "tool/frontend/tokens/context.h"
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

  /// The files that were read, for messages about them.
  Files& files() { return files_; }

  /// `candidates`: see ParseRequest.
  Model read(bool candidates = false);

  /// What read() would have needed of the functions that were defined in other headers, and whose bodies were
  /// skipped.
  const BodyNames& unread_bodies() const { return unread_bodies_; }

  /// The same for a translation unit of which nothing was parsed.
  Model read_unannotated(const Scan& scan);

 private:
  clang::CompilerInstance& compiler_;
  TokenLog log_;
  Files files_;
  BodyNames unread_bodies_;
};

/// Whether the body of `decl`, a function in a header that is none of the inputs, is among `wanted`.
bool is_wanted(const clang::Decl& decl, const BodyNames& wanted);

/// One of several readings of a translation unit: shard methods may call functions of other headers, whose
/// bodies are only read if the reading before has found that they are needed.
struct Reading {
  BodyNames wanted{};       ///< the bodies to be read in other headers
  BodyNames missed{};       ///< result: more of them; the rest of the result is not used then
  bool has_failed = false;  ///< result: there is an error, perhaps because of `wanted`
  bool is_last = false;     ///< the result is used, even if bodies were missed
  int number = 1;

  /// Whether what `reader` has read is not enough. Sets `missed` then.
  bool misses_bodies(const Reader& reader);
};

/// Prepares the reading after `reading`. Returns false if there is none.
bool read_again(Reading& reading);

}  // namespace autoshard::tool
