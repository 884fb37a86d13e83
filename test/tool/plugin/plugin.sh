# What the scripts in this folder share; each is called as: TEST CLANGXX PLUGIN SOURCE RUNTIME OBJDUMP
. "$(dirname "$0")/../../support/assertions.sh"
clang=$1 plugin=$2 source=$3 runtime=$4 objdump=$5
here=$source/test/tool/plugin
cd "$folder"

# compile ARGUMENTS...: with the plugin; the compiler must be silent
compile() {
  local said
  said=$("$clang" -std=c++20 -pthread -Werror "-fplugin=$plugin" -I "$source/runtime/include" "$@" 2>&1) ||
    fail "compile $*: $said"
  expect_equal "compile $* says nothing" "" "$said"
}

# build PROGRAM ARGUMENTS...: compiles and links
build() {
  local program=$1
  shift
  compile "$@" "$runtime" -o "$program"
}

# refuse ARGUMENTS...: leaves what the compiler says in $output
refuse() {
  expect_exit "compile $*" 1 "$clang" -std=c++20 -pthread "-fplugin=$plugin" -I "$source/runtime/include" -c -o refused.o "$@"
  [ ! -e refused.o ] || fail "compile $*: there is an object"
}

# expect_count WHAT NUMBER PART WHOLE: how many lines hold PART
expect_count() {
  expect_equal "$1: lines with '$3'" "$2" "$(grep -cF -- "$3" <<<"$4" || true)"
}
