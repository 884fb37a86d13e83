#!/usr/bin/env bash
# clang-format over every source that people write. (What tests read is in styles of its own.)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

entities='forms/|groups/thread|strategies/(rating|show|traffic)|types/(inventory|invoice|shipment|survey)|.*\.autoshard\.'
find tool runtime test samples -name '*.h' -o -name '*.cpp' |
  grep -Ev "^test/(entities/($entities)|tool/(advise/headers/|corpus/(right|wrong)/|plugin/counter\.))" |
  xargs clang-format --dry-run --Werror
