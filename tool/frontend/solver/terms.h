#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/FoldingSet.h>
#include <llvm/ADT/SmallVector.h>

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace autoshard::tool {

/// Thrown if formulas that a solver can handle cannot express something. `what` is the obstacle, as messages
/// name it.
struct Unfollowed {
  std::string what;
};
[[noreturn]] void give_up(std::string what);

/// The operation of a formula on its parts.
enum class Operator {
  kNumber,
  kSymbol,
  kNot,  ///< on one bit
  kAnd,  ///< bit by bit; kAnd, kOr, kXor, kAdd, least and greatest have any number of parts
  kOr,
  kXor,
  kChoice,  ///< condition, then, else
  kEqual,
  kLess,  ///< on unsigned numbers
  kSignedLess,
  kAdd,
  kMultiply,
  kDivide,
  kSignedDivide,
  kRemainder,
  kSignedRemainder,
  kShiftLeft,
  kShiftRight,
  kSignedShiftRight,
  kLeast,
  kGreatest,
  kSignedLeast,
  kSignedGreatest,
  kJoin,     ///< the bits of the parts, the highest first
  kExtract,  ///< some bits of the part
  kSignExtend,
  // Operations on floating-point numbers: from here to kRealOfSigned.
  kRealAdd,  ///< exact; this and kRealMultiply have any number of parts
  kRealMultiply,
  kRealInverse,  ///< 1 / x
  kWiden,        ///< to a wider floating-point number
  kNarrow,
  kRealOf,  ///< from an unsigned number
  kRealOfSigned,
  kOrderKey,  ///< a signed number with the same order as the floating-point number
  kAddFits,   ///< whether the unsigned sum does not overflow
  kSignedAddFits,
  kSubtractFits,
  kSignedSubtractFits,
  kMultiplyFits,
  kSignedMultiplyFits,
};

/// A formula: a number of `width` bits as a function of symbols. A formula of one bit is a truth value. Only
/// Terms makes formulas, and owns them. Equal formulas are one object.
struct Formula : llvm::FoldingSetNode {
  Operator what = Operator::kNumber;
  unsigned width = 0;
  unsigned low = 0;  ///< for kExtract: the lowest bit
  llvm::SmallVector<const Formula*, 3> parts{};
  llvm::APInt value{};  ///< for kNumber
  std::string name{};   ///< for kSymbol
  unsigned number = 0;  ///< the number of the formula, in the order of creation

  void Profile(llvm::FoldingSetNodeID& id) const;
  bool is_number() const { return what == Operator::kNumber; }
  bool is_zero() const { return is_number() && value.isZero(); }
};
using Term = const Formula*;

/// Makes and owns formulas. Normalises them, so that many equal formulas become one object: sums are sorted,
/// for example. Simplifies formulas that are plainly true or false, without a solver. All methods that return
/// formulas throw Unfollowed if there are too many formulas. Not thread-safe.
class Terms {
 public:
  /// The most parts that are merged into an outer operation. A sum of more parts stays one part of an outer
  /// sum.
  static constexpr std::size_t kMostParts = 64;

  Terms();
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

  Term yes() const { return yes_; }
  Term no() const { return no_; }
  Term truth(bool value) const { return value ? yes_ : no_; }
  Term number(const llvm::APInt& value);
  Term number(std::uint64_t value, unsigned width) { return number(llvm::APInt(width, value)); }
  Term symbol(const std::string& name, unsigned width);
  /// A new unknown value.
  Term any(unsigned width);

  // Operations on truth values. `choice` selects a value of any width.
  Term negation(Term x);
  Term both(Term x, Term y) { return combine(Operator::kAnd, {x, y}); }
  Term either(Term x, Term y) { return combine(Operator::kOr, {x, y}); }
  Term choice(Term condition, Term x, Term y);
  Term equal(Term x, Term y);
  Term less(Term x, Term y, bool is_signed);

  /// Operations on two or more parts: kAnd, kOr, kXor, kAdd, kLeast and so on.
  Term combine(Operator what, llvm::ArrayRef<Term> parts);
  Term add(Term x, Term y) { return combine(Operator::kAdd, {x, y}); }
  Term subtract(Term x, Term y) { return add(x, negative(y)); }
  Term negative(Term x);
  /// Operations on two parts: kMultiply, kDivide and so on, shifts, and tests of overflow.
  Term compute(Operator what, Term x, Term y);

  // Operations on floating-point numbers, which are represented by their bits. Sums and products are taken to
  // be exact.
  Term combine_reals(Operator what, llvm::ArrayRef<Term> parts);
  Term negative_real(Term x);
  /// Operations on one part: kRealInverse and the conversions.
  Term convert(Operator what, Term x, unsigned width);
  /// kOrderKey, a signed number with the same order as `x`. -0.0 and 0.0 have the same key.
  Term order_key(Term x);
  /// Whether the formula is the result of an operation on floating-point numbers, or of a conversion to one.
  static bool is_real_operation(Term formula) {
    return formula->what >= Operator::kRealAdd && formula->what <= Operator::kRealOfSigned;
  }
  /// Whether a part of the formula is a sum or a product of floating-point numbers.
  bool is_rounded(Term formula);

  /// Whether the formula is a product of two unknown numbers, a quotient by one, or an overflow test of a
  /// product, with many bits. A solver would take too long to compute it, and takes it for an unknown value.
  static bool is_wide_product(Term formula);
  bool has_wide_product(Term formula);

  Term join(llvm::ArrayRef<Term> parts);
  Term extract(Term x, unsigned low, unsigned width);
  Term bit(Term x, unsigned at) { return extract(x, at, 1); }
  Term zero_extended(Term x, unsigned width);
  Term sign_extended(Term x, unsigned width);

  /// Formulas of which at least one is true if `formula` is true.
  llvm::SmallVector<Term, 4> alternatives(Term formula);
  /// Returns `formula` with `value` in place of `term`.
  Term substitute(Term formula, Term term, Term value);
  /// A weaker formula: if `formula` can be true, so can the result. Each number is replaced by its rank,
  /// which needs few bits.
  Term order_of(Term formula);
  /// An equivalent formula. It is found by looking at each case of the choices in it, up to a limit of cases.
  Term by_cases(Term formula);

 private:
  static bool has_part(Term formula, bool (*is_it)(Term), llvm::DenseMap<Term, bool>& known);
  Term make(Operator what, unsigned width, llvm::ArrayRef<Term> parts, unsigned low = 0);
  Term unique(Formula formula);
  Term rebuilt(Term formula, llvm::ArrayRef<Term> parts);
  Term combine_sorted(Operator what, llvm::SmallVector<Term, 4> parts);
  Term substitute(Term formula, llvm::DenseMap<Term, Term>& known);
  Term split(Operator what, Term x, Term y);
  Term masked(Operator what, Term x, const llvm::APInt& mask);
  Term add_two_pieces(llvm::ArrayRef<Term> parts);
  Term extract_anew(Term x, unsigned low, unsigned width);
  Term equal_anew(Term x, Term y);
  Term equal_pieces(Term x, Term y);
  Term equal_sums(Term x, Term y);
  Term product_fits(Term x, const llvm::APInt& by, bool is_signed);
  Term shifted(Operator what, Term x, const llvm::APInt& by);
  Term by_cases(Term formula, bool outer, unsigned depth, unsigned& left);

  llvm::FoldingSet<Formula> known_;
  std::deque<Formula> all_;
  std::map<std::tuple<Term, unsigned, unsigned>, Term> extracted_;
  std::map<std::pair<Term, Term>, Term> equations_;
  llvm::DenseMap<Term, bool> rounded_, with_wide_product_;
  unsigned unknown_ = 0;  ///< the number of unknown values so far
  Term yes_, no_;
};

}  // namespace autoshard::tool
