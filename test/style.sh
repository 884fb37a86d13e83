#!/usr/bin/env bash
# clang-format over every source that people write. (The golden headers are inputs in styles of their own.)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find tool runtime test samples -name '*.h' -o -name '*.cpp' | grep -v '^test/tool/golden/.*\.h$' |
  xargs clang-format --dry-run --Werror
