#!/usr/bin/env bash
# plugin_test.sh BUILD SOURCE CLANGXX: a project of somebody else's compiles with the installed plugin, and its program
# shares a database with the same program built with the build step.
. "$(dirname "$0")/../support/assertions.sh"
build=$1 source=$2 clang=$3

expect_exit "install" 0 cmake --install "$build" --prefix "$folder/installed"
cp -r "$source/test/end_to_end/plugin" "$folder/project"

# configure FOLDER COMPILER OPTIONS...
configure() {
  local into=$1 compiler=$2
  shift 2
  cmake -S "$folder/project" -B "$folder/$into" -G Ninja -DCMAKE_PREFIX_PATH="$folder/installed" \
    -DCMAKE_CXX_COMPILER="$compiler" "$@"
}
expect_exit "configure with the plugin" 0 configure plugin "$clang"
expect_exit "build with the plugin" 0 cmake --build "$folder/plugin"
expect_exit "law tests" 0 ctest --test-dir "$folder/plugin"
expect_contains "law tests" "LawsOfBankAccount.DepositCommutes" "$output"
expect_contains "law tests of what a source defines" "LawsOfBankAccount.WithdrawCommutes" "$output"
expect_exit "configure with the build step" 0 configure step g++ -DWITH_PLUGIN=OFF
expect_exit "build with the build step" 0 cmake --build "$folder/step"

# Each reads and updates what the other has written, there and back.
total=0 rounds=0
for way in plugin step plugin step step plugin; do
  rounds=$((rounds + 1)) total=$((total + 3 * rounds))
  expect_exit "round $rounds: $way" 0 "$folder/$way/ledger" "$folder/ledger.db" "$rounds"
  expect_equal "round $rounds: $way" "Ada $total $rounds" "$output"
done

# Compiled again exactly when it has to be: not without a reason, after a change of the header, with another plugin.
object=$(find "$folder/plugin" -path '*ledger.dir/main.cpp.o')
cmake --build "$folder/plugin" > "$folder/log"
expect_contains "nothing to do the second time" "no work to do" "$(cat "$folder/log")"
before=$(modified "$object")
sed -i 's/shards = 4/shards = 8/' "$folder/project/model/account.h"
expect_exit "build after a change" 0 cmake --build "$folder/plugin"
[ "$(modified "$object")" != "$before" ] || fail "main.cpp was not compiled again after a change of the header"
before=$(modified "$object")
touch "$(find "$folder/installed" -name AutoShardPlugin.so)"
expect_exit "build with another plugin" 0 cmake --build "$folder/plugin" --target ledger
[ "$(modified "$object")" != "$before" ] || fail "main.cpp was not compiled again with another plugin"

# A mistake stops the build, and shows where it is: a law that what a source defines breaks, and a wrong annotation.
sed -i 's/balance_ -= cents/balance_ *= cents/' "$folder/project/model/account.cpp"
expect_exit "build with a broken law" 2 sh -c "cmake --build '$folder/plugin' --target ledger || exit 2"
expect_contains "the broken law" "account.h:14:" "$output"
expect_contains "its tag" "[autoshard-" "$output"
sed -i 's/TARGET ledger PLUGIN/& DISABLE method-does-not-commute/' "$folder/project/CMakeLists.txt"
expect_exit "build with the rule disabled" 0 cmake --build "$folder/plugin"
expect_exit "law tests without the law" 0 ctest --test-dir "$folder/plugin"
sed -i 's/balance_ \*= cents/balance_ -= cents/' "$folder/project/model/account.cpp"
sed -i 's/shards = 8/shards = 0/' "$folder/project/model/account.h"
expect_exit "build with a mistake" 2 sh -c "cmake --build '$folder/plugin' --target ledger || exit 2"
expect_contains "the diagnostic" "account.h:26:" "$output"
expect_contains "its tag" "[autoshard-" "$output"

# A law that is not proved earns a warning, unless the law tests try it.
sed -i 's/ DISABLE method-does-not-commute//' "$folder/project/CMakeLists.txt"
sed -i 's/shards = 0/shards = 8/' "$folder/project/model/account.h"
not_proved='[[autoshard::shard_method]] void pay(long a, long b) { for (long at = 0; at < a * b; at += a + 1) ++balance_; }'
sed -i "s/^  long balance() const/  $not_proved\n&/" "$folder/project/model/account.h"
expect_exit "build with law tests" 0 cmake --build "$folder/plugin" --target ledger
sed -i '/autoshard_add_law_tests/d' "$folder/project/CMakeLists.txt"
expect_exit "build without law tests" 0 cmake --build "$folder/plugin" --target ledger
expect_contains "the warning" "autoshard-law-not-proved" "$output"

# A compiler that cannot load the plugin is told of while configuring.
expect_exit "configure with g++" 1 configure wrong g++
expect_contains "configure with g++" "the plugin is for Clang" "$output"
expect_contains "configure with g++" "-DCMAKE_CXX_COMPILER=clang++-" "$(tr -s ' \n' ' ' <<<"$output")"
