#!/usr/bin/env bash
# clang-format over every source that people write. (What tests read is in styles of its own.)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find tool runtime test samples -name '*.h' -o -name '*.cpp' |
  grep -Ev '^test/tool/((golden|advise/headers)/.*\.h|corpus/(right|wrong)/.*|golden/poll\..*cpp|plugin/counter\..*)$' |
  xargs clang-format --dry-run --Werror
