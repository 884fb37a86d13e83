#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs every test in the build that sees most: those of the
# runtime under AddressSanitizer and UndefinedBehaviorSanitizer, and those that suit it under ThreadSanitizer as well.
# test/nightly.sh runs them all in the optimised build, too, and what tests the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tests that start servers mostly wait, so one test more runs than there are processors.
tests_at_once=$(($(nproc) + 1))

begin() { echo "== $1 (after $((SECONDS / 60)):$(printf %02d $((SECONDS % 60))))"; }

# run_tests PRESET FOLDER: if tests fail, prints the failed assertions again at the end, where readers look first.
logs=()
run_tests() {
  local log="$2/Testing/Temporary/LastTest.log"
  begin "tests of preset $1"
  logs+=("$log")
  ctest --preset "$1" --parallel "$tests_at_once" && return
  echo "== what failed"
  local failure='runtime error:|ERROR: AddressSanitizer|WARNING: ThreadSanitizer|^Test .*(Timeout|Exception)'
  grep -ahE -A 8 ": Failure\$|^\[  FAILED  \] [^ 0-9]|$failure" "$log" | head -n 300 || true
  return 1
}

# Prints the tests that were not run in the tested builds. Runs at exit, also after a failure.
print_not_run() {
  [ ${#logs[@]} -gt 0 ] || return 0
  begin "not run, in any of the builds"
  grep -ahoE 'NOT TESTED.*|^\[  SKIPPED \] [^ ,(]+' "${logs[@]}" | sort | uniq -c || true
}
trap print_not_run EXIT

begin "packages"
cmake/install_dependencies.sh
begin "building preset release"
cmake --preset release -DAUTOSHARD_DAILY=ON
cmake/build.sh
begin "style"
test/style.sh
run_tests release build

for sanitizer in asan tsan; do
  begin "building preset $sanitizer"
  cmake --preset "$sanitizer" -DAUTOSHARD_DAILY=ON
  cmake --build "build-$sanitizer"
  run_tests "$sanitizer" "build-$sanitizer"
done
