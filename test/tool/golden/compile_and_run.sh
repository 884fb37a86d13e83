#!/usr/bin/env bash
# compile_and_run.sh CHECK RUNTIME SOURCE COMPILER FLAGS...: compiles CHECK, which includes an expected header, and
# runs it. The compiler must be silent.
set -euo pipefail
check=$1 runtime=$2 source=$3
shift 3

program=$(mktemp)
trap 'rm -f "$program"' EXIT
output=$("$@" -isystem "$source/runtime/include" -I "$source/test/tool/golden" "$check" "$runtime" -pthread -o "$program" 2>&1) || {
  echo "$output"
  exit 1
}
if [ -n "$output" ]; then
  echo "$output"
  exit 1
fi
"$program"
