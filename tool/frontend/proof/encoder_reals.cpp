// Instructions on floating-point numbers. Values that are not numbers (NaN) are ignored. Sums and products
// are taken to be exact.
#include <llvm/IR/Intrinsics.h>

#include "tool/frontend/proof/encoder.h"

namespace autoshard::tool {

namespace Intrinsic = llvm::Intrinsic;

Computed Encoder::real(const llvm::Value* value) {
  const Computed number = computed(value);
  if (!is_real(number.value)) give_up("the bits of a number that was rounded");
  return number;
}

/// Whether `number` is exact, or the result of operations on floating-point numbers. Bytes in memory may be
/// those of one number or of another.
bool Encoder::is_real(Term number) {
  if (!terms_.is_rounded(number) || Terms::is_real_operation(number)) return true;
  if (number->what == Operator::kChoice) return is_real(number->parts[1]) && is_real(number->parts[2]);
  if (number->what != Operator::kJoin) return false;
  for (const Term piece : number->parts) {
    if (piece->what != Operator::kChoice) continue;
    const Term condition = piece->parts[0];
    return is_real(terms_.substitute(number, condition, terms_.yes())) &&
           is_real(terms_.substitute(number, condition, terms_.no()));
  }
  return false;
}

Term Encoder::less_reals(Term x, Term y) {
  // Rounding may decide this comparison, and its two outcomes may differ a lot.
  if (terms_.is_rounded(x) || terms_.is_rounded(y)) give_up("a comparison of what has been rounded");
  return terms_.less(terms_.order_key(x), terms_.order_key(y), true);
}

void Encoder::compare_reals(const llvm::FCmpInst& comparison) {
  const Computed x = computed(comparison.getOperand(0)), y = computed(comparison.getOperand(1));
  const Term poison = terms_.either(x.poison, y.poison);
  const auto less = [&](bool swaps) {
    return swaps ? less_reals(y.value, x.value) : less_reals(x.value, y.value);
  };
  const auto equal = [&] { return terms_.negation(terms_.either(less(false), less(true))); };
  const auto holds = [&]() -> Term {
    switch (comparison.getPredicate()) {
      case llvm::CmpInst::FCMP_OEQ:
      case llvm::CmpInst::FCMP_UEQ:
        return equal();
      case llvm::CmpInst::FCMP_ONE:
      case llvm::CmpInst::FCMP_UNE:
        return terms_.negation(equal());
      case llvm::CmpInst::FCMP_OLT:
      case llvm::CmpInst::FCMP_ULT:
        return less(false);
      case llvm::CmpInst::FCMP_OGT:
      case llvm::CmpInst::FCMP_UGT:
        return less(true);
      case llvm::CmpInst::FCMP_OLE:
      case llvm::CmpInst::FCMP_ULE:
        return terms_.negation(less(true));
      case llvm::CmpInst::FCMP_OGE:
      case llvm::CmpInst::FCMP_UGE:
        return terms_.negation(less(false));
      case llvm::CmpInst::FCMP_ORD:
      case llvm::CmpInst::FCMP_TRUE:
        return terms_.yes();
      default:
        return terms_.no();
    }
  };
  set(comparison, holds(), poison);
}

/// Compares the two sides of a law. Sides that differ only in the order of operands are the same.
void Encoder::compare_results(const llvm::CallInst& call) {
  const Computed x = real(call.getArgOperand(0)), y = real(call.getArgOperand(1));
  if (call.getArgOperand(0) != call.getArgOperand(1))
    rounds_ = rounds_ || terms_.is_rounded(x.value) || terms_.is_rounded(y.value);
  set(call, terms_.equal(terms_.order_key(x.value), terms_.order_key(y.value)),
      terms_.either(x.poison, y.poison));
}

void Encoder::negate_real(const llvm::Instruction& negation) {
  const Computed x = real(negation.getOperand(0));
  const Term sign = terms_.number(llvm::APInt::getSignMask(width_of(negation)));
  // The other sign bit says more to a solver. A sum has to stay one.
  set(negation,
      terms_.is_rounded(x.value) ? terms_.negative_real(x.value)
                                 : terms_.combine(Operator::kXor, {x.value, sign}),
      x.poison);
}

void Encoder::compute_reals(const llvm::BinaryOperator& operation) {
  const Computed x = real(operation.getOperand(0)), y = real(operation.getOperand(1));
  const auto value = [&]() -> Term {
    switch (operation.getOpcode()) {
      case llvm::Instruction::FAdd:
        return terms_.combine_reals(Operator::kRealAdd, {x.value, y.value});
      case llvm::Instruction::FSub:
        return terms_.combine_reals(Operator::kRealAdd, {x.value, terms_.negative_real(y.value)});
      case llvm::Instruction::FMul:
        return terms_.combine_reals(Operator::kRealMultiply, {x.value, y.value});
      case llvm::Instruction::FDiv:
        return terms_.combine_reals(
            Operator::kRealMultiply,
            {x.value, terms_.convert(Operator::kRealInverse, y.value, y.value->width)});
      default:
        give_up(std::string("the operation '") + operation.getOpcodeName() + "'");
    }
  };
  width_of(operation);
  set(operation, value(), terms_.either(x.poison, y.poison));
}

Term Encoder::absolute(Term x, unsigned width) {
  const Term magnitude = terms_.number(llvm::APInt::getSignedMaxValue(width));
  if (!terms_.is_rounded(x)) return terms_.combine(Operator::kAnd, {x, magnitude});
  const Term is_negative = terms_.less(terms_.order_key(x), terms_.number(0, width), true);
  return terms_.choice(is_negative, terms_.negative_real(x), x);
}

bool Encoder::call_reals(const llvm::IntrinsicInst& call) {
  if (!call.getType()->isFloatTy() && !call.getType()->isDoubleTy()) return false;
  const unsigned width = width_of(call);
  const Computed x = real(call.getArgOperand(0));
  switch (call.getIntrinsicID()) {
    case Intrinsic::fabs:
      set(call, absolute(x.value, width), x.poison);
      return true;
    case Intrinsic::minnum:
    case Intrinsic::minimum:
    case Intrinsic::maxnum:
    case Intrinsic::maximum: {
      const bool least =
          call.getIntrinsicID() == Intrinsic::minnum || call.getIntrinsicID() == Intrinsic::minimum;
      const Computed y = real(call.getArgOperand(1));
      const Term is_first = least ? less_reals(x.value, y.value) : less_reals(y.value, x.value);
      set(call, terms_.choice(is_first, x.value, y.value), terms_.either(x.poison, y.poison));
      return true;
    }
    case Intrinsic::fmuladd:
    case Intrinsic::fma: {
      const Computed y = real(call.getArgOperand(1)), z = real(call.getArgOperand(2));
      const Term product = terms_.combine_reals(Operator::kRealMultiply, {x.value, y.value});
      set(call, terms_.combine_reals(Operator::kRealAdd, {product, z.value}),
          terms_.either(x.poison, terms_.either(y.poison, z.poison)));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace autoshard::tool
