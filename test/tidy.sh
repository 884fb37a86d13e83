#!/usr/bin/env bash
# tidy.sh [REGEX]: clang-tidy over every source of tool, runtime, samples and test, or over those whose path matches.
# Exit 1 after a finding. Needs the generator in build/bin, or its path in AUTOSHARD_EXECUTABLE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
llvm=22
dpkg-query -W -f='${Status}' clang-tidy-$llvm 2> /dev/null | grep -q 'ok installed' ||
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends clang-tidy-$llvm > /dev/null
executable=${AUTOSHARD_EXECUTABLE:-$PWD/build/bin/autoshard}

# configure FOLDER OPTION...: the commands that Clang compiles each source with.
configure() {
  cmake -S . -B "build-tidy/$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-$llvm \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "${@:2}" > "build-tidy/$1.log"
}
mkdir -p build-tidy
configure tool -DAUTOSHARD_BUILD_RUNTIME=OFF -DAUTOSHARD_BUILD_SAMPLES=OFF
configure runtime -DAUTOSHARD_EXECUTABLE="$executable"
ninja -C build-tidy/runtime -t targets all | sed -n 's/: CUSTOM_COMMAND$//p' | grep 'generated.stamp$' |
  xargs ninja -C build-tidy/runtime > build-tidy/generate.log

for part in tool runtime; do
  run-clang-tidy-$llvm -quiet -p build-tidy/$part -j "$(nproc)" "^$PWD/(tool|runtime|samples|test)/.*${1:-}" \
    2> build-tidy/$part.errors | grep -vE '^clang-tidy-|^$|warnings? generated' || [ "${PIPESTATUS[0]}" -eq 0 ]
done
echo "clang-tidy: clean"
