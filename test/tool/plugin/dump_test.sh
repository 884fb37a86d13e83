#!/usr/bin/env bash
# The sources that were compiled. With AUTOSHARD_UPDATE_GOLDEN=1 the test writes the expected one instead: read the
# difference before you commit it.
. "$(dirname "$0")/plugin.sh"
mkdir app
cp "$here"/counter.h "$here"/counter.cpp app
cat > app/other.cpp <<'END'
#include <string>
std::string other() { return "has nothing to do with it"; }
END

compile -c app/counter.cpp -fplugin-arg-autoshard-dump=dump
expect_equal "what is dumped" "dump/app/counter.cpp dump/app/counter.h" "$(find dump -type f | sort | tr '\n' ' ' | sed 's/ $//')"
if [ -n "${AUTOSHARD_UPDATE_GOLDEN:-}" ]; then
  cp dump/app/counter.h "$here/counter.dump.h"
fi
diff "$here/counter.dump.h" dump/app/counter.h ||
  fail "the dumped header is not as expected; if that is meant: AUTOSHARD_UPDATE_GOLDEN=1 ctest --test-dir build -R plugin.dump"
grep -q 'Visit& count(int n);' dump/app/counter.cpp || fail "the main file is not among what was dumped"

# It is all that there was to compile.
cd dump/app
"$clang" -std=c++20 -pthread -I "$source/runtime/include" counter.cpp "$runtime" -o counter
expect_exit "what was dumped runs without the plugin" 0 ./counter
expect_contains "what was dumped runs without the plugin" "counts 11 3" "$output"
cd ../..

# Files of other folders keep their whole path.
mkdir elsewhere
(cd elsewhere && compile -c ../app/counter.cpp -fplugin-arg-autoshard-dump=dump)
expect_equal "seen from elsewhere" "elsewhere/dump$folder/app/counter.h" "$(find elsewhere -name counter.h)"

compile -c app/other.cpp -fplugin-arg-autoshard-dump=nothing
[ ! -e nothing ] || fail "something was dumped of a file without annotated classes"

touch file
refuse app/counter.cpp -fplugin-arg-autoshard-dump=file
expect_contains "a folder that is a file" "file/app/" "$output"
