#!/usr/bin/env bash
# codegen_test.sh BENCH: that `codegen` measures what it is to measure, and that an unchanged build does nothing. Not how
# fast.
. "$(dirname "$0")/../support/assertions.sh"

expect_exit "codegen" 0 "$1" codegen --rounds 1 --headers 4 --json "$folder/rows.json"
rows=$(cat "$folder/rows.json")
for name in autoshard-one-header peer-syntax-only-one-header autoshard-4-headers autoshard-unchanged-build \
  peer-unchanged-build autoshard-three-calls peer-rocksdb-header; do
  expect_contains "the rows" "{\"name\": \"$name\", \"ms\": " "$rows"
done
expect_contains "one header" '"ratio_to_peer": ' "$(grep '"autoshard-one-header"' "$folder/rows.json")"
expect_contains "four headers" '"ratio_to_one_header": ' "$(grep '"autoshard-4-headers"' "$folder/rows.json")"
expect_contains "three calls" '"ratio_to_peer": ' "$(grep '"autoshard-three-calls"' "$folder/rows.json")"
expect_contains "three calls" '"object_bytes": ' "$(grep '"autoshard-three-calls"' "$folder/rows.json")"
expect_contains "after touching a header" '"compiled_after_touch": 0' "$rows"

# A generator that fails is not measured.
expect_exit "a generator that fails" 1 "$1" codegen --rounds 1 --headers 1 --autoshard false
expect_contains "a generator that fails" "this failed: " "$output"
