#!/usr/bin/env bash
# Configures preset `release` where that has not been done, and builds the targets that are named, or everything.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ ! -f build/build.ninja ]; then
  echo "== configuring"
  cmake --preset release
fi
echo "== building"
cmake --build build ${1:+--target "$@"}
