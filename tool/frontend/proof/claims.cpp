#include "tool/frontend/proof/claims.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>

#include "tool/frontend/proof/encoder.h"

namespace autoshard::tool {
namespace {

/// A function without defined behaviour for any value proves nothing.
constexpr const char* kNoMeaning = "undefined behaviour, such as an index out of bounds, for all values";

class Walker {
 public:
  Walker(llvm::Function& function, Terms& terms)
      : function_(function), terms_(terms), encoder_(function, terms) {}

  std::vector<Claim> claims() {
    bool returns = false;
    walk([&](const llvm::ReturnInst& result) {
      returns = returns || encoder_.here() != terms_.no();
      claim(result);
    });
    if (!returns) give_up("a call that always throws or ends the program");
    const Term defined = terms_.negation(encoder_.undefined());
    if (defined == terms_.no()) give_up(kNoMeaning);
    for (Claim& claim : claims_) claim.refuted = terms_.both(claim.refuted, defined);
    return std::move(claims_);
  }

  Returned returned() {
    Returned all{nullptr, terms_.no()};
    walk([&](const llvm::ReturnInst& result) {
      const Computed one = encoder_.computed(result.getReturnValue());
      encoder_.exclude(one.poison);
      all.value = all.value ? terms_.choice(encoder_.here(), one.value, all.value) : one.value;
      all.returns = terms_.either(all.returns, encoder_.here());
    });
    if (!all.value) give_up("a function that never returns");
    all.returns = terms_.both(all.returns, terms_.negation(encoder_.undefined()));
    return all;
  }

  const std::map<std::int64_t, Term>& input() const { return encoder_.input(); }
  bool rounds() const { return encoder_.rounds(); }

 private:
  template <class Take>
  void walk(Take take) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    reachable_.insert(order.begin(), order.end());
    for (const llvm::BasicBlock* block : order) {
      enter(*block);
      for (const llvm::Instruction& instruction : *block) {
        if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
          take(*result);
        } else {
          encoder_.step(instruction);
        }
      }
      memories_[block] = encoder_.memory();
    }
  }

  void enter(const llvm::BasicBlock& block) {
    if (block.isEntryBlock()) return encoder_.enter(block, terms_.yes(), {});
    Term here = terms_.no();
    Memory memory;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
    for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
      if (!reachable_.contains(from) || !seen.insert(from).second) continue;
      const auto known = memories_.find(from);
      if (known == memories_.end()) give_up("a loop whose number of rounds is not constant");
      const Encoder::Edge* const edge = encoder_.edge(from, &block);
      if (!edge) continue;
      memory.merge(known->second, edge->taken, terms_);
      here = terms_.either(here, edge->taken);
    }
    encoder_.enter(block, here, std::move(memory));
  }

  /// Adds the claims of a return. Each path to the return is one claim, and so is each part of a conjunction.
  /// A solver solves many short formulas sooner than a long one.
  void claim(const llvm::ReturnInst& result) {
    const llvm::Value* const value = result.getReturnValue();
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
    if (!phi || phi->getParent() != result.getParent()) return claim(value, encoder_.here(), terms_.yes());
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
    for (unsigned at = 0; at < phi->getNumIncomingValues(); ++at) {
      if (!seen.insert(phi->getIncomingBlock(at)).second) continue;
      const Encoder::Edge* const edge = encoder_.edge(phi->getIncomingBlock(at), phi->getParent());
      if (edge) claim(phi->getIncomingValue(at), edge->taken, edge->last);
    }
  }

  void claim(const llvm::Value* value, Term here, Term last) {
    using namespace llvm::PatternMatch;
    const llvm::Value *one = nullptr, *other = nullptr;
    if (match(value, m_LogicalAnd(m_Value(one), m_Value(other)))) {
      claim(one, here, last);
      const Computed first = encoder_.computed(one);
      return claim(other, terms_.both(here, terms_.both(first.value, terms_.negation(first.poison))), last);
    }
    const Computed result = encoder_.computed(value);
    if (result.poison == terms_.yes() && here != terms_.no()) give_up(kNoMeaning);
    const Term is_false = terms_.negation(result.value);
    add(terms_.both(last, is_false),
        terms_.both(here, terms_.both(is_false, terms_.negation(result.poison))));
  }

  void add(Term nearly, Term refuted) {
    const llvm::SmallVector<Term, 4> ways = terms_.alternatives(nearly);
    if (ways.size() > 1) {
      for (const Term way : ways) add(way, terms_.both(refuted, way));
      return;
    }
    nearly = terms_.by_cases(nearly);
    if (nearly != terms_.no() && refuted != terms_.no()) claims_.push_back({refuted, nearly});
  }

  llvm::Function& function_;
  Terms& terms_;
  Encoder encoder_;
  std::vector<Claim> claims_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> reachable_;
  llvm::DenseMap<const llvm::BasicBlock*, Memory> memories_;
};

}  // namespace

Claims claims_of(llvm::Function& function, Terms& terms) {
  Claims result;
  try {
    Walker walker(function, terms);
    result.claims = walker.claims();
    result.input = walker.input();
    result.rounds = walker.rounds();
  } catch (const Unfollowed& obstacle) {
    result.obstacle = obstacle.what;
  }
  return result;
}

Returned returned_by(llvm::Function& function, Terms& terms) {
  try {
    return Walker(function, terms).returned();
  } catch (const Unfollowed& unfollowed) {
    return {.obstacle = unfollowed.what};
  }
}

}  // namespace autoshard::tool
