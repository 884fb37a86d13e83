// Formulas in which only the order of numbers matters.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <map>
#include <vector>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {
namespace {

bool is_extreme(Operator what) {
  return what == Operator::kLeast || what == Operator::kGreatest || what == Operator::kSignedLeast ||
         what == Operator::kSignedGreatest;
}

bool has_sign(Operator what) {
  return what == Operator::kSignedLess || what == Operator::kSignedLeast || what == Operator::kSignedGreatest;
}

/// Whether the value of the formula is the value of one of its parts.
bool is_chosen(Term formula) { return formula->what == Operator::kChoice || is_extreme(formula->what); }

/// Numbers that are compared with each other, or chosen from.
struct Group {
  bool has_signed = false, has_unsigned = false;
  unsigned unknown = 0;  ///< the number of values that are not constant
  std::vector<llvm::APInt> constants{};
  std::vector<std::uint64_t> ranks{};  ///< the ranks of the constants
  unsigned width = 0;                  ///< the bits that are needed to distinguish all values
};

/// Replaces each number by its rank in its group.
class Ranker {
 public:
  explicit Ranker(Terms& terms) : terms_(terms) {}

  Term run(Term formula) {
    read(formula);
    for (const Term each : order_) add_to_group(each);
    for (auto& [leader, group] : groups_) {
      if (group.has_signed && group.has_unsigned) return formula;
      rank(group, leader->width);
    }
    return ranked(formula);
  }

 private:
  Term leader(Term formula) {
    Term& parent = parents_.try_emplace(formula, formula).first->second;
    if (parent == formula) return formula;
    const Term found = leader(parent);
    parents_[formula] = found;
    return found;
  }
  void join(Term x, Term y) {
    const Term one = leader(x), other = leader(y);
    if (one != other) parents_[other] = one;
  }

  /// Joins the numbers that the formula compares into groups. Any other operation counts as one unknown
  /// number.
  void read(Term formula) {
    if (!seen_.insert({formula, true}).second) return;
    order_.push_back(formula);
    if (formula->width > 1 && !is_chosen(formula)) return;
    if (formula->width == 1 && is_opaque(formula)) return;
    for (const Term part : formula->parts) read(part);
    if (formula->width > 1) {
      for (const Term part : formula->parts) {
        if (part->width == formula->width) join(formula, part);
      }
    } else if (formula->parts.size() == 2 && formula->parts[0]->width > 1) {
      join(formula->parts[0], formula->parts[1]);
    }
  }

  /// Whether a truth value depends on more than the order of numbers.
  static bool is_opaque(Term formula) {
    switch (formula->what) {
      case Operator::kNot:
      case Operator::kAnd:
      case Operator::kOr:
      case Operator::kXor:
      case Operator::kChoice:
      case Operator::kEqual:
      case Operator::kLess:
      case Operator::kSignedLess:
        return false;
      default:
        return true;
    }
  }

  void add_to_group(Term formula) {
    const bool compares = formula->what == Operator::kLess || formula->what == Operator::kSignedLess;
    if (compares || (formula->width > 1 && is_extreme(formula->what))) {
      Group& group = groups_[leader(compares ? formula->parts[0] : formula)];
      (has_sign(formula->what) ? group.has_signed : group.has_unsigned) = true;
    }
    if (formula->width == 1 || is_chosen(formula)) return;
    Group& group = groups_[leader(formula)];
    if (formula->is_number()) {
      group.constants.push_back(formula->value);
    } else {
      ++group.unknown;
    }
  }

  /// Assigns ranks. Between two constants, the ranks leave room for all unknown numbers, as far as the range
  /// has room.
  static void rank(Group& group, unsigned width) {
    const bool is_signed = group.has_signed;
    llvm::sort(group.constants,
               [&](const llvm::APInt& x, const llvm::APInt& y) { return is_signed ? x.slt(y) : x.ult(y); });
    const llvm::APInt least =
        is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width);
    const llvm::APInt most =
        is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
    std::uint64_t rank = 0;
    for (std::size_t at = 0; at < group.constants.size(); ++at) {
      const llvm::APInt& constant = group.constants[at];
      rank += at == 0 ? (constant - least).getLimitedValue(group.unknown)
                      : 1 + (constant - group.constants[at - 1] - 1).getLimitedValue(group.unknown);
      group.ranks.push_back(rank);
    }
    rank +=
        (most - (group.constants.empty() ? least : group.constants.back())).getLimitedValue(group.unknown);
    group.width = std::max(2U, llvm::Log2_64(rank + 1) + 1);
  }

  Term ranked(Term formula) {
    if (const auto found = ranked_.find(formula); found != ranked_.end()) return found->second;
    return ranked_[formula] = write(formula);
  }

  Term write(Term formula) {
    const unsigned width = formula->width == 1 ? 1 : groups_[leader(formula)].width;
    if (formula->is_number()) return formula->width == 1 ? formula : rank_of(formula);
    const bool is_kept = formula->width == 1 ? !is_opaque(formula) : is_chosen(formula);
    if (!is_kept) return terms_.symbol("rank" + std::to_string(formula->number), width);
    llvm::SmallVector<Term, 4> parts;
    for (const Term part : formula->parts) parts.push_back(ranked(part));
    switch (formula->what) {
      case Operator::kNot:
        return terms_.negation(parts[0]);
      case Operator::kChoice:
        return terms_.choice(parts[0], parts[1], parts[2]);
      case Operator::kEqual:
        return terms_.equal(parts[0], parts[1]);
      case Operator::kLess:
      case Operator::kSignedLess:
        return terms_.less(parts[0], parts[1], false);
      case Operator::kSignedLeast:
        return terms_.combine(Operator::kLeast, parts);
      case Operator::kSignedGreatest:
        return terms_.combine(Operator::kGreatest, parts);
      default:
        return terms_.combine(formula->what, parts);
    }
  }

  Term rank_of(Term number) {
    const Group& group = groups_[leader(number)];
    const auto found = llvm::find(group.constants, number->value);
    return terms_.number(group.ranks[static_cast<std::size_t>(found - group.constants.begin())], group.width);
  }

  Terms& terms_;
  std::vector<Term> order_;
  std::map<Term, bool> seen_;
  llvm::DenseMap<Term, Term> parents_;
  std::map<Term, Group> groups_;
  llvm::DenseMap<Term, Term> ranked_;
};

}  // namespace

Term Terms::order_of(Term formula) { return Ranker(*this).run(formula); }

}  // namespace autoshard::tool
