#!/usr/bin/env bash
# compile.sh FOLDER RUNTIME AUTOSHARD COMPILER FLAGS...: all headers and sources of FOLDER, first as they are, then as
# AUTOSHARD generates them (`original` or `generated` comes first among the flags), as one translation unit. The compiler
# must be silent.
set -euo pipefail
folder=$1 runtime=$2 autoshard=$3 form=$4
shift 4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$folder"
headers=(*.h) sources=(*.cpp)
if [ "$form" = generated ]; then
  "$autoshard" "${headers[@]}" "${sources[@]/#/--source=}" -o "$work" -- -std=c++20
  headers=("${headers[@]/%.h/.autoshard.h}") sources=("${sources[@]/%.cpp/.autoshard.cpp}")
fi
printf '#include "%s"\n' "${headers[@]}" "${sources[@]}" >"$work/all.cpp"
if ! "$@" -fsyntax-only -I "$work" -I . -isystem "$runtime" "$work/all.cpp" >"$work/output" 2>&1 || [ -s "$work/output" ]; then
  head -n 100 "$work/output"
  exit 1
fi
