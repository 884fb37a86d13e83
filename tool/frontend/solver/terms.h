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

/// Thrown where something cannot be said by formulas that a solver can bear.
struct Unfollowed {
  std::string what;
};
[[noreturn]] void give_up(std::string what);

/// What a formula does with its parts.
enum class Operator {
  kNumber,
  kSymbol,
  kNot,  ///< of one bit
  kAnd,  ///< bit by bit; of any number of parts, as kOr, kXor, kAdd, and the least and greatest
  kOr,
  kXor,
  kChoice,  ///< condition, then, else
  kEqual,
  kLess,  ///< of numbers without a sign
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
  kJoin,     ///< the bits of its parts, the highest first
  kExtract,  ///< some bits of its part
  kSignExtend,
  kRealAdd,  ///< of floating-point numbers, as if it were exact; of any number of parts, as kRealMultiply
  kRealMultiply,
  kRealInverse,  ///< 1 / x
  kWiden,        ///< to a floating-point number of more bits
  kNarrow,
  kRealOf,  ///< a floating-point number of a number without a sign
  kRealOfSigned,
  kOrderKey,  ///< a number with a sign that stands for a floating-point number where these are compared
  kAddFits,   ///< whether the sum is that of numbers without a sign
  kSignedAddFits,
  kSubtractFits,
  kSignedSubtractFits,
  kMultiplyFits,
  kSignedMultiplyFits,
};

/// A formula: a number of `width` bits as a function of symbols. One bit is a truth value. Formulas are made
/// by Terms only, and equal ones are one object.
struct Formula : llvm::FoldingSetNode {
  Operator what = Operator::kNumber;
  unsigned width = 0;
  unsigned low = 0;  ///< of kExtract: the lowest bit
  llvm::SmallVector<const Formula*, 3> parts{};
  llvm::APInt value{};  ///< of kNumber
  std::string name{};   ///< of kSymbol
  unsigned number = 0;  ///< in the order in which they were made

  void Profile(llvm::FoldingSetNodeID& id) const;
  bool is_number() const { return what == Operator::kNumber; }
  bool is_zero() const { return is_number() && value.isZero(); }
};
using Term = const Formula*;

/// Makes formulas, and brings them into a form in which many that are equal are the same: sums, for one, are
/// sorted. What is plainly true or false is found without a solver. Throws Unfollowed if there are too many.
class Terms {
 public:
  /// Sums and the like of more parts are parts of others as a whole.
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
  /// A value of which nothing is known.
  Term any(unsigned width);

  // Of truth values; `choice` chooses among any.
  Term negation(Term x);
  Term both(Term x, Term y) { return combine(Operator::kAnd, {x, y}); }
  Term either(Term x, Term y) { return combine(Operator::kOr, {x, y}); }
  Term choice(Term condition, Term x, Term y);
  Term equal(Term x, Term y);
  Term less(Term x, Term y, bool is_signed);

  /// kAnd, kOr, kXor, kAdd, kLeast and so on, of two parts or more.
  Term combine(Operator what, llvm::ArrayRef<Term> parts);
  Term add(Term x, Term y) { return combine(Operator::kAdd, {x, y}); }
  Term subtract(Term x, Term y) { return add(x, negative(y)); }
  Term negative(Term x);
  /// kMultiply, kDivide and so on, shifts, and whether results fit.
  Term compute(Operator what, Term x, Term y);

  // Of floating-point numbers, which are kept as their bits. Sums and products are taken to be exact.
  Term combine_reals(Operator what, llvm::ArrayRef<Term> parts);
  Term negative_real(Term x);
  /// kRealInverse and the conversions.
  Term convert(Operator what, Term x, unsigned width);
  /// kOrderKey: -0.0 and 0.0 have the same.
  Term order_key(Term x);
  /// Whether a sum or a product of floating-point numbers is part of it.
  bool is_rounded(Term formula);

  /// Whether it is a product of two unknown numbers, a quotient by one, or whether such a product fits, of so
  /// many bits that a solver takes too long to compute it. To the solver it is a value of which nothing is
  /// known.
  static bool is_wide_product(Term formula);
  bool has_wide_product(Term formula);

  Term join(llvm::ArrayRef<Term> parts);
  Term extract(Term x, unsigned low, unsigned width);
  Term bit(Term x, unsigned at) { return extract(x, at, 1); }
  Term zero_extended(Term x, unsigned width);
  Term sign_extended(Term x, unsigned width);

  /// Truth values of which one at least is true where `formula` is.
  llvm::SmallVector<Term, 4> alternatives(Term formula);
  /// `formula` where `term` is `value`.
  Term substitute(Term formula, Term term, Term value);
  /// A weaker formula: each number is replaced by its rank, which takes few bits.
  Term order_of(Term formula);
  /// The same truth value, found by looking at each case of the choices in it, as long as there are few.
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
  unsigned unknown_ = 0;  ///< how many values there are of which nothing is known
  Term yes_, no_;
};

}  // namespace autoshard::tool
