#!/usr/bin/env bash
# alone.sh INCLUDE_FOLDER COMPILER FLAG...: compiles each expected header by itself, so that it has all includes
# that it needs. What every one of them includes first is compiled once. The compiler is a Clang.
set -euo pipefail
include=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <autoshard/generated.h>' > "$folder/generated.h"
compiler=("$@" -I "$include")
"${compiler[@]}" -x c++-header "$folder/generated.h" -o "$folder/generated.pch"
for header in *.autoshard.h; do
  "${compiler[@]}" -include-pch "$folder/generated.pch" -fsyntax-only -Wno-pragma-once-outside-header -x c++ "$header"
done
