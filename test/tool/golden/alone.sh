#!/usr/bin/env bash
# alone.sh INCLUDE_FOLDER COMPILER FLAG...: compiles each companion in test/entities by itself, so that it has all
# includes that it needs. The header that all of them include first is compiled once. The compiler is a Clang.
set -euo pipefail
include=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <autoshard/generated.h>' > "$folder/generated.h"
compiler=("$@" -I "$include")
"${compiler[@]}" -x c++-header "$folder/generated.h" -o "$folder/generated.pch"
find entities -name '*.autoshard.h' -print0 |
  xargs -0 -n 1 -P 2 "${compiler[@]}" -include-pch "$folder/generated.pch" -fsyntax-only \
    -Wno-pragma-once-outside-header -x c++
