#pragma once

#include <llvm/Support/VirtualFileSystem.h>

namespace autoshard::tool {

/// `base`, in which every file `question.h` is found as `question.autoshard.h` as well: where a compiler
/// reads the rewritten text instead of a header, both names stand for that.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_generated_names(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base);

}  // namespace autoshard::tool
