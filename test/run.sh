#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs every test in the build that sees most: those of the
# runtime under AddressSanitizer and UndefinedBehaviorSanitizer, and those that suit it under ThreadSanitizer as well.
# test/nightly.sh runs them all in the optimised build, too, and what tests the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tests that start servers mostly wait, so one test more runs than there are processors.
tests_at_once=$(($(nproc) + 1))

cmake/install_dependencies.sh
cmake --preset release -DAUTOSHARD_DAILY=ON
cmake/build.sh

echo "== style"
test/style.sh

echo "== tests"
ctest --preset release --parallel "$tests_at_once"

for sanitizer in asan tsan; do
  echo "== building for $sanitizer"
  cmake --preset "$sanitizer" -DAUTOSHARD_DAILY=ON
  cmake --build "build-$sanitizer"
  echo "== tests under $sanitizer"
  ctest --preset "$sanitizer" --parallel "$tests_at_once"
done

echo "== not run, in any of the builds"
grep -ahoE 'NOT TESTED.*|^\[  SKIPPED \] [^ ,(]+' build*/Testing/Temporary/LastTest.log | sort | uniq -c || true
