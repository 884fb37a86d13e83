#!/usr/bin/env bash
# Runs the generator over the method bodies of the standard library and of large C++ packages:
#   test/tool/real_headers.sh BUILD
# At least 2,000 classes must be there. No class may crash it or take it for ever. Takes about half an hour.
set -euo pipefail
build=$(realpath "$1")

version=$("$build/bin/autoshard" --version | sed -n 's/^LLVM \([0-9]*\).*/\1/p')
clang=/usr/bin/clang++-$version
plugin=()
if [ -f "$build/lib/AutoShardPlugin.so" ]; then plugin=(--plugin "$clang" "$build/lib/AutoShardPlugin.so"); fi

# All headers in the folders $2... below $1, as an #include names them.
headers() {
  local root=$1
  shift
  for folder in "$@"; do
    if [ -d "$root/$folder" ]; then (cd "$root" && find -L "$folder" -maxdepth 1 \( -name '*.h' -o -name '*.hpp' \)); fi
  done | sort
}

standard=$(cd /usr/include/c++/12 && find . -maxdepth 1 -type f ! -name '*.*' -printf '%P\n' | sort)
boost=$(headers /usr/include boost boost/asio boost/multi_index boost/unordered boost/container boost/algorithm/string)
# Their own headers use the macros of the build.
others=$(headers /usr/include fmt msgpack rocksdb gtest gmock benchmark hiredis)
llvm=$(headers "$(dirname "$(dirname "$(realpath "$clang")")")/include" llvm/ADT llvm/Support clang/AST clang/Basic clang/Sema)

# shellcheck disable=SC2086
exec "$build/bin/real_headers" "${plugin[@]}" 2000 bits/stdc++.h $standard $others $boost $llvm
