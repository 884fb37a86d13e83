#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs the voting sample on RocksDB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake/install_dependencies.sh
cmake/build.sh moderator

echo "== the voting sample: 2,000 users, 16 questions"
build/bin/moderator
