#!/usr/bin/env bash
# Counts the mutants of the runtime that the tests kill:
#   test/mutants/run.sh
# MUTANTS_PERCENT: the share of the possible mutants that is tried.
# Goes on where a run of the same sources was cut short. Exit 1 if more than 5 % survive, or one that is not in
# test/mutants/survivors.txt. All is in build-mutants/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
percent=${MUTANTS_PERCENT:-20}
build=build-mutants
source=$build/source
tests="runtime_test stores_test record_fuzz_test text_fuzz_test power_loss_test simulation
       mysql_store_test mysql_limits_test mysql_errors_test"
export AUTOSHARD_POWER_LOSSES=100

# Of the headers, two: many others hold templates and constant expressions.
. test/commit_sources.sh
mapfile -t files < <(printf '%s\n' "${files[@]#runtime/}" | grep '\.cpp$')
files+=(src/commit/room.h src/entity/staged_writes.h)

mkdir -p $build
cmake -S test/mutants -B $build/tools -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-22 \
  -DAUTOSHARD_LLVM_VERSION=22 > $build/tools.log
cmake --build $build/tools

# What is mutated is a copy. A file keeps its time if it stays the same, so that little is compiled again.
rm -rf $build/fresh
mkdir -p $build/fresh $source
cp -r CMakeLists.txt cmake runtime test $build/fresh/
cp test/mutants/mutants.h $build/fresh/runtime/src/base/
fresh=$PWD/$build/fresh/runtime
# Each store has a database.h. Only stores/rocksdb/disk includes the one of another folder.
folders=("$fresh"/src/*/ "$fresh/src/base/platform" "$fresh/stores/rocksdb" "$fresh"/stores/*/)
$build/tools/mutate $build/list.txt $percent "${files[@]/#/$fresh/}" -- -x c++ -std=c++20 -w \
  -I"$fresh/include" "${folders[@]/#/-I}" -DAUTOSHARD_HAS_ROCKSDB -DMSGPACK_NO_BOOST -DMSGPACK_DEFAULT_API_VERSION=3
rsync --recursive --checksum --delete $build/fresh/ $source/

cmake -S $source -B $build/tests -G Ninja -DCMAKE_BUILD_TYPE=Mutants -DCMAKE_CXX_COMPILER=clang++-22 \
  -DCMAKE_CXX_FLAGS="-O1 -g1 -w -D_GLIBCXX_ASSERTIONS -fno-delete-null-pointer-checks" \
  -DAUTOSHARD_BUILD_TOOL=OFF -DAUTOSHARD_EXECUTABLE="${AUTOSHARD_EXECUTABLE:-$PWD/build/bin/autoshard}" \
  -DAUTOSHARD_BUILD_SAMPLES=OFF -DAUTOSHARD_BUILD_BENCHMARK=OFF
# shellcheck disable=SC2086
cmake --build $build/tests --target $tests

mkdir -p $build/results
sum_of() { cat "$build/list.txt" <(cd "$source" && find "$@" -type f ! -path "test/mutants/*" ! -name "*.md" -print0 | sort -z | xargs -0 sha256sum) | sha256sum; }
# What was killed before stays so when tests change, but other mutants must be tried again.
if [ "$(cat $build/results/of_runtime 2> /dev/null)" != "$(sum_of runtime)" ]; then
  rm -f $build/results/*.txt
elif [ "$(cat $build/results/of_tests 2> /dev/null)" != "$(sum_of test)" ]; then
  rm -f $build/results/tests.txt
  touch $build/results/results.txt
  sed -i -e "/SURVIVED/d" -e "/not reached/d" $build/results/results.txt
fi
sum_of runtime > $build/results/of_runtime
sum_of test > $build/results/of_tests
$build/tools/kill $build/list.txt $build/tests/bin $build/results test/mutants/survivors.txt

