#!/usr/bin/env bash
# compile.sh GOLDEN INCLUDE PROGRAM COMPILER FLAGS...: compiles PROGRAM, which includes the checks in the folder GOLDEN.
# The compiler must be silent.
set -euo pipefail
golden=$1 include=$2 program=$3 compiler=$4
shift 4

output=$("$compiler" -isystem "$include" -I "$golden" -I "$golden/../.." "$program" "$@" 2>&1) || {
  echo "$output"
  exit 1
}
if [ -n "$output" ]; then
  echo "$output"
  exit 1
fi
