#!/usr/bin/env bash
# compile_and_run.sh RUNTIME COMMAND...: compiles by COMMAND, links with the library RUNTIME, and runs the program.
set -euo pipefail
runtime=$1
shift

program=$(mktemp)
trap 'rm -f "$program"' EXIT
"$@" "$runtime" -pthread -o "$program"
"$program"
