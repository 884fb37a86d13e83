#!/usr/bin/env bash
# command_line_test.sh AUTOSHARD SOURCE: the generator as people call it.
. "$(dirname "$0")/../support/assertions.sh"
autoshard=$1 source=$2 header=$2/test/entities/forms/question.h

expect_exit "--version" 0 "$autoshard" --version
expect_contains "--version" "autoshard 0." "$output"
expect_contains "--version" "LLVM" "$output"
expect_contains "--version" "laws are" "$output"

expect_exit "--help" 0 "$autoshard" --help
for option in '-o' '-p' '--depfile' '--dump-model' '--root' '--explain' '--law-tests' '--disable' '--werror' '--advise' '--fix' '--list-rules' '--explain-rule'; do
  expect_contains "--help" "$option" "$output"
done
expect_equal "--help hides what is not ours" "" "$(grep -e '--print-all-options' -e '--color' <<<"$output" || true)"
expect_equal "--help fits 80 columns" "" "$(grep -E '.{81,}' <<<"$output" || true)"

expect_exit "no header" 1 "$autoshard" -o "$folder/out"
expect_exit "a header that is not there" 1 "$autoshard" "$folder/absent.h" -o "$folder/out" -- -std=c++20
expect_contains "a header that is not there" "absent.h" "$output"
expect_exit "an unknown option" 1 "$autoshard" --frobnicate "$header" -- -std=c++20

# Generates, with and without flags, the same bytes each time, and leaves what has not changed alone.
expect_exit "generate" 0 "$autoshard" "$header" -o "$folder/out" --depfile "$folder/deps.d" -- -std=c++20
expect_equal "silence" "" "$output"
[ -f "$folder/out/question.autoshard.h" ] || fail "no output"
expect_contains "depfile: target" "question.autoshard.h:" "$(cat "$folder/deps.d")"
expect_contains "depfile: header" "forms/question.h" "$(cat "$folder/deps.d")"
before=$(modified "$folder/out/question.autoshard.h")
expect_exit "generate again" 0 "$autoshard" "$header" -o "$folder/out" -- -std=c++20
expect_equal "unchanged output is not written" "$before" "$(modified "$folder/out/question.autoshard.h")"
expect_exit "generate without flags, from elsewhere" 0 \
  sh -c "cd '$folder' && cp '$header' '$2/.clang-format' . && '$autoshard' question.h -o again --"
cmp "$folder/out/question.autoshard.h" "$folder/again/question.autoshard.h" || fail "the output depends on the place"
expect_equal "what is written" "question.autoshard.h" "$(ls "$folder/again")"

# --root keeps subfolders; without it two headers of one name are refused.
mkdir -p "$folder/src/a" "$folder/src/b"
sed 's/moderator/a/; s/Question/A/g' "$header" > "$folder/src/a/question.h"
sed 's/moderator/b/; s/Question/B/g' "$header" > "$folder/src/b/question.h"
expect_exit "--root" 0 "$autoshard" "$folder/src/a/question.h" "$folder/src/b/question.h" --root "$folder/src" -o "$folder/rooted" --
[ -f "$folder/rooted/a/question.autoshard.h" ] && [ -f "$folder/rooted/b/question.autoshard.h" ] || fail "--root: no subfolders"
expect_exit "one name twice" 1 "$autoshard" "$folder/src/a/question.h" "$folder/src/b/question.h" -o "$folder/flat" --
expect_contains "one name twice" "--root" "$output"

# The compilation database.
mkdir "$folder/db"
cat > "$folder/db/compile_commands.json" <<END
[{"directory": "$folder", "file": "$folder/src/a/main.cpp", "command": "c++ -std=c++20 -DFROM_DATABASE -c $folder/src/a/main.cpp"}]
END
sed -i '1i #ifndef FROM_DATABASE\n#error no database\n#endif' "$folder/src/a/question.h"
expect_exit "-p" 0 "$autoshard" -p "$folder/db" "$folder/src/a/question.h" -o "$folder/with_db"

expect_exit "--dump-model" 0 "$autoshard" "$header" --dump-model --
printf '%s' "$output" > "$folder/model.json"
cat > "$folder/read_json.cmake" <<END
file(READ "$folder/model.json" text)
string(JSON name GET "\${text}" entities 0 name)
message("\${name}")
END
expect_exit "the model is JSON" 0 cmake -P "$folder/read_json.cmake"
expect_equal "the model's entity" "Question" "$output"

# Mistakes: a diagnostic, exit code 1, and not one file, not even of the headers that are right.
sed 's/\[\[autoshard::id\]\] //' "$header" > "$folder/wrong.h"
sed -i 's/moderator/other/; s/Question/Wrong/g' "$folder/wrong.h"
expect_exit "a mistake" 1 "$autoshard" "$folder/wrong.h" "$header" -o "$folder/none" --depfile "$folder/none.d" --
expect_contains "a mistake" "[autoshard-no-id]" "$output"
expect_contains "a mistake shows its place" "wrong.h:16:29: error:" "$output"
expect_contains "a mistake leads to its rule" "run: $autoshard --explain-rule=autoshard-no-id" "$output"
[ ! -e "$folder/none" ] && [ ! -e "$folder/none.d" ] || fail "something was written"
expect_exit "invalid C++" 1 sh -c "echo 'class [[autoshard::entity]] X { int };' > '$folder/x.h'; '$autoshard' '$folder/x.h' -o '$folder/none' --"
[ ! -e "$folder/none" ] || fail "something was written"

# The laws: a counterexample stops the run unless its rule is disabled, in either spelling.
sed 's/return x + y;/return x - y;/' "$header" > "$folder/question.h"
expect_exit "a fold that breaks its laws" 1 "$autoshard" "$folder/question.h" -o "$folder/none" --
expect_contains "the counterexample" "foldVotes(1, 2) is -1 but foldVotes(2, 1) is 1" "$output"
[ ! -e "$folder/none" ] || fail "something was written"
expect_exit "disabled rules" 0 "$autoshard" "$folder/question.h" -o "$folder/disabled" \
  --disable=fold-not-commutative -Wno-autoshard-fold-not-associative --
expect_equal "disabled rules are silent" "" "$output"
expect_exit "an unknown rule" 1 "$autoshard" "$header" --disable=fold-not-comutative -o "$folder/none" --
expect_contains "an unknown rule" "did you mean 'autoshard-fold-not-commutative'?" "$output"
expect_exit "a rule that must hold" 1 "$autoshard" "$header" -Wno-autoshard-no-id -o "$folder/none" --
expect_contains "a rule that must hold" "cannot be disabled" "$output"
expect_exit "--list-rules" 0 "$autoshard" --list-rules
expect_contains "--list-rules" "autoshard-no-id " "$output"
expect_exit "--explain-rule" 0 "$autoshard" --explain-rule=no-id
expect_contains "--explain-rule says what is right" "[[autoshard::id]] std::string reader;" "$output"
expect_exit "--explain-rule of a misspelt rule" 1 "$autoshard" --explain-rule=no-ids
expect_contains "--explain-rule of a misspelt rule" "did you mean 'autoshard-no-id'?" "$output"
expect_exit "--markdown alone" 1 "$autoshard" --markdown "$header" --
expect_exit "--explain" 0 "$autoshard" "$header" --explain -o "$folder/none" --
expect_contains "--explain" "voteUp commutes with the fold" "$output"
[ ! -e "$folder/none" ] || fail "--explain wrote something"
expect_exit "--law-tests" 0 "$autoshard" "$header" --law-tests "$folder/laws.cpp" -o "$folder/none" --
expect_contains "--law-tests" "question.autoshard.h" "$(cat "$folder/laws.cpp")"
[ ! -e "$folder/none" ] || fail "--law-tests wrote headers"

# Suggestions: printed as a patch, or written, which comes to the same; what is written generates.
plain=$2/test/tool/advise/headers/thread.h
cp "$plain" "$folder/thread.h"
expect_exit "--fix alone" 1 "$autoshard" --fix "$folder/thread.h" --
expect_contains "--fix alone" "--advise" "$output"
expect_exit "--advise" 0 sh -c "cd '$folder' && '$autoshard' --advise thread.h --"
expect_contains "--advise" "views_ (line" "$output"
cmp "$plain" "$folder/thread.h" || fail "--advise wrote into the header"
printf '%s\n' "$output" | (cd "$folder" && patch --silent -p0)
mv "$folder/thread.h" "$folder/patched.h"
cp "$plain" "$folder/thread.h"
expect_exit "--advise --fix" 0 "$autoshard" --advise --fix "$folder/thread.h" --
cmp "$folder/thread.h" "$folder/patched.h" || fail "--fix wrote something else than --advise printed"
expect_exit "--advise --fix again" 0 "$autoshard" --advise --fix "$folder/thread.h" --
expect_equal "--advise --fix again" "nothing to suggest" "$(head -1 <<<"$output")"
cmp "$folder/thread.h" "$folder/patched.h" || fail "--fix wrote twice"
expect_exit "generate what --fix wrote" 0 "$autoshard" "$folder/thread.h" -o "$folder/fixed" --
expect_exit "--advise for what is no C++" 1 "$autoshard" --advise "$folder/x.h" --

# A header without annotations keeps its one definition: its generated form, in either way, leads to it.
mkdir -p "$folder/headers/units"
cat > "$folder/headers/units/length.h" <<'END'
#pragma once
struct Length { int metres = 0; };
END
cat > "$folder/headers/rope.h" <<'END'
#pragma once
#include <functional>
#include "units/length.h"
class [[autoshard::entity]] Rope {
 public:
  [[autoshard::shard_method]] void add(const Length& length) { metres_ += length.metres; }
 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int metres_ = 0;
};
END
compile() {
  c++ -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$1" -I "$folder/headers" -I "$source/runtime/include" "$2" "${@:3}"
}
printf '#include "%s"\n' rope.autoshard.h units/length.autoshard.h units/length.h > "$folder/ropes.cpp"
expect_exit "a header without annotations" 0 "$autoshard" --root "$folder/headers" -o "$folder/ropes" \
  "$folder/headers/rope.h" "$folder/headers/units/length.h" --
expect_exit "it is defined once" 0 compile "$folder/ropes" "$folder/ropes.cpp"
expect_equal "no path of this machine in the output" "" "$(grep -F "$folder" "$folder/ropes/units/length.autoshard.h" || true)"
printf '#include "%s"\n' rope.h "$folder/headers/units/length.h" > "$folder/drop_in.cpp"
expect_exit "a header without annotations, in place of the original" 0 "$autoshard" --drop-in --root "$folder/headers" \
  -o "$folder/drop_in" "$folder/headers/rope.h" "$folder/headers/units/length.h" --
expect_exit "it is defined once" 0 compile "$folder/drop_in" "$folder/drop_in.cpp"
expect_exit "nothing is annotated" 0 "$autoshard" -o "$folder/plain" "$folder/headers/units/length.h" --
expect_contains "nothing is annotated" "headers/units/length.h" "$(cat "$folder/plain/length.autoshard.h")"

# Both forms of an annotated header in one source: the compiler shows a line that says what to do.
printf '#include "%s"\n' rope.h rope.autoshard.h > "$folder/both.cpp"
expect_exit "both forms in one source" 1 compile "$folder/ropes" "$folder/both.cpp" -Wno-attributes
expect_contains "both forms in one source" "// An error here: rope.h is included, too. Include this header alone." "$output"

# A header that names what is generated later, and one of which nothing is generated.
sed 's/Rope/Cable/; s/rope/cable/; s/"units\/length.h"/"units\/length.autoshard.h"/' "$folder/headers/rope.h" > "$folder/headers/cable.h"
expect_exit "an include of a generated header" 1 "$autoshard" -o "$folder/none" "$folder/headers/cable.h" --
expect_contains "an include of a generated header" \
  "cable.h:3:10: fatal error: 'units/length.autoshard.h' is not there when the generator reads this; include 'units/length.h'" "$output"
sed 's/Rope/Cable/; s/"units\/length.h"/"rope.h"/' "$folder/headers/rope.h" > "$folder/headers/cable.h"
expect_exit "an annotated header that is not given" 0 "$autoshard" -o "$folder/cables" "$folder/headers/cable.h" --
printf '#include "cable.autoshard.h"\n' > "$folder/cables.cpp"
expect_exit "an annotated header that is not given" 1 compile "$folder/cables" "$folder/cables.cpp"
expect_contains "an annotated header that is not given" "no companion classes of rope.h were generated" "$output"
expect_exit "both are given" 0 "$autoshard" -o "$folder/cables" "$folder/headers/rope.h" "$folder/headers/cable.h" --
expect_exit "both are given" 0 compile "$folder/cables" "$folder/cables.cpp"

# A misplaced include makes nonsense of a whole library.
printf '#pragma once\nnamespace misplaced {\n#include <map>\n' > "$folder/misplaced.h"
cat "$folder/headers/rope.h" >> "$folder/misplaced.h"
echo '}' >> "$folder/misplaced.h"
expect_exit "a misplaced include" 1 "$autoshard" -o "$folder/none" "$folder/misplaced.h" -- -I "$folder/headers"
expect_contains "a misplaced include" "too many errors emitted, stopping now" "$output"
[ "$(grep -c 'error:' <<<"$output")" -le 21 ] || fail "a misplaced include: too many errors"

# A folder that cannot be written to.
touch "$folder/file"
expect_exit "an output folder that is a file" 1 "$autoshard" "$header" -o "$folder/file" --
expect_contains "an output folder that is a file" "$folder/file" "$output"
