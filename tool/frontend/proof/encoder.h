#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tool/frontend/proof/memory.h"
#include "tool/frontend/solver/solver.h"
#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// Translates the instructions of a function into formulas. Each instruction must come after the ones that it
/// depends on. All methods throw Unfollowed if formulas cannot express an instruction, or if there are too
/// many formulas.
class Encoder {
 public:
  Encoder(const llvm::Function& function, Terms& terms)
      : terms_(terms), layout_(function.getParent()->getDataLayout()), undefined_(terms.no()) {}

  /// Begins a block. The block is reached if `here` holds, and begins with `memory`.
  void enter(const llvm::BasicBlock& block, Term here, Memory memory);
  const Memory& memory() const { return memory_; }
  Term here() const { return here_; }

  /// The conditions under which control passes from one block to another. `taken` is the condition from the
  /// begin of the function. `last` is the condition of the last branch alone.
  struct Edge {
    Term taken = nullptr;
    Term last = nullptr;
  };
  const Edge* edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const;

  /// Translates any instruction except a return.
  void step(const llvm::Instruction& instruction);

  Computed computed(const llvm::Value* value);
  /// Notes that this place has undefined behaviour if `condition` holds.
  void exclude(Term condition) { undefined_ = terms_.either(undefined_, terms_.both(here_, condition)); }
  /// True for input for which the translated instructions have undefined behaviour.
  Term undefined() const { return undefined_; }
  /// Whether results were compared as if sums and products of floating-point numbers were exact. If so, the
  /// proof ignores rounding.
  bool rounds() const { return rounds_; }
  /// The input that was read, by its offset in bytes.
  const std::map<std::int64_t, Term>& input() const { return input_; }

 private:
  /// The width in bits of an integer or a floating-point number.
  static unsigned width_of(const llvm::Value& value);
  void end() { here_ = terms_.no(); }
  void set(const llvm::Instruction& instruction, Term value, Term poison);
  /// The value of `computed`, for an instruction that has undefined behaviour if the value is poison.
  Term known(const Computed& computed);

  /// The value of an integer that an instruction takes as a number. Sums of floating-point numbers are taken
  /// to be exact, so nothing is known of the bits of a rounded one.
  Computed exact(const llvm::Value* value);
  void check_exact(Term number);
  /// The value of a floating-point number. Nothing is known of one that is made of the bits of a rounded one.
  Computed real(const llvm::Value* value);
  bool is_real(Term number);

  void branch(const llvm::BranchInst& branch);
  void choose(const llvm::SwitchInst& choice);
  void connect(const llvm::BasicBlock* from, const llvm::BasicBlock* to, Term condition);
  void join(const llvm::PHINode& phi);
  void select(const llvm::SelectInst& select);
  void compare(const llvm::ICmpInst& comparison);
  void compare_pointers(const llvm::ICmpInst& comparison);
  void cast(const llvm::CastInst& cast);
  void access_part(const llvm::Instruction& access);
  void compute(const llvm::BinaryOperator& operation);
  Term remainder(Term x, const llvm::APInt& divisor, Term value, bool is_signed);
  void negate_real(const llvm::Instruction& negation);
  void compute_reals(const llvm::BinaryOperator& operation);
  void compare_reals(const llvm::FCmpInst& comparison);
  Term less_reals(Term x, Term y);
  Term absolute(Term x, unsigned width);
  void compare_results(const llvm::CallInst& call);

  void call(const llvm::CallInst& call);
  bool call_intrinsic(const llvm::IntrinsicInst& call);
  bool call_arithmetic(const llvm::IntrinsicInst& call);
  bool call_overflow(const llvm::IntrinsicInst& call);
  bool call_bits(const llvm::IntrinsicInst& call);
  bool call_reals(const llvm::IntrinsicInst& call);
  void compare_memory(const llvm::CallInst& call, bool orders);

  Pointer pointer(const llvm::Value* value);
  Pointer element(const llvm::GEPOperator& element);
  Pointer indexed(const Pointer& places, const llvm::Value& index, std::int64_t step, bool stays_inside);
  std::optional<std::int64_t> size_of(const llvm::Value* variable);
  bool is_inside(const Pointee& place, std::int64_t size);
  void check_pointer(const Pointer& pointer, std::size_t size);
  Computed byte(const Pointee& place, std::int64_t at);
  Computed byte(const Pointer& pointer, std::int64_t at);
  Term input_bits(std::int64_t at, unsigned width);
  Computed constant_byte(const llvm::GlobalVariable& variable, std::int64_t at);
  void write(const Pointer& pointer, std::int64_t at, const Computed& byte);
  void load(const llvm::LoadInst& load);
  void store(const llvm::StoreInst& store);
  void copy(const llvm::MemTransferInst& copy);
  void fill(const llvm::MemSetInst& fill);

  Terms& terms_;
  const llvm::DataLayout& layout_;
  Term undefined_;
  Term here_ = nullptr;
  bool rounds_ = false;
  Memory memory_;
  const llvm::BasicBlock* block_ = nullptr;
  llvm::DenseMap<const llvm::Value*, Computed> values_;
  llvm::DenseMap<const llvm::Value*, Pointer> pointers_;
  llvm::DenseMap<const llvm::Value*, std::pair<Computed, Computed>> pairs_;  ///< results, overflow bits
  std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, Edge> edges_;
  std::map<std::int64_t, Term> input_;
  std::unique_ptr<Solver> ranges_;
};

}  // namespace autoshard::tool
