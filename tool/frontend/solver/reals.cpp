// Formulas of floating-point numbers. Sums and products are those of exact numbers. Two that differ only in
// the order of their parts are the same formula. Their real results differ only by rounding.
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/STLExtras.h>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {
namespace {

const llvm::fltSemantics& semantics(unsigned width) {
  return width == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

llvm::APFloat real(const llvm::APInt& bits) { return {semantics(bits.getBitWidth()), bits}; }

llvm::APInt bits_of(double value, unsigned width) {
  llvm::APFloat number(value);
  bool loses = false;
  number.convert(semantics(width), llvm::APFloat::rmNearestTiesToEven, &loses);
  return number.bitcastToAPInt();
}

}  // namespace

Term Terms::combine_reals(Operator what, llvm::ArrayRef<Term> parts) {
  const unsigned width = parts.front()->width;
  const bool adds = what == Operator::kRealAdd;
  llvm::APFloat known = real(bits_of(adds ? 0 : 1, width));
  llvm::SmallVector<Term, 4> rest;
  const auto take = [&](Term part) {
    if (!part->is_number()) {
      rest.push_back(part);
    } else if (adds) {
      known = known + real(part->value);
    } else {
      known = known * real(part->value);
    }
  };
  for (const Term part : parts) {
    if (part->what == what && rest.size() + part->parts.size() <= kMostParts) {
      for (const Term inner : part->parts) take(inner);
    } else {
      take(part);
    }
  }
  const bool is_neutral = adds ? known.isZero() : known.isExactlyValue(1);
  if (!adds && known.isZero()) return number(0, width);
  const Term factor = number(known.bitcastToAPInt());
  if (rest.empty()) return factor;
  // A multiple of a sum is the sum of the multiples.
  if (!adds && !is_neutral && rest.size() == 1 && rest.front()->what == Operator::kRealAdd) {
    llvm::SmallVector<Term, 4> products;
    for (const Term part : rest.front()->parts) products.push_back(combine_reals(what, {part, factor}));
    return combine_reals(Operator::kRealAdd, products);
  }
  if (!is_neutral) rest.push_back(factor);
  if (rest.size() == 1) return rest.front();
  llvm::sort(rest, [](Term x, Term y) { return x->number < y->number; });
  return make(what, width, rest);
}

Term Terms::negative_real(Term x) {
  return combine_reals(Operator::kRealMultiply, {x, number(bits_of(-1, x->width))});
}

Term Terms::convert(Operator what, Term x, unsigned width) {
  if (what == Operator::kNarrow && x->what == Operator::kWiden && x->parts[0]->width == width)
    return x->parts[0];
  if (x->what == Operator::kChoice && what == Operator::kNarrow)
    return choice(x->parts[0], convert(what, x->parts[1], width), convert(what, x->parts[2], width));
  if (what == Operator::kNarrow && (x->what == Operator::kRealAdd || x->what == Operator::kRealMultiply)) {
    llvm::SmallVector<Term, 4> parts;
    for (const Term part : x->parts) parts.push_back(convert(what, part, width));
    return combine_reals(x->what, parts);
  }
  if (x->is_number() && (what == Operator::kWiden || what == Operator::kNarrow)) {
    llvm::APFloat value = real(x->value);
    bool loses = false;
    value.convert(semantics(width), llvm::APFloat::rmNearestTiesToEven, &loses);
    return number(value.bitcastToAPInt());
  }
  return make(what, width, {x});
}

Term Terms::order_key(Term x) {
  if (x->what == Operator::kChoice)
    return choice(x->parts[0], order_key(x->parts[1]), order_key(x->parts[2]));
  if (!x->is_number()) return make(Operator::kOrderKey, x->width, {x});
  if (x->value.isSignMask()) return number(0, x->width);
  // Negative numbers are in reverse order: the greater their bits, the less their value.
  return number(x->value.isNegative() ? x->value ^ llvm::APInt::getSignedMaxValue(x->width) : x->value);
}

bool Terms::is_rounded(Term formula) {
  const auto rounds = [](Term part) {
    return part->what == Operator::kRealAdd || part->what == Operator::kRealMultiply;
  };
  return has_part(formula, rounds, rounded_);
}

}  // namespace autoshard::tool
