#!/usr/bin/env bash
# llvm_versions.sh [VERSION...]: builds the generator, the plugin and their tests with other versions of LLVM than the newest,
# each in a folder of its own, and runs the tests. Without a version: with 19. It takes too long to be part of run.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake/install_dependencies.sh

for version in "${@:-19}"; do
  packages=("llvm-$version-dev" "libclang-$version-dev" "clang-$version")
  if ! dpkg-query -W "${packages[@]}" > /dev/null 2>&1; then
    apt-get install -y --no-install-recommends "${packages[@]}"
  fi
  build=build-llvm$version
  echo "== LLVM $version"
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DAUTOSHARD_LLVM_VERSION="$version" \
    -DAUTOSHARD_CLANGXX="$(command -v "clang++-$version")" -DAUTOSHARD_BUILD_SAMPLES=OFF
  cmake --build "$build" --target autoshard AutoShardPlugin autoshard_runtime test/tool/all
  ctest --test-dir "$build/test/tool" --output-on-failure --parallel "$(nproc)"
done
