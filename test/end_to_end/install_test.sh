#!/usr/bin/env bash
# install_test.sh BUILD SOURCE GENERATOR: a project of somebody else's finds the installed package, generates, builds
# and runs with it, and builds again exactly when it has to.
. "$(dirname "$0")/../support/assertions.sh"
build=$1 source=$2 generator=$3

expect_exit "install" 0 cmake --install "$build" --prefix "$folder/installed"
cp -r "$source/test/end_to_end/consumer" "$folder/consumer"

# configure_with COMPONENTS: configures with these components of the package, a list.
configure_with() {
  cmake -S "$folder/consumer" -B "$folder/build" -G "$generator" -DCMAKE_PREFIX_PATH="$folder/installed" \
    -DCMAKE_BUILD_TYPE=Release -DCONSUMER_COMPONENTS="$1"
}

# A component that there is not is an error, which names the option of one that was left out.
expect_exit "configure with a component that does not exist" 1 configure_with "rocksdb;carousel"
expect_contains "which one" "was built without the component 'carousel'. It has: runtime, rocksdb" "$(tr -s ' \n' ' ' <<<"$output")"
targets=$(dirname "$(find "$folder/installed" -name AutoShardTargets.cmake)")
cp -r "$targets" "$folder/targets"
sed -i 's/AutoShard::mysql/AutoShard::other/g' "$targets"/AutoShardTargets*.cmake
expect_exit "configure with a component that was not built" 1 configure_with "rocksdb;mysql"
expect_contains "its option" "-DAUTOSHARD_MYSQL=ON" "$(tr -s ' \n' ' ' <<<"$output")"
cp "$folder/targets"/* "$targets"
for components in "" "runtime;rocksdb" "rocksdb"; do
  expect_exit "configure with '$components'" 0 configure_with "$components"
done
expect_exit "build" 0 cmake --build "$folder/build"
expect_exit "run" 0 "$folder/build/shop" "$folder/shop.db"
expect_equal "its output" "42 in stock" "$output"
expect_exit "run, with a source and in place of the original header" 0 "$folder/build/orders" "$folder/orders.db"
expect_equal "its output" "24 in the basket" "$output"
expect_exit "run, with an interface library" 0 "$folder/build/market"
expect_equal "its output" "3 sold" "$output"

# needed PROGRAM: the libraries of clients that a program needs.
needed() {
  readelf --dynamic "$folder/build/$1" | grep -oE 'lib(rocksdb|mariadb|memcached|cpp-httplib)' | sort -u || true
}
expect_equal "what a program on RocksDB needs" "librocksdb" "$(needed shop)"
expect_equal "what a program on no such store needs" "" "$(needed market)"
for component in mysql:mariadb memcached:memcached monitor:cpp-httplib; do
  program=on_${component%:*}
  [ -x "$folder/build/$program" ] || continue
  expect_exit "run $program" 0 "$folder/build/$program"
  expect_contains "$program" "no server" "$output"
  expect_equal "what $program needs" "lib${component#*:}" "$(needed "$program")"
done
expect_exit "law tests" 0 ctest --test-dir "$folder/build"
expect_contains "law tests" "shop_law_tests." "$output"
expect_contains "law tests of a source" "orders_law_tests." "$output"
expect_contains "law tests of an interface library" "tills_law_tests." "$output"
expect_exit "compiled with other flags than those of the generator" 1 c++ -std=c++20 -fsyntax-only \
  -I"$folder/installed/include" -I"$folder/consumer/tills/units" -I"$folder/build/autoshard/tills/include" \
  "$folder/consumer/app/market.cpp"
expect_contains "compiled with other flags" "the generator has read another type of id" "$output"
expect_equal "the original source is not compiled" "" "$(find "$folder/build" -name 'basket.cpp.o')"

generated=$(find "$folder/build" -name article.autoshard.h)
object=$(find "$folder/build" -name 'main.cpp.o')
expect_equal "the generated header keeps its subfolder" article.autoshard.h "${generated##*/model/}"
expect_equal "no path of this machine in the output" "" "$(grep -F "$folder" "$generated" || true)"

first_object=$(modified "$object") first_header=$(modified "$generated")
cmake --build "$folder/build" > "$folder/log"
expect_equal "nothing to do the second time" "" "$(grep -i 'generating\|building' "$folder/log" || true)"

# A header that is newer, but says the same: generated again, compiled never.
touch "$folder/consumer/model/article.h"
cmake --build "$folder/build" > "$folder/log"
expect_contains "generates after a touch" "Generating" "$(cat "$folder/log")"
expect_equal "the same text is not written again" "$first_header" "$(modified "$generated")"
cmake --build "$folder/build" > "$folder/log"
expect_equal "nothing to do after a touch" "" "$(grep -i 'generating' "$folder/log" || true)"

# A header that it includes.
sed -i 's/kMetre }/kMetre, kLitre }/' "$folder/consumer/model/units.h"
cmake --build "$folder/build" > "$folder/log"
expect_contains "generates after a change of an included header" "Generating" "$(cat "$folder/log")"

# A source that is rewritten.
sed -i 's/12L/13L/' "$folder/consumer/model/basket.cpp"
cmake --build "$folder/build" > "$folder/log"
expect_contains "the change is in the generated source" "13L" "$(cat "$(find "$folder/build" -name basket.autoshard.cpp)")"
expect_exit "run with it" 1 "$folder/build/orders" "$folder/other_orders.db"

# A change that shows.
sed -i 's/shards = 8/shards = 9/' "$folder/consumer/model/article.h"
cmake --build "$folder/build" > "$folder/log"
expect_contains "the change is in the output" '"stock", 9,' "$(cat "$generated")"
[ "$(modified "$object")" != "$first_object" ] || fail "main.cpp was not compiled again"

# A mistake stops the build, and shows where it is.
sed -i 's/shards = 9/shards = 0/' "$folder/consumer/model/article.h"
expect_exit "build with a mistake" 2 sh -c "cmake --build '$folder/build' || exit 2"
expect_contains "the diagnostic" "article.h:28:" "$output"
expect_contains "its tag" "[autoshard-" "$output"

# A law that the class breaks stops the build, too, unless its rule is disabled.
sed -i 's/shards = 0/shards = 9/; s/stock_ += pieces/stock_ *= pieces/' "$folder/consumer/model/article.h"
expect_exit "build with a broken law" 2 sh -c "cmake --build '$folder/build' --target shop || exit 2"
expect_contains "its tag" "[autoshard-method-does-not-commute]" "$output"
sed -i 's/TARGET shop HEADERS/TARGET shop DISABLE method-does-not-commute HEADERS/' "$folder/consumer/CMakeLists.txt"
expect_exit "build with the rule disabled" 0 cmake --build "$folder/build"
expect_exit "law tests without the law" 0 ctest --test-dir "$folder/build"

# A law that is not proved earns a warning, unless the law tests try it.
sed -i 's/ DISABLE method-does-not-commute//; s/stock_ \*= pieces/stock_ += pieces/' \
  "$folder/consumer/CMakeLists.txt" "$folder/consumer/model/article.h"
not_proved='[[autoshard::shard_method]] void bundle(long a, long b) { for (long at = 0; at < a * b; at += a + 1) ++stock_; }'
sed -i "s/^  int stock() const/  $not_proved\n&/" "$folder/consumer/model/article.h"
expect_exit "build with law tests" 0 cmake --build "$folder/build" --target shop
expect_equal "no warning" "" "$(grep 'law-not-proved' <<<"$output" || true)"
sed -i '/autoshard_add_law_tests(TARGET shop)/d' "$folder/consumer/CMakeLists.txt"
expect_exit "build without law tests" 0 cmake --build "$folder/build" --target shop
expect_contains "the warning" "[autoshard-law-not-proved]" "$output"

# The pages are installed, and their links lead to each other.
doc=$folder/installed/share/doc/autoshard
for page in README.md CHANGELOG.md LICENSE runtime/FORMAT.md runtime/guide/mapper.md tool/guide/sharding.md tool/RULES.md; do
  [ -f "$doc/$page" ] || fail "$page is not installed"
done
find "$doc" -name '*.md' -print0 | while IFS= read -r -d '' page; do
  sed '/^```/,/^```/d; s/`[^`]*`//g' "$page" | grep -oE '\]\([^)#]+' | sed 's/^](//' | grep -vE '^(https?|mailto):' |
    while read -r link; do
      [ -e "$(dirname "$page")/$link" ] || echo "${page#"$doc"/}: $link"
    done || true
done > "$folder/broken_links"
expect_equal "links of installed pages that lead nowhere" "" "$(cat "$folder/broken_links")"

# Classes of one kind in two libraries are refused where both are linked, in any layout of the generated text.
cp -r "$source/test/end_to_end/kinds" "$folder/kinds"
echo '{BasedOnStyle: Microsoft, NamespaceIndentation: All}' > "$folder/kinds/.clang-format"
expect_exit "configure" 0 cmake -S "$folder/kinds" -B "$folder/kinds/build" -G "$generator" \
  -DCMAKE_PREFIX_PATH="$folder/installed"
expect_exit "build of two classes of one kind" 2 sh -c "cmake --build '$folder/kinds/build' || exit 2"
expect_contains "which classes" "'game::Account'" "$output"
expect_contains "the other" "'billing::Account'" "$output"
expect_exit "configure with another kind" 0 cmake -DOTHER_KIND=ON "$folder/kinds/build"
expect_exit "build" 0 cmake --build "$folder/kinds/build"
expect_exit "run" 0 "$folder/kinds/build/app"

# A header that is renamed leaves nothing behind that counts.
mv "$folder/kinds/game/game.h" "$folder/kinds/game/club.h"
sed -i 's/namespace game/namespace club/; s/game::/club::/; s/game.autoshard/club.autoshard/' "$folder"/kinds/game/*
expect_exit "configure with a renamed header" 0 cmake "$folder/kinds/build"
expect_exit "build with a renamed header" 0 cmake --build "$folder/kinds/build"
