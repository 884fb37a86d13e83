#!/usr/bin/env bash
# nightly.sh [STAGE...]: the tests that take longer than run.sh may. Without a stage: all of them, one after the other.
# Prints one table at the end. The output of each stage is in build-nightly/. Exit 1 if any stage failed.
# FUZZ_SECONDS: how long each fuzzer searches, 3600 without it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fuzz_seconds=${FUZZ_SECONDS:-3600}
log_folder=$PWD/build-nightly
stages=(build simulation power_loss kills fuzz generator_fuzz real_headers llvm)

build() {
  cmake/install_dependencies.sh && cmake/build.sh && test_fuzzers
}

# The fuzzers need a Clang that has libFuzzer.
test_fuzzers() {
  cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-22 \
    -DAUTOSHARD_BUILD_TOOL=OFF -DAUTOSHARD_EXECUTABLE="$PWD/build/bin/autoshard" -DAUTOSHARD_BUILD_SAMPLES=OFF \
    -DAUTOSHARD_BUILD_BENCHMARK=OFF &&
    cmake --build build-fuzz --target fuzzers
}

# 1,000,000 histories, one part a core.
simulation() {
  local cores part=0 processes=()
  cores=$(nproc)
  for ((part = 0; part < cores; part++)); do
    build/bin/simulation run $((1000000 * part / cores + 1)) $((1000000 * (part + 1) / cores)) &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || return 1; done
}

# 10,000 losses of power under RocksDB.
power_loss() { AUTOSHARD_POWER_LOSSES=10000 build/bin/power_loss_test --gtest_filter='PowerLoss.*'; }

# 10,000 kills of a process that writes.
kills() {
  AUTOSHARD_KILL_CYCLES=5000 build/bin/kill_test && AUTOSHARD_KILL_CYCLES=5000 build/bin/strategies_kill_test
}

# Every fuzzer of the runtime, from the corpus in the repository.
fuzz() {
  local fuzzer corpus
  for fuzzer in build-fuzz/bin/*_fuzzer; do
    corpus=$log_folder/corpus/$(basename "$fuzzer")
    mkdir -p "$corpus"
    "$fuzzer" -max_total_time="$fuzz_seconds" -print_final_stats=1 "$corpus" || return 1
  done
}

generator_fuzz() { AUTOSHARD_FUZZ_CASES=5000 build/bin/generator_fuzz_test; }
real_headers() { test/tool/real_headers.sh; }
llvm() { test/llvm_versions.sh 19; }

mkdir -p "$log_folder"
[ $# -gt 0 ] && stages=("$@")
rows=()
failed=0
for stage in "${stages[@]}"; do
  start=$SECONDS
  if "$stage" > "$log_folder/$stage.log" 2>&1; then outcome=passed; else outcome=FAILED failed=1; fi
  minutes=$(((SECONDS - start + 30) / 60))
  rows+=("$(printf '%-16s %-7s %5d min  %s' "$stage" "$outcome" "$minutes" "$(tail -n 1 "$log_folder/$stage.log" | cut -c1-80)")")
  echo "${rows[-1]}"
done
printf '\n%-16s %-7s %9s  %s\n' stage outcome time "last line"
printf '%s\n' "${rows[@]}"
exit $failed
