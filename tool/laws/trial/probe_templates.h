#pragma once

/// Templates of the functions of a probe.

#include <cstddef>
#include <string_view>

namespace autoshard::tool {

/// The numbers of up to three samples.
inline constexpr std::string_view kSamples =
    "[[maybe_unused]] int i, [[maybe_unused]] int j, [[maybe_unused]] int k";

/// The two sides of a law. Its functions come after `MemberValue`, `Given` and `fold_values`.
struct FoldLaw {
  std::string_view name;
  std::string_view left;
  std::string_view right;
  std::size_t samples = 0;
};
inline constexpr FoldLaw kCommutative = {"commutative", "fold_values(given.x, given.y)",
                                         "fold_values(given.y, given.x)", 2};
inline constexpr FoldLaw kAssociative = {"associative", "fold_values(fold_values(given.x, given.y), given.z)",
                                         "fold_values(given.x, fold_values(given.y, given.z))", 3};
inline constexpr FoldLaw kNeutral = {"neutral", "fold_values(given.x, neutral_value())", "given.x", 1};
inline constexpr FoldLaw kAdds = {"adds", "fold_values(given.x, given.y)",
                                  "static_cast<MemberValue>(given.x + given.y)", 2};

inline constexpr std::string_view kFold = R"(
namespace $scope$ {

using MemberValue = decltype(Shard::$property$);

inline MemberValue value(int at) {
  $for sample$
  if (at == $at$) return $sample$;
  $end$
  return {};
}
inline MemberValue neutral_value() { return Shard{}.$property$; }
inline MemberValue fold_values(const MemberValue& x, const MemberValue& y) { return Shard::$fold$(x, y); }

inline bool stays([[maybe_unused]] int i, int, int) { return $same$(value(i), neutral_value()); }

struct Given {
  MemberValue x, y, z;
};
inline Given sampled(int i, int j, int k) { return {value(i), value(j), value(k)}; }
$if provable$
inline MemberValue made_value(Bytes& from) {
  $if real$
  // The neutral value need not be finite.
  const bool is_neutral = make<bool>(from);
  const auto value = make<MemberValue>(from);
  return is_neutral ? neutral_value() : value;
  $end$
  $if exact$
  return make<MemberValue>(from);
  $end$
}
inline Given made(const unsigned char* input) {
  Bytes from{input};
  return {made_value(from), made_value(from), made_value(from)};
}
bool chooses(const unsigned char* input) {
  const Given given = made(input);
  const MemberValue chosen = fold_values(given.x, given.y);
  return $same$(chosen, given.x) || $same$(chosen, given.y);
}
bool chooses_in_order(const unsigned char* input) {
  const Given given = made(input);
  if (!$same$(fold_values(given.x, given.y), given.y) || !$same$(fold_values(given.y, given.z), given.z))
    return true;
  return $same$(fold_values(given.x, given.z), given.z);
}
$end$

$if inductive$
inline unsigned long long invariants([[maybe_unused]] const MemberValue& value) {
  [[maybe_unused]] const MemberValue neutral = neutral_value();
  unsigned long long hold = 0;
  $for invariant$
  if ($test$) hold |= 1ULL << $number$;
  $end$
  return hold;
}
inline bool keeps([[maybe_unused]] const MemberValue& value, [[maybe_unused]] unsigned long long asked) {
  [[maybe_unused]] const MemberValue neutral = neutral_value();
  $for invariant$
  if ((asked >> $number$ & 1) != 0 && !($test$)) return false;
  $end$
  return true;
}
unsigned long long kept_at_first(const unsigned char*, unsigned long long) {
  unsigned long long hold = invariants(neutral_value());
  $for initial$
  hold &= invariants(static_cast<MemberValue>($number$));
  $end$
  return 0xFFFFFFFFULL | hold << 32;
}
unsigned long long kept_by_fold(const unsigned char* input, unsigned long long asked) {
  const Given given = made(input);
  const unsigned long long before = invariants(given.x) & invariants(given.y);
  if (!keeps(given.x, asked) || !keeps(given.y, asked)) return before;
  return before | invariants(fold_values(given.x, given.y)) << 32;
}
$end$

inline Text first_value_for(const Given& given) { return shown(given.x); }
inline Text second_value_for(const Given& given) { return shown(given.y); }
inline Text third_value_for(const Given& given) { return shown(given.z); }
inline Text shown_neutral_for(const Given&) { return shown(neutral_value()); }
$for shown$
inline Text $shown$($samples$) { return $shown$_for(sampled(i, j, k)); }
$end$

$for law$
namespace $law$ {
inline bool holds_for(const Given& given) { return $same$($left$, $right$); }
inline Text left_for(const Given& given) { return shown($left$); }
inline Text right_for(const Given& given) { return shown($right$); }
inline bool holds($samples$) { return holds_for(sampled(i, j, k)); }
inline Text left($samples$) { return left_for(sampled(i, j, k)); }
inline Text right($samples$) { return right_for(sampled(i, j, k)); }
$if provable$
bool holds_always(const unsigned char* input) { return holds_for(made(input)); }
$end$
$if inductive$
unsigned long long holds_within(const unsigned char* input, unsigned long long asked) {
  const Given given = made(input);
  const unsigned long long before = invariants(given.x) & invariants(given.y) & invariants(given.z);
  if (!keeps(given.x, asked) || !keeps(given.y, asked) || !keeps(given.z, asked)) return before;
  return before | (holds_for(given) ? 1ULL << 63 : 0);
}
$end$
}
$end$

}
)";

inline constexpr std::string_view kUpdate = R"(
namespace $scope$ {

struct Touched {
  Shard shard;
};

inline Touched value(int at) {
  Shard shard;
  $for state$
  if (at == $at$) shard = $state$;
  $end$
  $for sampled$
  shard.$member$ = fold_$member$::value((at + $shift$) % $count$);
  $end$
  return {shard};
}

/// Two values, and a call with so many of the arguments.
struct Given {
  Touched x, y;
  int passed;
  $for parameter$
  $type$ $argument$;
  $end$
};
inline Given sampled(int i, int j, int k) {
  $for call$
  if (k == $at$) return {value(i), value(j), $passed$$arguments$};
  $end$
  return sampled(i, j, 0);
}
$if provable$
inline Touched made_value(Bytes& from) {
  Shard shard;
  $for touched$
  shard.$member$ = fold_$member$::made_value(from);
  $end$
  return {shard};
}
inline Given made(const unsigned char* input) {
  Bytes from{input};
  return {made_value(from), made_value(from), $parameters$$made$};
}
$end$

inline Touched folded(const Touched& one, const Touched& other) {
  Shard x = one.shard;
  const Shard& y = other.shard;
  $for touched$
  x.$member$ = fold_$member$::fold_values(x.$member$, y.$member$);
  $end$
  return {x};
}

inline Touched updated(Touched value, [[maybe_unused]] const Given& given) {
  Shard& shard = value.shard;
  $for parameter$
  [[maybe_unused]] $type$ $argument$ = given.$argument$;
  $end$
  $for form$
  if (given.passed == $passed$) static_cast<void>(shard.$method$($list$));
  $end$
  return value;
}

inline bool is_same(const Touched& left, const Touched& right) {
  const Shard& one = left.shard;
  const Shard& other = right.shard;
  $for compared$
  if (!$same$(one.$member$, other.$member$)) return false;
  $end$
  return true;
}

inline Text shown_value(const Touched& value) {
  Text text;
  $for touched$
  text.add($label$);
  autoshard_laws::show(text, value.shard.$member$);
  $end$
  $if several_touched$
  text.add('}');
  $end$
  return text;
}

inline Text shown_result(const Touched& value) {
  Text text;
  $for compared$
  text.add($label$);
  autoshard_laws::show(text, value.shard.$member$);
  $end$
  $if several_compared$
  text.add('}');
  $end$
  return text;
}

inline Text first_value_for(const Given& given) { return shown_value(given.x); }
inline Text second_value_for(const Given& given) { return shown_value(given.y); }
inline Text third_value_for([[maybe_unused]] const Given& given) {
  Text text;
  $for parameter$
  if (given.passed > $number$) {
    if ($number$ > 0) text.add(", ");
    autoshard_laws::show(text, given.$argument$);
  }
  $end$
  return text;
}

inline bool holds_for(const Given& given) { return is_same($left$, $right$); }
inline Text left_for(const Given& given) { return shown_result($left$); }
inline Text right_for(const Given& given) { return shown_result($right$); }
$for shown$
inline Text $shown$($samples$) { return $shown$_for(sampled(i, j, k)); }
$end$
inline bool holds($samples$) { return holds_for(sampled(i, j, k)); }
$if provable$
bool holds_always(const unsigned char* input) { return holds_for(made(input)); }
$if folded$
inline bool is_folded(const Given& given) {
  return is_same(updated(given.x, given), folded(given.x, updated(Touched{}, given)));
}
bool is_effect_folded(const unsigned char* input) { return is_folded(made(input)); }
bool updates_neutral(const unsigned char* input) {
  return is_same(updated(Touched{}, made(input)), Touched{});
}
$end$
$end$
$for inductive_member$
unsigned long long keeps_$member$(const unsigned char* input, unsigned long long asked) {
  const Given given = made(input);
  const unsigned long long before = fold_$member$::invariants(given.x.shard.$member$);
  if (!fold_$member$::keeps(given.x.shard.$member$, asked)) return before;
  return before | fold_$member$::invariants(updated(given.x, given).shard.$member$) << 32;
}
$end$
$if inductive$
unsigned long long holds_within(const unsigned char* input, unsigned long long asked) {
  const Given given = made(input);
  unsigned long long before = 0;
  $for inductive_member$
  before |= (fold_$member$::invariants(given.x.shard.$member$) & fold_$member$::invariants(given.y.shard.$member$))
            << $shift$;
  $end$
  $for inductive_member$
  if (!fold_$member$::keeps(given.x.shard.$member$, asked >> $shift$) ||
      !fold_$member$::keeps(given.y.shard.$member$, asked >> $shift$))
    return before;
  $end$
  return before | (holds_for(given) ? 1ULL << 63 : 0);
}
$if folded$
unsigned long long is_effect_folded_within(const unsigned char* input, unsigned long long asked) {
  const Given given = made(input);
  unsigned long long before = 0;
  $for inductive_member$
  before |= fold_$member$::invariants(given.x.shard.$member$) << $shift$;
  $end$
  $for inductive_member$
  if (!fold_$member$::keeps(given.x.shard.$member$, asked >> $shift$)) return before;
  $end$
  return before | (is_folded(given) ? 1ULL << 63 : 0);
}
$end$
$end$

}
)";

}  // namespace autoshard::tool
