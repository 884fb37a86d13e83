#!/usr/bin/env bash
# The ways in which annotated classes come into a translation unit.
. "$(dirname "$0")/plugin.sh"
cp "$here"/counter.* .

# expect_counts PROGRAM: it runs and counts right
expect_counts() {
  expect_exit "$1" 0 "./$1"
  expect_contains "$1" "counts 11 3" "$output"
}

# The name of the generated form means the header; there is no such file, and none is made a dependency.
sed 's/counter\.h/counter.autoshard.h/' counter.cpp > generated_name.cpp
build generated_name generated_name.cpp -MD -MF deps
expect_counts generated_name
expect_count "dependencies" 0 "autoshard.h:" "$(cat deps)"
expect_equal "dependencies" "counter.h" "$(tr -s ' \\' '\n\n' < deps | grep '^counter.*h$')"
sed '1i #include "counter.h"' generated_name.cpp > both_names.cpp
build both_names both_names.cpp
expect_counts both_names

# In other folders, included twice, before everything, by the compiler's flags.
mkdir -p include/model
mv counter.h include/model/
sed 's|"counter\.h"|<model/counter.h>|; /include <cstdio>/i #include "model/counter.h"' counter.cpp > folders.cpp
build folders folders.cpp -I include
expect_counts folders
sed '/counter\.h/d' counter.cpp > forced.cpp
build forced forced.cpp -include include/model/counter.h
expect_counts forced
mv include/model/counter.h .

# What only the companion has is used behind the class, where bodies are read because they have to be.
cat > queries.cpp <<'END'
#include <autoshard/autoshard.h>
#include "counter.h"
#include <cstdio>
using Field = autoshard::Fields<metrics::Counter>;
#define TEST(name) static int name(autoshard::Mapper& mapper)
TEST(count_few) { return static_cast<int>(mapper.query<metrics::Counter>(Field::count < 4).count()); }
auto all(autoshard::Mapper& mapper) { return mapper.query<metrics::Counter>(Field::name >= "a"); }
struct Ranking { static inline const auto kBy = Field::count.desc(); };
int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(metrics::Counter{"a"});
  mapper.save(metrics::Counter{"b"});
  mapper.apply<&metrics::Counter::add>("a", 4, 7);
  int most = 0;
  for (const auto& counter : all(mapper).order_by(Ranking::kBy).limit(1)) most = counter.count();
  std::printf("counts %d %d\n", most, 2 + count_few(mapper));
}
END
build queries queries.cpp
expect_counts queries
sed 's/^int main.*/&\n  nonsense;/' queries.cpp > wrong_behind.cpp
refuse wrong_behind.cpp
expect_contains "an error behind the class" "wrong_behind.cpp:10:3: error: use of undeclared identifier 'nonsense'" "$output"

# Behind macros. An #include that is one finds annotated headers, too.
cat > macros.h <<'END'
#pragma once
#define SHOP_entity [[autoshard::entity]]
#define SHOP_id [[autoshard::id]]
#define SHOP_shard_method [[autoshard::shard_method]]
#define SHOP_shard_fold [[autoshard::shard_fold]]
#define SHOP_HOT(n) [[autoshard::shardable(neutral = 0, shards = n)]]
END
sed 's/^#include <string>/#include "macros.h"\n&/; s/\[\[autoshard::\([a-z_]*\)\]\]/SHOP_\1/
     /autoshard::shardable/d; s/^ *shards = 4)\]\]/  SHOP_HOT(4)/' counter.h > with_macros.h
sed 's/counter\.h/with_macros.h/' counter.cpp > with_macros.cpp
build with_macros with_macros.cpp
expect_counts with_macros
sed 's/^#include "macros.h"//' with_macros.h > flags.h
sed 's/counter\.h/flags.h/' counter.cpp > with_flags.cpp
build with_flags with_flags.cpp '-DSHOP_entity=[[autoshard::entity]]' '-DSHOP_id=[[autoshard::id]]' \
  '-DSHOP_shard_method=[[autoshard::shard_method]]' '-DSHOP_shard_fold=[[autoshard::shard_fold]]' \
  '-DSHOP_HOT(n)=[[autoshard::shardable(neutral = 0, shards = n)]]'
expect_counts with_flags
build with_imacros with_flags.cpp -imacros macros.h
expect_counts with_imacros
sed 's/#include "counter.h"/#define HEADER "counter.h"\n#include HEADER/' counter.cpp > macro_include.cpp
build macro_include macro_include.cpp
expect_counts macro_include
sed 's/#include "macros.h"/#define MACROS "macros.h"\n#include MACROS/' with_macros.h > too_late.h
printf '#include "too_late.h"\n' > too_late.cpp
refuse too_late.cpp
expect_contains "found too late" "too_late.h': it was read before the annotated classes" "$output"

# Other line ends, a byte order mark, no newline at the end.
sed 's/$/\r/' counter.h > crlf.h
{ printf '\xef\xbb\xbf'; cat counter.h; printf '// the end'; } > marked.h
for name in crlf marked; do
  sed "s/counter\.h/$name.h/" counter.cpp > "$name.cpp"
  build "$name" "$name.cpp"
  expect_counts "$name"
done

# Two units of one program, one of which only knows a forward declaration.
cat > part.cpp <<'END'
namespace metrics { class Counter; }
int count_of(const metrics::Counter& counter);
#include "counter.h"
int count_of(const metrics::Counter& counter) { return counter.count(); }
END
cat > forward.h <<'END'
namespace metrics { class Counter; }
int count_of(const metrics::Counter& counter);
END
cat > whole.cpp <<'END'
#include "forward.h"
#include "counter.h"
int main() { return count_of(metrics::Counter{"a"}); }
END
build whole whole.cpp part.cpp
expect_exit "two units" 0 ./whole

# A plain method may be defined in any unit: nobody is warned of one that this unit only declares.
sed 's/^ public:/&\n  void defined_elsewhere();/' counter.h > declares.h
grep -q defined_elsewhere declares.h
sed 's/counter\.h/declares.h/' counter.cpp > declares.cpp
compile -c declares.cpp

# Precompiled headers: of annotated ones, and before an annotated class in the main file.
printf '#include <autoshard/autoshard.h>\n#include "counter.h"\n' > pch.h
compile -x c++-header pch.h -o pch.pch
build with_pch -include-pch pch.pch counter.cpp
expect_counts with_pch
compile -x c++-header counter.h -o counter.pch
build with_counter_pch -include-pch counter.pch counter.cpp
expect_counts with_counter_pch

# What is not supported says so.
refuse counter.cpp -save-temps
expect_contains "-save-temps" "without -save-temps" "$output"
refuse -std=c++17 counter.cpp
expect_contains "C++17" "compile with -std=c++20" "$output"
expect_exit "the standard input" 1 sh -c "'$clang' -std=c++20 '-fplugin=$plugin' -I '$source/runtime/include' -fsyntax-only -x c++ - < counter.cpp"
expect_contains "the standard input" "cannot read the standard input" "$output"
printf 'module;\n#include "counter.h"\nexport module m;\n' > module.cppm
refuse module.cppm --precompile
expect_contains "a module" "cannot read units of modules" "$output"
sed 's/^namespace metrics {/#line 100\n&/' counter.h > numbered.h
printf '#include "numbered.h"\n' > numbered.cpp
refuse numbered.cpp
expect_contains "#line" "numbered.h': it has #line directives of its own" "$output"

# Nothing changes where there is nothing to be done, in C++ of any age and in C.
printf 'int main() { return 0; }\n' > plain.cpp
compile -std=c++98 -c plain.cpp
"$clang" "-fplugin=$plugin" -x c -c plain.cpp || fail "C with the plugin"

# A compiler of another version says what to do.
for other in clang++-22 clang++-19; do
  command -v "$other" > /dev/null || continue
  [ "$(realpath "$(command -v "$other")")" != "$(realpath "$clang")" ] || continue
  expect_exit "$other" 1 "$other" "-fplugin=$plugin" -c plain.cpp
  expect_contains "$other" "plugin" "$output"
done
