#!/usr/bin/env bash
# nightly.sh [STAGE...]: the tests that take longer than run.sh may. Without a stage: all of them, one after the other;
# "fuzz json" is one stage. Prints one table at the end. The output of each stage is in build-nightly/. Exit 1 if any
# stage failed.
# FUZZ_SECONDS: how long each fuzzer searches, 3600 without it.
# NIGHTLY_PART=1000: a thousandth of all histories, losses of power and kills, to try the script.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fuzz_seconds=${FUZZ_SECONDS:-3600}
part=${NIGHTLY_PART:-1}
log_folder=$PWD/build-nightly
stages=(build every_test simulation power_loss kills runtime_alone coverage
  "fuzz record" "fuzz key" "fuzz order" "fuzz cursor" "fuzz json" "fuzz token" "fuzz generator"
  random_classes real_headers tidy llvm prover_mutants mutants)

# The last line of this stage's output that holds $1. The last line of a stage stands in the table.
figure() { grep -a -- "$1" "$log" | tail -n 1; }

build() {
  cmake/install_dependencies.sh && cmake --preset release && cmake/build.sh && build_fuzzers &&
    echo "the tests and the fuzzers"
}

# Every test in the optimised build, the simulation under AddressSanitizer, and all tests of the runtime under
# ThreadSanitizer: run.sh runs each in the build that sees most.
every_test() {
  ctest --preset release --parallel "$(nproc)" && cmake --preset asan -DAUTOSHARD_DAILY=OFF &&
    cmake --build build-asan --target simulation && ctest --preset asan -R '^simulation' &&
    cmake --preset tsan -DAUTOSHARD_DAILY=OFF && cmake --build build-tsan &&
    ctest --preset tsan --parallel "$(nproc)" && figure 'tests passed'
}

# The fuzzers need a Clang that has libFuzzer. generator_fuzzer follows the coverage of the generator, so this build has a
# generator of its own.
build_fuzzers() {
  cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link -DAUTOSHARD_BUILD_TOOL=ON -DAUTOSHARD_EXECUTABLE= \
    -DAUTOSHARD_BUILD_SAMPLES=OFF -DAUTOSHARD_BUILD_BENCHMARK=OFF &&
    cmake --build build-fuzz --target fuzzers
}

# 1,000,000 histories, a share for each core.
simulation() {
  local histories=$((1000000 / part)) cores share processes=() failed=0
  cores=$(nproc)
  for ((share = 0; share < cores; share++)); do
    build/bin/simulation run $((histories * share / cores + 1)) $((histories * (share + 1) / cores)) &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || failed=1; done
  [ $failed -eq 0 ] && echo "$histories histories"
}

# 10,000 losses of power under RocksDB.
power_loss() {
  AUTOSHARD_POWER_LOSSES=$((10000 / part)) build/bin/power_loss_test --gtest_filter='PowerLoss.*' &&
    figure 'losses of power'
}

coverage() { test/coverage.sh; }

# The runtime without LLVM, as shared libraries, and as archives that a shared library may link.
runtime_alone() {
  local option
  for option in AUTOSHARD_CHECKS BUILD_SHARED_LIBS CMAKE_POSITION_INDEPENDENT_CODE; do
    cmake --preset runtime -B "build-nightly/runtime-$option" "-D$option=ON" &&
      cmake --build "build-nightly/runtime-$option" || return 1
  done
  echo "the runtime alone, shared, and for shared libraries"
}

# 10,000 kills of a process that writes.
kills() {
  local cycles=$((5000 / part))
  AUTOSHARD_KILL_CYCLES=$cycles build/bin/kill_test && AUTOSHARD_KILL_CYCLES=$cycles build/bin/strategies_kill_test &&
    echo "$((2 * cycles)) kills"
}

# fuzz INPUT: searches from the corpus in the repository and from the inputs that earlier nights have found.
fuzz() {
  local found=$log_folder/corpus/$1 inputs
  mkdir -p "$found"
  "build-fuzz/bin/$1_fuzzer" -max_total_time="$fuzz_seconds" -print_final_stats=1 -artifact_prefix="$log_folder/$1-" \
    "$found" "test/fuzz/corpus/$1" || return 1
  inputs=$(figure number_of_executed_units | grep -o '[0-9]*$')
  echo "$inputs inputs, $((inputs * 3600 / fuzz_seconds)) an hour"
}

random_classes() {
  local classes
  AUTOSHARD_FUZZ_SECONDS=$fuzz_seconds AUTOSHARD_TEST_SEED=$RANDOM build/bin/generator_fuzz_test || return 1
  classes=$(figure 'cases were accepted' | sed -E 's/.* of ([0-9]+) cases.*/\1/')
  echo "$classes classes, $((classes * 3600 / fuzz_seconds)) an hour"
}

real_headers() { test/tool/real_headers.sh build && figure 'classes in'; }
tidy() { test/tidy.sh; }
llvm() { test/llvm_versions.sh 19 && figure 'tests passed'; }

# Every mistake that can be made in the classes whose laws hold.
prover_mutants() {
  AUTOSHARD_MUTANTS=all build/bin/prover_mutants_test --gtest_filter='Mutants.*' && figure 'are refused'
}

mutants() { test/mutants/run.sh; }

mkdir -p "$log_folder"
[ $# -gt 0 ] && stages=("$@")
rows=()
failed=0
for stage in "${stages[@]}"; do
  start=$SECONDS
  log=$log_folder/${stage// /_}.log
  # shellcheck disable=SC2086 # a stage is a function, with an argument if there is a blank
  if $stage > "$log" 2>&1; then outcome=passed; else outcome=FAILED failed=1; fi
  minutes=$(((SECONDS - start + 30) / 60))
  rows+=("$(printf '%-16s %-7s %5d min  %s' "$stage" "$outcome" "$minutes" "$(tail -n 1 "$log" | cut -c1-100)")")
  echo "${rows[-1]}"
done
printf '\n%-16s %-7s %9s  %s\n' stage outcome time figure
printf '%s\n' "${rows[@]}"
exit $failed
