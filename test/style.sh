#!/usr/bin/env bash
# clang-format over every source that people write. (The golden headers are inputs in styles of their own.)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git ls-files -- '*.h' '*.cpp' | grep -v -e '^test/tool/golden/.*\.h$' | xargs clang-format --dry-run --Werror
