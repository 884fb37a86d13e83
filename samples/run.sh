#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs the voting sample on RocksDB. Needs neither the
# database servers nor the tools of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake/install_dependencies.sh samples
if [ ! -f build-samples/build.ninja ]; then
  echo "== configuring"
  cmake --preset samples
fi
echo "== building"
cmake --build --preset samples --target moderator

echo "== the voting sample: 2,000 users, 16 questions"
build-samples/bin/moderator
