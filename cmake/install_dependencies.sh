#!/usr/bin/env bash
# install_dependencies.sh [samples]: installs the Debian packages that AutoShard is built, tested and run with.
# With `samples`, it installs only the packages that the generator and the samples need.
# Works on a fresh Debian 12, as root or with sudo. Installs nothing that is there.
set -euo pipefail

packages=(
  build-essential cmake ninja-build
  clang-22 llvm-22-dev libclang-22-dev            # the generator, and the second compiler of the tests
  zlib1g-dev libzstd-dev                          # libraries that LLVM's archives need
  libfmt-dev                                      # the generator, autoshardctl, the samples and the benchmark
  librocksdb-dev libmsgpack-cxx-dev nlohmann-json3-dev # the runtime
  libcli11-dev                                    # autoshardctl, the sample moderator and the benchmark
  libcpp-httplib-dev                              # the server of the sample moderator, and tests over HTTP
)
case "${1:-}" in
  samples) ;;
  "")
    packages+=(
      libclang-rt-22-dev                          # libFuzzer for Clang
      clang-format                                # style, with the file .clang-format
      libmemcached-dev memcached                  # the cache that processes share, and its tests
      libmariadb-dev mariadb-server galera-4 rsync openssl # the store on MySQL's protocol; its tests start servers
      libgtest-dev libgmock-dev libbenchmark-dev  # tests and benchmark
      chromium chromium-driver                    # tests of pages in a browser
      zsh                                         # the test of autoshardctl's completion
      libhiredis-dev redis-tools libpq-dev        # peers in the benchmark; redis-tools has the server, but no service
    )
    ;;
  *)
    echo "error: usage: $0 [samples]" >&2
    exit 1
    ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "all packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "error: run this as root or install sudo; missing: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" |
  grep --line-buffered -E '^(Unpacking|Setting up|E:|W:)' || true
for package in "${missing[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    { echo "error: $package could not be installed" >&2; exit 1; }
done
