#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs every test in the build that sees most: those of the
# runtime under AddressSanitizer and UndefinedBehaviorSanitizer, and those that suit it under ThreadSanitizer as well.
# test/nightly.sh runs them all in the optimised build, too, and what tests the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tests that start servers mostly wait, so one test more runs than there are processors.
tests_at_once=$(($(nproc) + 1))

begin() { echo "== $1 (after $((SECONDS / 60)):$(printf %02d $((SECONDS % 60))))"; }

# run_tests PRESET FOLDER: names the assertions that failed once more at the end, where they are seen first.
run_tests() {
  begin "tests of preset $1"
  ctest --preset "$1" --parallel "$tests_at_once" && return
  echo "== what failed"
  grep -ahE -A 8 ': Failure$|^\[  FAILED  \] [^ ]+ |runtime error:|ERROR: AddressSanitizer|WARNING: ThreadSanitizer|^Test .*(Timeout|Exception)' \
    "$2/Testing/Temporary/LastTest.log" | head -n 300
  return 1
}

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

begin "not run, in any of the builds"
grep -ahoE 'NOT TESTED.*|^\[  SKIPPED \] [^ ,(]+' build*/Testing/Temporary/LastTest.log | sort | uniq -c || true
