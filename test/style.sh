#!/usr/bin/env bash
# clang-format over every source that people write, and the seams of the runtime. Not formatted are: entities whose
# layout is a part of the test, as companions keep it; companions, and headers into which tests write messages or
# annotations; the corpus of right headers, in the styles of other code bases; and the plugin's counter, whose lines and
# columns a test names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

entities='forms/(account|basket|counter|ledger|odd)\.|groups/thread|strategies/(rating|show|traffic)|types/(inventory|invoice|shipment|survey)|.*\.autoshard\.'
find tool runtime test samples -name '*.h' -o -name '*.cpp' |
  grep -Ev "^test/(entities/($entities)|tool/(advise/headers/|corpus/(right|wrong)/|plugin/counter\.))" |
  xargs clang-format --dry-run --Werror

# The seams of the runtime. seam PATTERN FILES: in runtime/src only these files may have the pattern.
seam() {
  local found
  found=$(grep -rlE "$1" runtime/src | grep -vE "$2" || true)
  [ -z "$found" ] || { printf 'only %s may have %s, not:\n%s\n' "$2" "$1" "$found" >&2; exit 1; }
}
seam 'StrategyKind::' '^runtime/src/strategies/strategies\.h$'
seam 'IndexType::Kind::' '^runtime/src/indexes/index_kinds\.h$'
# Facts about strategies, for lower layers and hot loops.
seam '\b(admits_updates|folds_in_order|is_timed|may_be_ranked)\(' \
  '(format/main_record|entity/parts|reading/value_reader|updates/shard_writer_stage|updates/updates|upkeep/compaction|upkeep/sweep|mapper/entity_transaction|query/query_run)\.(h|cpp)$'
seam '<autoshard/(mapper|admin|query|elements|range|json|autoshard)\.h>' '^runtime/src/(mapper|query)/'
