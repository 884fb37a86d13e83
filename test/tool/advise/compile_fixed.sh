#!/usr/bin/env bash
# compile_fixed.sh AUTOSHARD RUNTIME SOURCE COMPILER: the fixed headers are valid for a plain compiler; what is generated
# from them compiles without a warning; and their law tests pass.
set -euo pipefail
autoshard=$1 runtime=$2 source=$3 compiler=$4
headers=$source/test/tool/advise/headers/fixed

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

flags=(-std=c++20 -isystem "$source/runtime/include" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
case $compiler in
  *clang*)
    quiet=-Wno-unknown-attributes
    flags+=(-Wno-unused-private-field) # the headers show no more than a class's updates
    ;;
  *) quiet=-Wno-attributes=autoshard:: ;;
esac
for header in "$headers"/*.h; do
  printf '#include "%s"\n' "$header" > "$folder/plain.cpp"
  "$compiler" -std=c++20 -Werror "$quiet" -fsyntax-only "$folder/plain.cpp"
done

"$autoshard" "$headers"/*.h -o "$folder" --
"$autoshard" "$headers"/*.h --law-tests "$folder/laws.cpp" --
"$compiler" "${flags[@]}" -I "$folder" "$folder/laws.cpp" "$runtime" -lgtest -lgtest_main -pthread -o "$folder/laws"
"$folder/laws" --gtest_brief=1
