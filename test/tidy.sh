#!/usr/bin/env bash
# tidy.sh [REGEX]: clang-tidy over every source of tool, runtime, samples and test, or over those whose path matches REGEX.
# Prints the findings and their number. Exit 1 if there are any. Compiles nothing, but makes the headers that sources
# include with the generator build/bin/autoshard, or the one that AUTOSHARD_EXECUTABLE names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
llvm=22
dpkg-query -W -f='${Status}' clang-tidy-$llvm 2> /dev/null | grep -q 'ok installed' ||
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends clang-tidy-$llvm > /dev/null
build=$PWD/build-tidy

# configure SOURCES BUILD: the commands that Clang compiles the sources with. Precompiled headers would have to be
# compiled first.
configure() {
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-$llvm \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > "$2/configure.log"
}
mkdir -p "$build/bin" "$build/mutants" "$build/commands"
configure . "$build"
configure test/mutants "$build/mutants"

# The generated headers. Their commands run without what Ninja would build before them.
ln -sf "$(realpath "${AUTOSHARD_EXECUTABLE:-build/bin/autoshard}")" "$build/bin/autoshard"
ninja -C "$build" -t targets all | sed -n 's|^\([^/].*/generated\.stamp\): CUSTOM_COMMAND$|\1|p' |
  xargs ninja -C "$build" -t commands -s | sh -e

# One command for each source, in a file of its own: the simulation and the fuzzers compile sources of the runtime again.
# Without sources that were generated, or have a planted bug.
awk -v sources="\"$PWD/(tool|runtime|samples|test)/|/Unity/" '
  $0 == "{" { entry = "" }
  { entry = entry $0 "\n" }
  /^  "file": / { is_new = $0 ~ sources && !/\.autoshard\./ && !seen[$0]++ }
  $1 ~ /^}/ && is_new { sub(/,?\n$/, "", entry); printf "%s\n%s", separator, entry; separator = "," }
  BEGIN { printf "[" }
  END { print "\n]" }' "$build/compile_commands.json" "$build/mutants/compile_commands.json" \
  > "$build/commands/compile_commands.json"

# Sources that CMake compiles several at once (UNITY_BUILD) are included by a source, which is right there.
outcome=clean
run-clang-tidy-$llvm -quiet -hide-progress -p "$build/commands" -j "$(nproc)" -checks=-bugprone-suspicious-include \
  "${1:-}" > "$build/findings.log" 2> "$build/errors.log" || outcome=failed
grep -v '^$' "$build/findings.log" || true
sources=$(grep '^  "file": ' "$build/commands/compile_commands.json" | grep -cE -- "${1:-}") || true
findings=$(grep -E ': (error|warning): ' "$build/findings.log" | sort -u | wc -l) || true
echo "clang-tidy: $outcome, $findings findings in $sources sources, $SECONDS s"
[ $outcome = clean ] && [ "$sources" -gt 0 ]
