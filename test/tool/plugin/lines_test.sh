#!/usr/bin/env bash
# Where the compiler says that things are, they are for the user: __LINE__, debug info, columns.
. "$(dirname "$0")/plugin.sh"
cp "$here"/counter.* .

# line_of FILE TEXT: the number of the line that holds TEXT
line_of() {
  grep -nF -- "$2" "$1" | head -1 | cut -d: -f1
}

build counter counter.cpp -g
expect_exit "run" 0 ./counter
expect_contains "it counts" "counts 11 3" "$output"
expect_contains "__LINE__" "lines $(line_of counter.h 'const int line') $(line_of counter.h 'static int line') \
$(line_of counter.h line_behind) $(line_of counter.cpp kLineOfBrace) $(line_of counter.cpp 'app::kLineOfBrace, __LINE__')" "$output"
expect_contains "__FILE__" "file counter.cpp" "$output"

# lines FUNCTION: the user's lines that debug info knows of a function, whose name is given without parameters
"$objdump" -d -l -C --no-show-raw-insn counter > disassembly
lines() {
  awk -v name="<$1(" 'index($0, name) && /:$/ { inside = 1; next } /^$/ { inside = 0 }
                      inside && /^; .*counter\.(h|cpp):[0-9]+$/ { sub(/.*\//, ""); print }' disassembly |
    sort -t: -k2 -nu | tr '\n' ' '
}
# expect_lines FUNCTION FILE TEXT...: they are those of each TEXT
expect_lines() {
  local function=$1 file=$2 expected=""
  shift 2
  for text in "$@"; do expected+="$file:$(line_of "$file" "$text") "; done
  expect_equal "lines of $function" "$expected" "$(lines "$function")"
}
expect_lines metrics::sharded::Counter::Shard::add counter.h \
  '  {' 'const int line' 'count_ += pieces' 'if (more > 0)' 'count_ += more' 'return line;'
expect_lines metrics::sharded::Counter::Shard::increment counter.h 'void increment()'
expect_lines metrics::sharded::Counter::sum counter.h 'int sum('
expect_lines metrics::sharded::Counter::count counter.h 'int count() const'
expect_lines metrics::line_behind counter.h 'line_behind'
expect_lines app::sharded::Visit::Shard::count counter.cpp 'Visit& count('
expect_lines app::visits counter.cpp 'int visits(autoshard::Mapper& mapper) {' 'mapper.save(Visit{1});' 'mapper.update<Visit>' \
  'return mapper.load<Visit>(1)'

# What runs a body on both values stands for the method, the rest of the generated code for the class or the member.
expect_lines metrics::sharded::Counter::add counter.h 'int add('
expect_lines metrics::sharded::Counter::increment counter.h 'void increment()'
expect_lines 'autoshard::Traits<metrics::sharded::Counter>::make' counter.h 'Counter {'
expect_lines metrics::sharded::Counter::Shard::fold_count_ counter.h 'int count_ = 0;'

# Without the plugin, these lines are the same.
sed 's/\[\[autoshard::[a-z_]*\(([^)]*)\)\{0,1\}\]\]//' counter.h > plain.h
expect_equal "the plain header" "$(wc -l < counter.h)" "$(wc -l < plain.h)"

# Columns, where attributes, bodies and other text went.
cat > columns.cpp <<'END'
#include <functional>
class [[autoshard::entity]] C { public:
  [[autoshard::shard_method]] void f(int n) { n_ += n; int unused; } int g() const { int idle; return n_; }
 private:
  [[autoshard::id]] int id_; static_assert(sizeof(int) == 1);
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int n_ = 0;
}; void behind() { int lost; }
END
expect_exit "columns" 1 "$clang" -std=c++20 -Wall "-fplugin=$plugin" -I "$source/runtime/include" -c columns.cpp -o columns.o
# column_of LINE TEXT
column_of() {
  sed -n "$1p" columns.cpp | awk -v text="$2" '{ print index($0, text) }'
}
expect_contains "a body that moved" "columns.cpp:3:$(column_of 3 unused):" "$output"
expect_contains "behind a body that moved" "columns.cpp:3:$(column_of 3 idle):" "$output"
expect_contains "behind an attribute" "columns.cpp:5:$(column_of 5 'sizeof(int) == 1'):" "$output"
expect_contains "behind the class" "columns.cpp:7:$(column_of 7 lost):" "$output"
expect_contains "the user's line is shown" 'n_ += n; int unused; }' "$output"
