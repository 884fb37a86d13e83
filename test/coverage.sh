#!/usr/bin/env bash
# coverage.sh [report]: measures which branches of the listed files the tests take, and prints one table. Exit 1 if a branch
# of a listed file is never taken. With `report` it prints the table of the last run again, and runs no test.
# It needs the generator in build/bin, or its path in AUTOSHARD_EXECUTABLE.
#
# A branch that no test can reach carries its reason in the source:
#   if (condition)  // unreachable: the reason
# or in a comment above that line. Such branches are left out, and counted as marks. A mark whose branches were all taken
# is told of: remove it unless only chance takes them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$PWD/build-coverage

. test/commit_sources.sh

# Processes that end by SIGKILL, or at once, write no profile: those of the simulation are such, too.
left_out='^simulation\.|kill_test|galera_fault_test'

measure() {
  cmake/install_dependencies.sh
  mkdir -p "$build"
  printf "[clang]\ndefault:skip\n%s" "$(printf "source:*/runtime/%s/*=allow\n" include src stores)" > "$build/profile.new"
  # Every object depends on the list, so a list that stays the same keeps its time.
  cmp -s "$build/profile.new" "$build/profile.list" || mv "$build/profile.new" "$build/profile.list"
  cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
    -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fprofile-update=atomic -fcoverage-mapping -fprofile-list=$build/profile.list" \
    -DAUTOSHARD_BUILD_TOOL=OFF -DAUTOSHARD_EXECUTABLE="${AUTOSHARD_EXECUTABLE:-$PWD/build/bin/autoshard}" \
    -DAUTOSHARD_BUILD_SAMPLES=OFF -DAUTOSHARD_BUILD_BENCHMARK=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
  cmake --build "$build"
  rm -rf "$build/profiles"
  LLVM_PROFILE_FILE="$build/profiles/%4m.profraw" \
    ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" --exclude-regex "$left_out"
}

# One line a side of a condition: file:line, the condition's number within the line, the side, how often it was taken.
conditions() {
  local programs=("$build"/bin/*)
  llvm-profdata-22 merge --sparse "$build"/profiles/*.profraw -o "$build/profile"
  llvm-cov-22 export --format=lcov --skip-expansions --skip-functions --instr-profile "$build/profile" \
    "${programs[0]}" "${programs[@]/#/--object=}" "${files[@]/#/$PWD/}" 2> "$build/llvm-cov.log" |
    awk -F '[:,]' -v root="$PWD/" '
      $1 == "SF" { file = $2; sub(root, "", file) }
      $1 == "BRDA" { print file, $2, $3 + 1, $4 % 2 ? "false" : "true", $5 }'
}

report() {
  conditions > "$build/conditions"
  awk '
    # A mark stands at the end of its line, or in the comment above it.
    FILENAME != "-" {
      if (FNR == 1) { above = 0; files[++count] = FILENAME }
      text[FILENAME, FNR] = $0
      if (above || /\/\/ unreachable: ./) marked[FILENAME, FNR] = 1
      above = /^ *\/\// && (above || /\/\/ unreachable: ./)
      if (above) delete marked[FILENAME, FNR]
      if ((FILENAME, FNR) in marked) { marks[FILENAME]++; all_marks++ }
      next
    }
    # A case has no side of its own for the other cases, a constant has one side, and the compiler sees to it that a
    # switch over an enumeration has all of its values.
    $4 == "false" && $3 == 1 && text[$1, $2] ~ /^ *(case |default:|while \(true\)|switch \()/ { next }
    text[$1, $2] ~ /^ *AUTOSHARD_CHECK\(/ { next }  # generates no code in this build
    text[$1, $2] ~ /operator(==|<=>).* = default;/ { next }  # the compiler writes it
    ($1, $2) in marked { if (!$5) needed[$1, $2] = 1; next }
    {
      branches[$1]++; all_branches++
      if ($5 > 0) { taken[$1]++; all_taken++ }
      else printf "%s:%d: condition %d is never %s: %s\n", $1, $2, $3, $4, text[$1, $2]
    }
    function row(name, taken, branches, marks) {
      printf "%-50s %8d %8d %8.2f %6d\n", name, branches, taken, branches ? 100 * taken / branches : 100, marks
    }
    END {
      for (place in marked)
        if (!(place in needed)) { split(place, at, SUBSEP); printf "%s:%d: each branch of this mark was taken in this run\n", at[1], at[2] }
      printf "\n%-50s %8s %8s %8s %6s\n", "file", "branches", "covered", "percent", "marks"
      for (i = 1; i <= count; i++) row(files[i], taken[files[i]], branches[files[i]], marks[files[i]])
      row(count " files", all_taken, all_branches, all_marks)
      for (i = 1; i <= count; i++)
        if (!branches[files[i]] && files[i] ~ /\.cpp$/) { print files[i] ": nothing was measured"; unmeasured = 1 }
      exit unmeasured || all_taken < all_branches
    }' "${files[@]}" - < "$build/conditions"
}

[ "${1:-}" = report ] || measure
report
