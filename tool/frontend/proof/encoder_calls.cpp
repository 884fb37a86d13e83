#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Intrinsics.h>

#include "tool/frontend/proof/encoder.h"
#include "tool/frontend/proof/law_module.h"

namespace autoshard::tool {
namespace {

namespace Intrinsic = llvm::Intrinsic;

/// A function that returns any number, see tool/laws/trial/stand_ins/followed_values.h.
constexpr llvm::StringLiteral kUnknown = "autoshard_unknown";

/// `std::vector<int>::push_back` for its mangled name.
std::string name_of(const llvm::Function& function) {
  std::string name = llvm::demangle(function.getName());
  return name.substr(0, name.find('('));
}

}  // namespace

void Encoder::call(const llvm::CallInst& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (call_intrinsic(*intrinsic)) return;
  }
  if (call.isInlineAsm()) give_up("assembly");
  const llvm::Function* const function = call.getCalledFunction();
  if (!function) give_up("a call by a pointer");
  if (call.doesNotReturn() || function->doesNotReturn()) return end();
  if (function->getName() == "bcmp" || function->getName() == "memcmp")
    return compare_memory(call, function->getName() == "memcmp");
  if (llvm::StringRef(name_of(*function)).ends_with("autoshard_laws::same_reals"))
    return compare_results(call);
  if (function->getName() == kUnknown) return set(call, terms_.any(width_of(call)), terms_.no());
  if (function->isDeclaration()) give_up("a call of '" + name_of(*function) + "', whose body is not at hand");
  give_up("a call of '" + name_of(*function) + "', which could not be inlined");
}

bool Encoder::call_intrinsic(const llvm::IntrinsicInst& call) {
  if (const auto* copied = llvm::dyn_cast<llvm::MemTransferInst>(&call)) return copy(*copied), true;
  if (const auto* filled = llvm::dyn_cast<llvm::MemSetInst>(&call)) return fill(*filled), true;
  switch (call.getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
      return true;
    case Intrinsic::assume:
      exclude(terms_.negation(computed(call.getArgOperand(0)).value));
      return true;
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
      return end(), true;
    default:
      return call_arithmetic(call) || call_overflow(call) || call_bits(call) || call_reals(call);
  }
}

bool Encoder::call_arithmetic(const llvm::IntrinsicInst& call) {
  if (call.arg_size() < 2 || !call.getType()->isIntegerTy()) return false;
  const unsigned width = call.getType()->getIntegerBitWidth();
  const Computed x = exact(call.getArgOperand(0)), y = exact(call.getArgOperand(1));
  const Term a = x.value, b = y.value;
  Term poison = terms_.either(x.poison, y.poison);
  const Term zero = terms_.number(0, width);
  const auto value = [&]() -> Term {
    const Intrinsic::ID id = call.getIntrinsicID();
    switch (id) {
      case Intrinsic::smin:
        return terms_.combine(Operator::kSignedLeast, {a, b});
      case Intrinsic::smax:
        return terms_.combine(Operator::kSignedGreatest, {a, b});
      case Intrinsic::umin:
        return terms_.combine(Operator::kLeast, {a, b});
      case Intrinsic::umax:
        return terms_.combine(Operator::kGreatest, {a, b});
      case Intrinsic::abs:
        poison = x.poison;
        return terms_.choice(terms_.less(a, zero, true), terms_.negative(a), a);
      case Intrinsic::scmp:
      case Intrinsic::ucmp: {
        const bool is_signed = id == Intrinsic::scmp;
        const Term above = terms_.choice(terms_.less(b, a, is_signed), terms_.number(1, width), zero);
        return terms_.choice(terms_.less(a, b, is_signed), terms_.number(llvm::APInt::getAllOnes(width)),
                             above);
      }
      case Intrinsic::uadd_sat:
        return terms_.choice(terms_.compute(Operator::kAddFits, a, b), terms_.add(a, b),
                             terms_.number(llvm::APInt::getAllOnes(width)));
      case Intrinsic::usub_sat:
        return terms_.choice(terms_.less(a, b, false), zero, terms_.subtract(a, b));
      case Intrinsic::sadd_sat: {
        const Term limit =
            terms_.choice(terms_.less(a, zero, true), terms_.number(llvm::APInt::getSignedMinValue(width)),
                          terms_.number(llvm::APInt::getSignedMaxValue(width)));
        return terms_.choice(terms_.compute(Operator::kSignedAddFits, a, b), terms_.add(a, b), limit);
      }
      default:
        return nullptr;
    }
  };
  const Term result = value();
  if (result) set(call, result, poison);
  return result != nullptr;
}

/// Translates a sum, a difference or a product with an overflow bit. Returns false for other calls.
bool Encoder::call_overflow(const llvm::IntrinsicInst& call) {
  const auto* const checked = llvm::dyn_cast<llvm::WithOverflowInst>(&call);
  if (!checked) return false;
  const Computed x = exact(checked->getLHS()), y = exact(checked->getRHS());
  const Term a = x.value, b = y.value;
  const bool is_signed = checked->isSigned();
  Term value = nullptr;
  Operator fits = Operator::kAddFits;
  switch (checked->getBinaryOp()) {
    case llvm::Instruction::Add:
      value = terms_.add(a, b);
      fits = is_signed ? Operator::kSignedAddFits : Operator::kAddFits;
      break;
    case llvm::Instruction::Sub:
      value = terms_.subtract(a, b);
      fits = is_signed ? Operator::kSignedSubtractFits : Operator::kSubtractFits;
      break;
    default:
      value = terms_.compute(Operator::kMultiply, a, b);
      fits = is_signed ? Operator::kSignedMultiplyFits : Operator::kMultiplyFits;
      break;
  }
  const Term poison = terms_.either(x.poison, y.poison);
  pairs_[&call] = {{value, poison}, {terms_.negation(terms_.compute(fits, a, b)), poison}};
  return true;
}

bool Encoder::call_bits(const llvm::IntrinsicInst& call) {
  if (call.arg_size() < 1 || !call.getType()->isIntegerTy()) return false;
  const unsigned width = call.getType()->getIntegerBitWidth();
  if (width == 1) return false;
  switch (const Intrinsic::ID id = call.getIntrinsicID()) {
    case Intrinsic::ctpop: {
      const Computed x = computed(call.getArgOperand(0));
      Term sum = terms_.number(0, width);
      for (unsigned at = 0; at < width; ++at)
        sum = terms_.add(sum, terms_.zero_extended(terms_.bit(x.value, at), width));
      set(call, sum, x.poison);
      return true;
    }
    case Intrinsic::ctlz:
    case Intrinsic::cttz: {
      const Computed x = computed(call.getArgOperand(0));
      Term zeros = terms_.number(width, width);
      // The choice for the first bit is made last, around the others.
      for (unsigned step = 0; step < width; ++step) {
        const unsigned at = id == Intrinsic::ctlz ? step : width - 1 - step;
        const unsigned before = width - 1 - step;
        zeros = terms_.choice(terms_.bit(x.value, at), terms_.number(before, width), zeros);
      }
      set(call, zeros, x.poison);
      return true;
    }
    case Intrinsic::bswap: {
      const Computed x = computed(call.getArgOperand(0));
      Term swapped = terms_.extract(x.value, 0, 8);
      for (unsigned at = 8; at < width; at += 8)
        swapped = terms_.join({swapped, terms_.extract(x.value, at, 8)});
      set(call, swapped, x.poison);
      return true;
    }
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
      const Computed x = computed(call.getArgOperand(0)), y = computed(call.getArgOperand(1));
      const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
      if (!constant) {
        const Computed amount = computed(call.getArgOperand(2));
        const Term by = terms_.zero_extended(
            terms_.compute(Operator::kRemainder, amount.value, terms_.number(width, width)), 2 * width);
        const Term both = terms_.join({x.value, y.value});
        const bool left = id == Intrinsic::fshl;
        set(call,
            terms_.extract(terms_.compute(left ? Operator::kShiftLeft : Operator::kShiftRight, both, by),
                           left ? width : 0, width),
            terms_.either(amount.poison, terms_.either(x.poison, y.poison)));
        return true;
      }
      const auto by = static_cast<unsigned>(constant->getValue().urem(width));
      const unsigned low = id == Intrinsic::fshl ? width - by : by;
      set(call, terms_.extract(terms_.join({x.value, y.value}), low, width),
          terms_.either(x.poison, y.poison));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace autoshard::tool
