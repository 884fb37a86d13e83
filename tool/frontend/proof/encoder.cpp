#include "tool/frontend/proof/encoder.h"

#include <llvm/IR/Constants.h>
#include <llvm/Support/raw_ostream.h>

namespace autoshard::tool {
namespace {

/// The most steps of a solver to prove that a number is small.
constexpr unsigned kStepsOfARange = 100'000;

}  // namespace

unsigned Encoder::width_of(const llvm::Value& value) {
  const llvm::Type& type = *value.getType();
  if (type.isFloatTy() || type.isDoubleTy())
    return static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
  if (type.isFloatingPointTy()) give_up("a floating-point number that is neither float nor double");
  // The calling convention passes two floats as one vector.
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
      vector && !vector->getElementType()->isPointerTy())
    return static_cast<unsigned>(vector->getPrimitiveSizeInBits().getFixedValue());
  if (!type.isIntegerTy()) give_up("a value that is no number");
  return type.getIntegerBitWidth();
}

void Encoder::enter(const llvm::BasicBlock& block, Term here, Memory memory) {
  block_ = &block;
  here_ = here;
  memory_ = std::move(memory);
}

const Encoder::Edge* Encoder::edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
  const auto found = edges_.find({from, to});
  return found == edges_.end() ? nullptr : &found->second;
}

void Encoder::step(const llvm::Instruction& instruction) {
  const auto is_vector = [](const llvm::Value* value) { return value->getType()->isVectorTy(); };
  const bool computes =
      llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::UnaryOperator, llvm::CallInst>(
          &instruction) ||
      (llvm::isa<llvm::CastInst>(&instruction) && !llvm::isa<llvm::BitCastInst>(&instruction));
  if (computes && (is_vector(&instruction) || llvm::any_of(instruction.operand_values(), is_vector)))
    give_up("arithmetic of vectors");
  if (const auto* allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    const auto size = allocation->getAllocationSize(layout_);
    if (!size || size->isScalable()) give_up("a variable whose size is not constant");
    memory_.add(allocation, size->getFixedValue());
    pointers_[allocation] = {{terms_.yes(), allocation, 0}};
  } else if (const auto* element_of = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    pointers_[element_of] = pointer(element_of);
  } else if (const auto* loaded = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(*loaded);
  } else if (const auto* stored = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(*stored);
  } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    join(*phi);
  } else if (const auto* selected = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    select(*selected);
  } else if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    compare(*comparison);
  } else if (const auto* compared = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
    compare_reals(*compared);
  } else if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    negate_real(instruction);
  } else if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(&instruction)) {
    access_part(instruction);
  } else if (const auto* converted = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    cast(*converted);
  } else if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    compute(*operation);
  } else if (const auto* called = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    call(*called);
  } else if (const auto* branched = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    branch(*branched);
  } else if (const auto* chosen = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    choose(*chosen);
  } else if (llvm::isa<llvm::UnreachableInst>(&instruction)) {
    exclude(terms_.yes());
  } else if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) {
    const Computed value = computed(frozen->getOperand(0));
    set(instruction, terms_.choice(value.poison, terms_.any(width_of(*frozen)), value.value), terms_.no());
  } else if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const auto found = pairs_.find(part->getAggregateOperand());
    if (found == pairs_.end()) give_up("a value that is no number");
    values_[part] = part->getIndices().front() == 0 ? found->second.first : found->second.second;
  } else {
    give_up(std::string("the instruction '") + instruction.getOpcodeName() + "'");
  }
}

void Encoder::set(const llvm::Instruction& instruction, Term value, Term poison) {
  values_[&instruction] = {value, poison};
}

Computed Encoder::computed(const llvm::Value* value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return {terms_.number(number->getValue()), terms_.no()};
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value)) {
    width_of(*value);
    return {terms_.number(number->getValueAPF().bitcastToAPInt()), terms_.no()};
  }
  if (llvm::isa<llvm::PoisonValue>(value)) return {terms_.any(width_of(*value)), terms_.yes()};
  if (llvm::isa<llvm::UndefValue>(value)) return {terms_.any(width_of(*value)), terms_.no()};
  const auto found = values_.find(value);
  if (found != values_.end()) return found->second;
  width_of(*value);
  give_up("a value that is not known before the program runs");
}

Term Encoder::known(const Computed& term) {
  exclude(term.poison);
  return term.value;
}

Computed Encoder::exact(const llvm::Value* value) {
  const Computed number = computed(value);
  check_exact(number.value);
  return number;
}

void Encoder::check_exact(Term number) {
  if (terms_.is_rounded(number)) give_up("the bits of a number that was rounded");
}

void Encoder::connect(const llvm::BasicBlock* from, const llvm::BasicBlock* to, Term condition) {
  const Term taken = terms_.both(here_, condition);
  const auto [edge, is_new] = edges_.try_emplace({from, to}, Edge{taken, condition});
  if (!is_new)
    edge->second = {terms_.either(edge->second.taken, taken), terms_.either(edge->second.last, condition)};
}

void Encoder::branch(const llvm::BranchInst& branch) {
  if (branch.isUnconditional()) return connect(block_, branch.getSuccessor(0), terms_.yes());
  const Term condition = known(computed(branch.getCondition()));
  connect(block_, branch.getSuccessor(0), condition);
  connect(block_, branch.getSuccessor(1), terms_.negation(condition));
}

void Encoder::choose(const llvm::SwitchInst& choice) {
  const Term value = known(exact(choice.getCondition()));
  Term others = terms_.yes();
  for (const auto& one : choice.cases()) {
    const Term is_it = terms_.equal(value, terms_.number(one.getCaseValue()->getValue()));
    connect(block_, one.getCaseSuccessor(), is_it);
    others = terms_.both(others, terms_.negation(is_it));
  }
  connect(block_, choice.getDefaultDest(), others);
}

void Encoder::join(const llvm::PHINode& phi) {
  const bool is_pointer = phi.getType()->isPointerTy();
  Computed joined;
  Pointer places;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
  for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
    const llvm::BasicBlock* const from = phi.getIncomingBlock(at);
    const Edge* const way = edge(from, phi.getParent());
    if (!way || !seen.insert(from).second) continue;
    if (is_pointer) {
      for (Pointee place : pointer(phi.getIncomingValue(at))) {
        place.when = terms_.both(place.when, way->taken);
        if (place.when != terms_.no()) places.push_back(place);
      }
      continue;
    }
    const Computed value = computed(phi.getIncomingValue(at));
    joined = joined.value ? Computed{terms_.choice(way->taken, value.value, joined.value),
                                     terms_.choice(way->taken, value.poison, joined.poison)}
                          : value;
  }
  if (is_pointer) {
    pointers_[&phi] = std::move(places);
  } else {
    values_[&phi] = joined.value ? joined : Computed{terms_.any(width_of(phi)), terms_.no()};
  }
}

void Encoder::select(const llvm::SelectInst& select) {
  const Computed condition = computed(select.getCondition());
  if (select.getType()->isPointerTy()) {
    Pointer places;
    for (const bool is_true : {true, false}) {
      const Term chosen = is_true ? condition.value : terms_.negation(condition.value);
      const Term taken = terms_.both(chosen, terms_.negation(condition.poison));
      for (Pointee place : pointer(is_true ? select.getTrueValue() : select.getFalseValue())) {
        place.when = terms_.both(place.when, taken);
        if (place.when != terms_.no()) places.push_back(place);
      }
    }
    pointers_[&select] = std::move(places);
    return;
  }
  const Computed x = computed(select.getTrueValue()), y = computed(select.getFalseValue());
  set(select, terms_.choice(condition.value, x.value, y.value),
      terms_.either(condition.poison, terms_.choice(condition.value, x.poison, y.poison)));
}

void Encoder::compare_pointers(const llvm::ICmpInst& comparison) {
  if (!comparison.isEquality()) give_up("a comparison of addresses");
  Term are_equal = terms_.no(), are_known = terms_.no();
  const Pointer others = pointer(comparison.getOperand(1));
  for (const Pointee& one : pointer(comparison.getOperand(0))) {
    for (const Pointee& other : others) {
      const Term are_these = terms_.both(one.when, other.when);
      are_known = terms_.either(are_known, are_these);
      if (one.base == other.base && one.offset == other.offset)
        are_equal = terms_.either(are_equal, are_these);
    }
  }
  const bool asks_if_equal = comparison.getPredicate() == llvm::CmpInst::ICMP_EQ;
  set(comparison, asks_if_equal ? are_equal : terms_.negation(are_equal), terms_.negation(are_known));
}

void Encoder::compare(const llvm::ICmpInst& comparison) {
  if (comparison.getOperand(0)->getType()->isPointerTy()) return compare_pointers(comparison);
  const Computed x = exact(comparison.getOperand(0)), y = exact(comparison.getOperand(1));
  const Term a = x.value, b = y.value;
  const auto holds = [&] {
    switch (comparison.getPredicate()) {
      case llvm::CmpInst::ICMP_EQ:
        return terms_.equal(a, b);
      case llvm::CmpInst::ICMP_NE:
        return terms_.negation(terms_.equal(a, b));
      case llvm::CmpInst::ICMP_UGT:
        return terms_.less(b, a, false);
      case llvm::CmpInst::ICMP_UGE:
        return terms_.negation(terms_.less(a, b, false));
      case llvm::CmpInst::ICMP_ULT:
        return terms_.less(a, b, false);
      case llvm::CmpInst::ICMP_ULE:
        return terms_.negation(terms_.less(b, a, false));
      case llvm::CmpInst::ICMP_SGT:
        return terms_.less(b, a, true);
      case llvm::CmpInst::ICMP_SGE:
        return terms_.negation(terms_.less(a, b, true));
      case llvm::CmpInst::ICMP_SLT:
        return terms_.less(a, b, true);
      default:
        return terms_.negation(terms_.less(b, a, true));
    }
  };
  set(comparison, holds(), terms_.either(x.poison, y.poison));
}

void Encoder::cast(const llvm::CastInst& cast) {
  if (cast.getType()->isPointerTy() || cast.getOperand(0)->getType()->isPointerTy())
    give_up("an address that is taken for a number");
  const unsigned to = width_of(cast);
  // A number in two registers is cut into bytes.
  const bool takes_bits = llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(cast) || to % 8 != 0;
  const bool is_of_real = llvm::isa<llvm::FPExtInst, llvm::FPTruncInst>(cast);
  const llvm::Value* const operand = cast.getOperand(0);
  const Computed x = takes_bits ? exact(operand) : is_of_real ? real(operand) : computed(operand);
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      return set(cast, terms_.zero_extended(x.value, to), x.poison);
    case llvm::Instruction::SExt:
      return set(cast, terms_.sign_extended(x.value, to), x.poison);
    case llvm::Instruction::Trunc:
      return set(cast, terms_.extract(x.value, 0, to), x.poison);
    case llvm::Instruction::BitCast:
      return set(cast, x.value, x.poison);
    case llvm::Instruction::SIToFP:
      return set(cast, terms_.convert(Operator::kRealOfSigned, x.value, to), x.poison);
    case llvm::Instruction::UIToFP:
      return set(cast, terms_.convert(Operator::kRealOf, x.value, to), x.poison);
    case llvm::Instruction::FPExt:
      return set(cast, terms_.convert(Operator::kWiden, x.value, to), x.poison);
    case llvm::Instruction::FPTrunc:
      return set(cast, terms_.convert(Operator::kNarrow, x.value, to), x.poison);
    default:
      give_up(std::string("the conversion '") + cast.getOpcodeName() + "'");
  }
}

/// Reads or replaces an element of a vector. The first element has the lowest bits.
void Encoder::access_part(const llvm::Instruction& access) {
  const bool inserts = llvm::isa<llvm::InsertElementInst>(&access);
  const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(access.getOperand(inserts ? 2 : 1));
  if (!index) give_up("an index that is not constant");
  const Computed whole = computed(access.getOperand(0));
  const llvm::Value* const element = inserts ? access.getOperand(1) : &access;
  const unsigned width = width_of(*element);
  const auto low = static_cast<unsigned>(index->getZExtValue()) * width;
  if (low + width > whole.value->width) give_up("an index beyond the end");
  if (!inserts) return set(access, terms_.extract(whole.value, low, width), whole.poison);
  const Computed part = computed(access.getOperand(1));
  llvm::SmallVector<Term, 3> parts;
  if (const unsigned above = whole.value->width - low - width; above > 0)
    parts.push_back(terms_.extract(whole.value, low + width, above));
  parts.push_back(part.value);
  if (low > 0) parts.push_back(terms_.extract(whole.value, 0, low));
  const bool is_first = llvm::isa<llvm::UndefValue>(access.getOperand(0));
  if (part.poison != terms_.no() || (!is_first && whole.poison != terms_.no()))
    give_up("a vector of numbers that may have overflowed");
  set(access, terms_.join(parts), terms_.no());
}

/// Returns `value`, the remainder of `x` by a constant, or the same value computed by comparisons. A solver
/// handles comparisons better than a division. This form is possible if `x` is known to be below a small
/// multiple of the constant.
Term Encoder::remainder(Term x, const llvm::APInt& divisor, Term value, bool is_signed) {
  if (value->is_number() || divisor.isPowerOf2() || divisor.countLeadingZeros() < 4) return value;
  if (!ranges_) ranges_ = std::make_unique<Solver>(kStepsOfARange);
  const auto less_than = [&](Term number, const llvm::APInt& bound) {
    return terms_.less(number, terms_.number(bound), false);
  };
  for (const unsigned multiple : {2U, 4U}) {
    const Term beyond = terms_.negation(less_than(x, divisor * multiple));
    const Term possible = terms_.both(terms_.negation(undefined_), terms_.both(here_, beyond));
    if (ranges_->is_possible(possible) != false) continue;
    Term left = x;
    for (unsigned half = multiple / 2; half > 0; half /= 2) {
      const llvm::APInt part = divisor * half;
      left = terms_.choice(less_than(left, part), left, terms_.subtract(left, terms_.number(part)));
    }
    return left;
  }
  // This bound saves the solver from deriving the range of a remainder.
  const llvm::APInt most = divisor - 1;
  exclude(terms_.negation(is_signed ? less_than(terms_.add(value, terms_.number(most)), divisor + most)
                                    : less_than(value, divisor)));
  return value;
}

void Encoder::compute(const llvm::BinaryOperator& operation) {
  if (operation.getType()->isFloatingPointTy()) return compute_reals(operation);
  const unsigned width = width_of(operation);
  // Numbers that share a register are put together by shifts and masks.
  const bool computes = !operation.isShift() && !operation.isBitwiseLogicOp();
  const auto taken = [&](unsigned at) {
    return computes ? exact(operation.getOperand(at)) : computed(operation.getOperand(at));
  };
  const Computed x = taken(0), y = taken(1);
  const Term a = x.value, b = y.value;
  Term poison = terms_.either(x.poison, y.poison);
  const auto* const overflowing = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&operation);
  const auto must_fit = [&](Operator is_signed, Operator is_unsigned) {
    if (overflowing->hasNoSignedWrap())
      poison = terms_.either(poison, terms_.negation(terms_.compute(is_signed, a, b)));
    if (overflowing->hasNoUnsignedWrap())
      poison = terms_.either(poison, terms_.negation(terms_.compute(is_unsigned, a, b)));
  };
  const auto divide = [&](Operator what) {
    exclude(y.poison);
    exclude(terms_.equal(b, terms_.number(0, width)));
    return terms_.compute(what, a, b);
  };
  const auto shift = [&](Operator what) {
    poison = terms_.either(poison, terms_.negation(terms_.less(b, terms_.number(width, width), false)));
    return terms_.compute(what, a, b);
  };
  Term value = nullptr;
  switch (operation.getOpcode()) {
    case llvm::Instruction::And:
      value = terms_.both(a, b);
      break;
    case llvm::Instruction::Or:
      value = terms_.either(a, b);
      break;
    case llvm::Instruction::Xor:
      value = terms_.combine(Operator::kXor, {a, b});
      break;
    case llvm::Instruction::Add:
      value = terms_.add(a, b);
      if (width > 1) must_fit(Operator::kSignedAddFits, Operator::kAddFits);
      break;
    case llvm::Instruction::Sub:
      value = width == 1 ? terms_.add(a, b) : terms_.subtract(a, b);
      if (width > 1) must_fit(Operator::kSignedSubtractFits, Operator::kSubtractFits);
      break;
    case llvm::Instruction::Mul:
      if (width == 1) {
        value = terms_.both(a, b);
        break;
      }
      value = terms_.compute(Operator::kMultiply, a, b);
      must_fit(Operator::kSignedMultiplyFits, Operator::kMultiplyFits);
      break;
    case llvm::Instruction::UDiv:
      value = divide(Operator::kDivide);
      break;
    case llvm::Instruction::SDiv:
      value = divide(Operator::kSignedDivide);
      break;
    case llvm::Instruction::URem:
      value = divide(Operator::kRemainder);
      if (b->is_number()) value = remainder(a, b->value, value, false);
      break;
    case llvm::Instruction::SRem:
      value = divide(Operator::kSignedRemainder);
      if (b->is_number() && b->value.isStrictlyPositive()) value = remainder(a, b->value, value, true);
      break;
    case llvm::Instruction::Shl:
      value = shift(Operator::kShiftLeft);
      if (overflowing->hasNoSignedWrap())
        poison = terms_.either(
            poison, terms_.negation(terms_.equal(terms_.compute(Operator::kSignedShiftRight, value, b), a)));
      if (overflowing->hasNoUnsignedWrap())
        poison = terms_.either(
            poison, terms_.negation(terms_.equal(terms_.compute(Operator::kShiftRight, value, b), a)));
      break;
    case llvm::Instruction::LShr:
      value = shift(Operator::kShiftRight);
      break;
    case llvm::Instruction::AShr:
      value = shift(Operator::kSignedShiftRight);
      break;
    default:
      give_up(std::string("the operation '") + operation.getOpcodeName() + "'");
  }
  check_exact(poison);
  set(operation, value, poison);
}

}  // namespace autoshard::tool
