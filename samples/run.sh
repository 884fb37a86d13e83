#!/usr/bin/env bash
# run.sh [NAME [ARGUMENT...]]: on a fresh Debian 12, installs the packages that the samples need, builds the sample
# NAME, and runs it with the arguments. Without NAME, it runs the voting sample, `moderator`. `serve` is short for
# `moderator serve`: it opens the vote in the browser. The script installs neither database servers nor tools of the
# tests.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

[ "${1:-}" != serve ] || set -- moderator "$@"
name=${1:-moderator}
if [ ! -f "$root/samples/$name/CMakeLists.txt" ]; then
  echo "error: there is no sample '$name'; there are" "$root"/samples/*/ | sed "s|$root/samples/\([^/]*\)/|\1|g" >&2
  exit 1
fi

cd "$root"
cmake/install_dependencies.sh samples
if [ ! -f build-samples/build.ninja ]; then
  echo "== configuring"
  cmake --preset samples
fi
echo "== building"
cmake --build --preset samples --target "$name"
cd "$OLDPWD"

if [ $# -le 1 ] && [ "$name" = moderator ]; then
  echo "== the voting sample: 2,000 users, 16 questions"
else
  echo "== $*"
fi
exec "$root/build-samples/bin/$name" "${@:2}"
