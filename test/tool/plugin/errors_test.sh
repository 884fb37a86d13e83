#!/usr/bin/env bash
# Errors are told once, at the user's lines, and fail the compilation.
. "$(dirname "$0")/plugin.sh"
cp "$here"/counter.* .

# change FROM TO: wrong.h is counter.h with a mistake, wrong.cpp includes it
sed 's/counter\.h/wrong.h/' counter.cpp > wrong.cpp
change() {
  sed "s/$1/$2/" counter.h > wrong.h
  ! cmp -s counter.h wrong.h || fail "nothing is wrong with '$2'"
}
line_of() {
  grep -nF -- "$1" wrong.h | head -1 | cut -d: -f1
}

# The generator's own.
change '\[\[autoshard::id\]\] ' ''
refuse wrong.cpp
expect_contains "no id" "wrong.h:$(line_of 'Counter {'):29: error:" "$output"
expect_contains "no id: the line and the caret" "class [[autoshard::entity]] Counter {" "$output"
expect_count "no id" 1 "[autoshard-no-id]" "$output"
expect_contains "no id, and no consequences" "1 error generated." "$output"

change '++count_;' 'count_ += static_cast<int>(name_.size());'
refuse wrong.cpp
expect_contains "an unsharded member" "wrong.h:$(line_of name_.size):" "$output"
expect_count "an unsharded member" 1 "[autoshard-shard-method-members]" "$output"
expect_count "its note" 1 "'name_' is here" "$output"

# The laws, and how to disable them.
change 'return x + y' 'return x - y'
refuse wrong.cpp
expect_contains "a law" "wrong.h:$(line_of 'int sum(')" "$output"
expect_contains "a law" "sum(1, 2) is -1 but sum(2, 1) is 1" "$output"
expect_count "a law" 1 "[autoshard-fold-not-commutative]" "$output"
compile wrong.cpp -c -fplugin-arg-autoshard-disable=fold-not-commutative \
  -fplugin-arg-autoshard-disable=autoshard-fold-not-associative

# Clang's own: before, in, and behind the class, and in the code that uses it; each once, and nothing else.
change '#include <string>' '#include <string>\nint before = "text";'
refuse wrong.cpp
expect_contains "Clang's, before" "wrong.h:$(line_of before):5: error: cannot initialize" "$output"
expect_contains "Clang's, before" "1 error generated." "$output"
change 'if (more > 0) {' 'if (mroe > 0) {'
refuse wrong.cpp
expect_contains "Clang's, in a body" "wrong.h:$(line_of mroe):9: error: use of undeclared identifier 'mroe'" "$output"
expect_contains "Clang's, in a body: how it came there" "In file included from wrong.cpp:2:" "$output"
expect_contains "Clang's, in a body" "1 error generated." "$output"
change 'std::string name_;' 'Unknown name_;'
refuse wrong.cpp
expect_contains "Clang's, a member" "wrong.h:$(line_of Unknown):21: error: unknown type name 'Unknown'" "$output"
change 'line_behind() { return __LINE__' 'line_behind() { return none'
sed -i 's/std::printf("file/int x = "no"; std::printf("file/' wrong.cpp
refuse wrong.cpp
expect_contains "Clang's, behind" "wrong.h:$(line_of none):" "$output"
expect_count "Clang's, behind" 1 "undeclared identifier 'none'" "$output"
expect_contains "Clang's, in code that uses it" "wrong.cpp:$(grep -n '"no"' wrong.cpp | cut -d: -f1):" "$output"
expect_equal "what is repeated" "" "$(grep error: <<<"$output" | sort | uniq -d)"

# What stands in an annotation is refused where it stands.
sed 's/counter\.h/wrong.h/' counter.cpp > wrong.cpp
change 'neutral = 0' 'neutral = nothing'
refuse wrong.cpp
expect_contains "an annotation's value" "wrong.h:$(line_of nothing):" "$output"
expect_contains "an annotation's value" "undeclared identifier 'nothing'" "$output"

# The companion's traits cannot stand inside of somebody else's namespace.
printf 'namespace shop {\n#include "part.h"\n}\n' > wrong.cpp
printf '#pragma once\nclass [[autoshard::entity]] Part {\n  [[autoshard::id]] int id_ = 0;\n};\n' > part.h
refuse wrong.cpp
expect_contains "included in a namespace" "part.h:2:29: error: 'Part' is in a file that is included inside of a" "$output"
expect_contains "included in a namespace" "1 error generated." "$output"
sed 's/counter\.h/wrong.h/' counter.cpp > wrong.cpp

# What stands beside the class is looked at, too.
change 'namespace metrics {$' 'namespace metrics {\ninline int less(int x, int y) { return x - y; }'
sed -i 's/return x + y/return less(x, y)/' wrong.h
refuse wrong.cpp
expect_contains "a fold that calls a function" "[autoshard-fold-not-commutative]" "$output"
change 'namespace metrics {$' 'namespace metrics {\ninline void twice(int\& x) { x *= 2; }'
sed -i 's/++count_/twice(count_)/' wrong.h
refuse wrong.cpp
expect_contains "a shard method that calls a function" "[autoshard-method-does-not-commute]" "$output"
change '  static int line()' '  friend class Editor;\n  friend int count_of(const Counter\& counter) { return counter.count_; }\n  static int line()'
sed -i 's/^}  \/\/ namespace metrics/class Editor {\n  void edit(Counter\& counter) { counter.count_ = 7; }\n};\n&/' wrong.h
refuse wrong.cpp
expect_contains "a friend that writes" "wrong.h:$(line_of '= 7'):" "$output"
expect_count "a friend that writes, and none that reads" 1 "[autoshard-plain-write]" "$output"

# A header that is not there ends both readings.
change '<utility>' '<utilities>'
refuse wrong.cpp
expect_contains "a missing header" "wrong.h:$(line_of utilities):10: fatal error:" "$output"
expect_contains "a missing header" "1 error generated." "$output"

# Arguments of the plugin's.
refuse counter.cpp -fplugin-arg-autoshard-dmp=x
expect_contains "an unknown argument" "no argument 'dmp=x'; there are dump=DIR" "$output"
expect_contains "an unknown argument" "1 error generated." "$output"
refuse counter.cpp -fplugin-arg-autoshard-disable=no-such-rule
expect_contains "an unknown rule" "there is no rule 'autoshard-no-such-rule'" "$output"
refuse counter.cpp -fplugin-arg-autoshard-disable=no-id
expect_contains "a rule that must hold" "cannot be disabled" "$output"
