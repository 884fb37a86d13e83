#include "tool/frontend/solver/terms.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace autoshard::tool {
namespace {

/// The most formulas. A law needs some hundreds or thousands.
constexpr std::size_t kMostFormulas = 300'000;

bool is_joined(Term x) { return x->what == Operator::kJoin; }

/// The number that changes nothing in an operation of several parts.
llvm::APInt neutral_number(Operator what, unsigned width) {
  switch (what) {
    case Operator::kAnd:
    case Operator::kLeast:
      return llvm::APInt::getAllOnes(width);
    case Operator::kSignedLeast:
      return llvm::APInt::getSignedMaxValue(width);
    case Operator::kSignedGreatest:
      return llvm::APInt::getSignedMinValue(width);
    default:
      return llvm::APInt::getZero(width);
  }
}

/// The number that determines the result of the operation alone; nothing if there is none.
std::optional<llvm::APInt> deciding_number(Operator what, unsigned width) {
  switch (what) {
    case Operator::kAnd:
    case Operator::kLeast:
      return llvm::APInt::getZero(width);
    case Operator::kOr:
    case Operator::kGreatest:
      return llvm::APInt::getAllOnes(width);
    case Operator::kSignedLeast:
      return llvm::APInt::getSignedMinValue(width);
    case Operator::kSignedGreatest:
      return llvm::APInt::getSignedMaxValue(width);
    default:
      return std::nullopt;
  }
}

llvm::APInt combined(Operator what, const llvm::APInt& x, const llvm::APInt& y) {
  switch (what) {
    case Operator::kAnd:
      return x & y;
    case Operator::kOr:
      return x | y;
    case Operator::kXor:
      return x ^ y;
    case Operator::kLeast:
      return x.ult(y) ? x : y;
    case Operator::kGreatest:
      return x.ult(y) ? y : x;
    case Operator::kSignedLeast:
      return x.slt(y) ? x : y;
    case Operator::kSignedGreatest:
      return x.slt(y) ? y : x;
    default:
      return x + y;
  }
}

/// The result of an operation of two numbers. A division by 0 gives the value that solvers agree on.
llvm::APInt computed(Operator what, const llvm::APInt& x, const llvm::APInt& y) {
  const unsigned width = x.getBitWidth();
  bool overflows = false;
  switch (what) {
    case Operator::kDivide:
      return y.isZero() ? llvm::APInt::getAllOnes(width) : x.udiv(y);
    case Operator::kSignedDivide:
      if (y.isZero()) return x.isNegative() ? llvm::APInt(width, 1) : llvm::APInt::getAllOnes(width);
      return x.sdiv(y);
    case Operator::kRemainder:
      return y.isZero() ? x : x.urem(y);
    case Operator::kSignedRemainder:
      return y.isZero() ? x : x.srem(y);
    case Operator::kAddFits:
      static_cast<void>(x.uadd_ov(y, overflows));
      break;
    case Operator::kSignedAddFits:
      static_cast<void>(x.sadd_ov(y, overflows));
      break;
    case Operator::kSubtractFits:
      static_cast<void>(x.usub_ov(y, overflows));
      break;
    case Operator::kSignedSubtractFits:
      static_cast<void>(x.ssub_ov(y, overflows));
      break;
    case Operator::kMultiplyFits:
      static_cast<void>(x.umul_ov(y, overflows));
      break;
    default:
      static_cast<void>(x.smul_ov(y, overflows));
      break;
  }
  return llvm::APInt(1, overflows ? 0 : 1);
}

/// The equivalent operation on truth values. As a signed number, true is -1.
Operator on_one_bit(Operator what) {
  switch (what) {
    case Operator::kAdd:
      return Operator::kXor;
    case Operator::kLeast:
    case Operator::kSignedGreatest:
      return Operator::kAnd;
    case Operator::kGreatest:
    case Operator::kSignedLeast:
      return Operator::kOr;
    default:
      return what;
  }
}

/// Whether the operation is idempotent: a repeated part changes nothing.
bool is_idempotent(Operator what) { return what != Operator::kAdd && what != Operator::kXor; }

}  // namespace

void give_up(std::string what) { throw Unfollowed{std::move(what)}; }

void Formula::Profile(llvm::FoldingSetNodeID& id) const {
  id.AddInteger(static_cast<unsigned>(what));
  id.AddInteger(width);
  id.AddInteger(low);
  for (const Formula* part : parts) id.AddInteger(part->number);
  id.AddString(name);
  if (what == Operator::kNumber) value.Profile(id);
}

Terms::Terms() : yes_(number(1, 1)), no_(number(0, 1)) {}

Term Terms::unique(Formula formula) {
  llvm::FoldingSetNodeID id;
  formula.Profile(id);
  void* place = nullptr;
  if (const Formula* found = known_.FindNodeOrInsertPos(id, place)) return found;
  if (all_.size() == kMostFormulas) give_up("a formula that is too long");
  formula.number = static_cast<unsigned>(all_.size());
  all_.push_back(std::move(formula));
  known_.InsertNode(&all_.back(), place);
  return &all_.back();
}

Term Terms::make(Operator what, unsigned width, llvm::ArrayRef<Term> parts, unsigned low) {
  Formula formula;
  formula.what = what;
  formula.width = width;
  formula.low = low;
  formula.parts.assign(parts.begin(), parts.end());
  return unique(std::move(formula));
}

Term Terms::number(const llvm::APInt& value) {
  Formula formula;
  formula.width = value.getBitWidth();
  formula.value = value;
  return unique(std::move(formula));
}

Term Terms::symbol(const std::string& name, unsigned width) {
  Formula formula;
  formula.what = Operator::kSymbol;
  formula.width = width;
  formula.name = name;
  return unique(std::move(formula));
}

Term Terms::any(unsigned width) { return symbol("any" + std::to_string(unknown_++), width); }

Term Terms::negation(Term x) {
  if (x->is_number()) return truth(x->value.isZero());
  return x->what == Operator::kNot ? x->parts[0] : make(Operator::kNot, 1, {x});
}

Term Terms::negative(Term x) {
  if (x->is_number()) return number(-x->value);
  return compute(Operator::kMultiply, x, number(llvm::APInt::getAllOnes(x->width)));
}

Term Terms::choice(Term condition, Term x, Term y) {
  if (condition == yes_ || x == y) return x;
  if (condition == no_) return y;
  if (condition->what == Operator::kNot) return choice(condition->parts[0], y, x);
  if (x->width == 1) {
    if (x == yes_) return either(condition, y);
    if (x == no_) return both(negation(condition), y);
    if (y == yes_) return either(negation(condition), x);
    if (y == no_) return both(condition, x);
  }
  // A choice in a choice by the same condition is decided.
  if (x->what == Operator::kChoice && x->parts[0] == condition) x = x->parts[1];
  if (y->what == Operator::kChoice && y->parts[0] == condition) y = y->parts[2];
  return x == y ? x : make(Operator::kChoice, x->width, {condition, x, y});
}

Term Terms::equal(Term x, Term y) {
  if (x == y) return yes_;
  if (const auto found = equations_.find({x, y}); found != equations_.end()) return found->second;
  return equations_[{x, y}] = equal_anew(x, y);
}

Term Terms::equal_anew(Term x, Term y) {
  if (x->is_number() && y->is_number()) return truth(x->value == y->value);
  if (x->width == 1) {
    if (x->is_number()) return x == yes_ ? y : negation(y);
    if (y->is_number()) return y == yes_ ? x : negation(x);
    if (negation(x) == y) return no_;
  }
  if (is_joined(x) || is_joined(y)) return equal_pieces(x, y);
  if (x->what == Operator::kAdd || y->what == Operator::kAdd) {
    if (const Term shorter = equal_sums(x, y)) return shorter;
  }
  if (x->is_number()) std::swap(x, y);
  if (y->is_number() && x->what == Operator::kChoice &&
      (x->parts[1]->is_number() || x->parts[2]->is_number()))
    return choice(x->parts[0], equal(x->parts[1], y), equal(x->parts[2], y));
  const bool same_condition =
      x->what == Operator::kChoice && y->what == Operator::kChoice && x->parts[0] == y->parts[0];
  if (same_condition)
    return choice(x->parts[0], equal(x->parts[1], y->parts[1]), equal(x->parts[2], y->parts[2]));
  return x->number < y->number ? make(Operator::kEqual, 1, {x, y}) : make(Operator::kEqual, 1, {y, x});
}

/// The equation of two sums without their common parts; null if they have none.
Term Terms::equal_sums(Term x, Term y) {
  const auto parts_of = [](Term sum) {
    return sum->what == Operator::kAdd ? sum->parts : llvm::SmallVector<Term, 3>{sum};
  };
  llvm::SmallVector<Term, 3> left = parts_of(x), right = parts_of(y);
  bool is_shorter = false;
  for (auto part = left.begin(); part != left.end();) {
    const auto same = llvm::find(right, *part);
    if (same == right.end()) {
      ++part;
      continue;
    }
    right.erase(same);
    part = left.erase(part);
    is_shorter = true;
  }
  if (!is_shorter) return nullptr;
  const auto sum = [&](const llvm::SmallVector<Term, 3>& parts) {
    return parts.empty() ? number(0, x->width) : combine(Operator::kAdd, parts);
  };
  return equal(sum(left), sum(right));
}

Term Terms::less(Term x, Term y, bool is_signed) {
  if (x == y) return no_;
  if (x->is_number() && y->is_number())
    return truth(is_signed ? x->value.slt(y->value) : x->value.ult(y->value));
  if (x->width == 1) return is_signed ? both(x, negation(y)) : both(negation(x), y);
  if (!is_signed && y->is_zero()) return no_;
  return make(is_signed ? Operator::kSignedLess : Operator::kLess, 1, {x, y});
}

Term Terms::combine(Operator what, llvm::ArrayRef<Term> parts) {
  if (parts.front()->width == 1) what = on_one_bit(what);
  llvm::SmallVector<Term, 4> flat;
  for (const Term part : parts) {
    if (part->what == what && flat.size() + part->parts.size() <= kMostParts) {
      flat.append(part->parts.begin(), part->parts.end());
    } else {
      flat.push_back(part);
    }
  }
  return combine_sorted(what, std::move(flat));
}

Term Terms::combine_sorted(Operator what, llvm::SmallVector<Term, 4> parts) {
  const unsigned width = parts.front()->width;
  const bool is_bitwise = what == Operator::kAnd || what == Operator::kOr || what == Operator::kXor;
  llvm::APInt known = neutral_number(what, width);
  llvm::SmallVector<Term, 4> rest;
  llvm::sort(parts, [](Term x, Term y) { return x->number < y->number; });
  for (const Term part : parts) {
    if (part->is_number()) {
      known = combined(what, known, part->value);
    } else if (!rest.empty() && rest.back() == part && is_idempotent(what)) {
      continue;
    } else if (!rest.empty() && rest.back() == part && what == Operator::kXor) {
      rest.pop_back();
    } else {
      rest.push_back(part);
    }
  }
  if (rest.empty() || known == deciding_number(what, width)) return number(known);
  if (width == 1 && what != Operator::kXor) {
    for (const Term part : rest) {
      if (part->what == Operator::kNot && llvm::is_contained(rest, part->parts[0]))
        return truth(what == Operator::kOr);
    }
  }
  const bool has_number = known != neutral_number(what, width);
  if (is_bitwise && width > 1) {
    if (has_number) {
      const Term others = rest.size() == 1 ? rest.front() : combine(what, rest);
      if (const Term pieces = masked(what, others, known)) return pieces;
    }
    if (!has_number && llvm::any_of(rest, is_joined)) {
      Term result = rest.front();
      for (const Term part : llvm::drop_begin(rest)) result = split(what, result, part);
      return result;
    }
  }
  if (width == 1 && what == Operator::kXor && has_number)
    return negation(rest.size() == 1 ? rest.front() : make(what, width, rest));
  if (has_number) rest.push_back(number(known));
  if (rest.size() == 1) return rest.front();
  if (what == Operator::kAdd) {
    if (const Term pieces = add_two_pieces(rest)) return pieces;
  }
  llvm::sort(rest, [](Term x, Term y) { return x->number < y->number; });
  return make(what, width, rest);
}

/// A product with a constant fits if the other number is in a range.
Term Terms::product_fits(Term x, const llvm::APInt& by, bool is_signed) {
  const unsigned width = x->width;
  if (by.isZero() || by.isOne()) return yes_;
  if (!is_signed) return negation(less(number(llvm::APInt::getMaxValue(width).udiv(by)), x, false));
  llvm::APInt least = llvm::APInt::getSignedMinValue(width), most = llvm::APInt::getSignedMaxValue(width);
  if (by.isAllOnes()) return negation(equal(x, number(least)));
  least = least.sdiv(by);
  most = most.sdiv(by);
  if (by.isNegative()) std::swap(least, most);
  return both(negation(less(x, number(least), true)), negation(less(number(most), x, true)));
}

Term Terms::compute(Operator what, Term x, Term y) {
  const unsigned width = x->width;
  const bool fits = what >= Operator::kAddFits;
  if (y->is_number() &&
      (what == Operator::kShiftLeft || what == Operator::kShiftRight || what == Operator::kSignedShiftRight))
    return shifted(what, x, y->value);
  if (what == Operator::kMultiply) {
    if (x->is_number()) std::swap(x, y);
    if (x->is_number()) return number(x->value * y->value);
    if (y->is_zero()) return y;
    if (y->is_number() && y->value.isOne()) return x;
    if (y->is_number() && y->value.isPowerOf2())
      return shifted(Operator::kShiftLeft, x, llvm::APInt(width, y->value.logBase2()));
    if (y->is_number() && x->what == Operator::kMultiply && x->parts[1]->is_number())
      return compute(what, x->parts[0], number(x->parts[1]->value * y->value));
    // A product of a sum and a constant becomes a sum of products, so that equal sums become equal formulas.
    if (y->is_number() && x->what == Operator::kAdd) {
      llvm::SmallVector<Term, 4> products;
      for (const Term part : x->parts) products.push_back(compute(what, part, y));
      return combine(Operator::kAdd, products);
    }
    if (!y->is_number() && y->number < x->number) std::swap(x, y);
  }
  if (x->is_number() && y->is_number()) return number(computed(what, x->value, y->value));
  if (what == Operator::kMultiplyFits || what == Operator::kSignedMultiplyFits) {
    if (x->is_number()) std::swap(x, y);
    if (y->is_number()) return product_fits(x, y->value, what == Operator::kSignedMultiplyFits);
    if (y->number < x->number) std::swap(x, y);
  }
  return make(what, fits ? 1 : width, {x, y});
}

bool Terms::is_wide_product(Term formula) {
  constexpr unsigned kWidestProduct = 16;
  switch (formula->what) {
    case Operator::kMultiply:
    case Operator::kMultiplyFits:
    case Operator::kSignedMultiplyFits:
    case Operator::kDivide:
    case Operator::kSignedDivide:
    case Operator::kRemainder:
    case Operator::kSignedRemainder:
      return formula->parts[0]->width > kWidestProduct && !formula->parts[1]->is_number();
    default:
      return false;
  }
}

bool Terms::has_wide_product(Term formula) { return has_part(formula, is_wide_product, with_wide_product_); }

bool Terms::has_part(Term formula, bool (*is_it)(Term), llvm::DenseMap<Term, bool>& known) {
  if (const auto found = known.find(formula); found != known.end()) return found->second;
  const bool has =
      is_it(formula) || llvm::any_of(formula->parts, [&](Term part) { return has_part(part, is_it, known); });
  return known[formula] = has;
}

}  // namespace autoshard::tool
