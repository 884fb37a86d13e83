#!/usr/bin/env bash
# clang-format over every source that people write. Left out are: entities whose layout is a part of the test, as
# companions keep it; companions, and headers into which tests write messages or annotations; the corpus of right
# headers, in the styles of other code bases; and the plugin's counter, whose lines and columns a test names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

entities='forms/(account|basket|counter|ledger|odd)\.|groups/thread|strategies/(rating|show|traffic)|types/(inventory|invoice|shipment|survey)|.*\.autoshard\.'
find tool runtime test samples -name '*.h' -o -name '*.cpp' |
  grep -Ev "^test/(entities/($entities)|tool/(advise/headers/|corpus/(right|wrong)/|plugin/counter\.))" |
  xargs clang-format --dry-run --Werror
