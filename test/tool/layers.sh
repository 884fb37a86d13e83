#!/usr/bin/env bash
# The layers of the generator. Each includes its own headers and those of the layers that it links, or that these link;
# so tool/CMakeLists.txt decides. The folders in frontend/ and laws/ do not include each other in circles. No two files
# have one stem. Only versions.h knows the versions of Clang.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0

fail() {
  echo "$1"
  failed=1
}

declare -A links
while read -r layer linked; do
  links[$layer]=$(grep -oE 'autoshard_[a-z]+' <<< "$linked" | sed 's/autoshard_//' | grep -vx clang | xargs)
done < <(sed -nE 's/^target_link_libraries\(autoshard_([a-z]+) PUBLIC (.*)\)/\1 \2/p' tool/CMakeLists.txt)
[ "${#links[@]}" -ge 9 ] || fail "tool/CMakeLists.txt: the layers are not found"

# The layers that $1 sees, itself among them.
seen_by() {
  echo "$1"
  for one in ${links[$1]-}; do seen_by "$one"; done
}

for layer in tool/*/; do
  layer=$(basename "$layer")
  [ "$layer" != guide ] || continue
  seen=$(seen_by "$layer" | sort -u | paste -sd '|')
  if found=$(grep -rnE '#include "tool/' "tool/$layer" | grep -vE "#include \"tool/($seen)/"); then
    fail "$layer sees $seen alone:
$found"
  fi
done

# $1 and $2 of each include of another room, then the circles among them.
for layer in frontend laws; do
  includes=$(grep -roE "#include \"tool/$layer/[^\"]+" "tool/$layer" |
    sed -E 's|^tool/||; s|/[^/]*:#include "tool/| |; s|/[^/]*$||' | awk '$1 != $2' | sort -u)
  circles=$(tsort <<< "$includes" 2>&1 > /dev/null) || fail "rooms of tool/$layer include each other:
$circles"
done

stems=$(find tool \( -name '*.h' -o -name '*.cpp' \) | sed 's/\.[^.]*$//' | sort -u | xargs -n 1 basename)
twice=$(sort <<< "$stems" | uniq -d)
[ -z "$twice" ] || fail "two files have the stem: $twice"

if found=$(grep -rnw CLANG_VERSION_MAJOR tool | grep -v '^tool/frontend/compiler/versions.h:'); then
  fail "belongs into tool/frontend/compiler/versions.h:
$found"
fi
exit $failed
