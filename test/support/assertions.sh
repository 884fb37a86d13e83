# What test scripts share. Each works in a temporary folder, which is removed when the script ends.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect_equal WHAT EXPECTED ACTUAL
expect_equal() {
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# expect_contains WHAT PART WHOLE
expect_contains() {
  case "$3" in *"$2"*) ;; *) fail "$1: expected '$2' in: $3" ;; esac
}

# expect_exit WHAT CODE COMMAND...: leaves what it printed in $output
expect_exit() {
  local what=$1 code=$2 actual=0
  shift 2
  output=$("$@" 2>&1) || actual=$?
  [ "$actual" = "$code" ] || fail "$what: expected exit code $code, got $actual: $output"
}

modified() {
  stat -c %.Y "$1"
}
