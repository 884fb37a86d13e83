// Formulas that join, extract, shift and mask pieces of bits.
#include <llvm/ADT/STLExtras.h>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {
namespace {

/// The most pieces of a mask. A mask with more pieces is not split.
constexpr unsigned kMostPieces = 16;

/// The pieces of `x`, the highest first.
llvm::SmallVector<Term, 4> pieces_of(Term x) {
  if (x->what != Operator::kJoin) return {x};
  return {x->parts.begin(), x->parts.end()};
}

/// The ends of all pieces of formulas of one width, from the lowest bit. The last end is included.
llvm::SmallVector<unsigned, 8> boundaries(llvm::ArrayRef<Term> formulas) {
  llvm::SmallVector<unsigned, 8> ends;
  for (const Term formula : formulas) {
    unsigned end = 0;
    const llvm::SmallVector<Term, 4> pieces = pieces_of(formula);
    for (const Term piece : llvm::reverse(pieces)) ends.push_back(end += piece->width);
  }
  llvm::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

/// The number of the lowest bits of `x` that are known to be 0.
unsigned low_zeros(Term x) {
  if (x->is_number()) return x->value.countTrailingZeros();
  if (x->what != Operator::kJoin) return 0;
  const Term lowest = x->parts.back();
  return lowest->is_zero() ? lowest->width : low_zeros(lowest);
}

}  // namespace

Term Terms::join(llvm::ArrayRef<Term> given) {
  llvm::SmallVector<Term, 4> parts;
  unsigned width = 0;
  for (const Term one : given) {
    width += one->width;
    for (Term part : pieces_of(one)) {
      if (parts.empty()) {
        parts.push_back(part);
        continue;
      }
      const Term before = parts.back();
      const auto replace = [&](Term by) { parts.back() = by; };
      if (before->is_number() && part->is_number()) {
        replace(number(before->value.concat(part->value)));
      } else if (before->what == Operator::kExtract && part->what == Operator::kExtract &&
                 before->parts[0] == part->parts[0] && before->low == part->low + part->width) {
        replace(extract(part->parts[0], part->low, before->width + part->width));
      } else if (before->what == Operator::kExtract && before->low == part->width &&
                 extract(before->parts[0], 0, part->width) == part) {
        replace(extract(before->parts[0], 0, before->width + part->width));
      } else if (before->what == Operator::kChoice && part->what == Operator::kChoice &&
                 before->parts[0] == part->parts[0] && before->width > 1 && part->width > 1) {
        replace(choice(part->parts[0], join({before->parts[1], part->parts[1]}),
                       join({before->parts[2], part->parts[2]})));
      } else {
        parts.push_back(part);
      }
    }
  }
  // A composed piece may itself be a join.
  if (llvm::any_of(parts, [](Term part) { return part->what == Operator::kJoin; }) && parts.size() > 1)
    return join(parts);
  return parts.size() == 1 ? parts.front() : make(Operator::kJoin, width, parts);
}

Term Terms::extract(Term x, unsigned low, unsigned width) {
  if (low == 0 && width == x->width) return x;
  if (x->is_number()) return number(x->value.extractBits(width, low));
  const std::tuple key(x, low, width);
  if (const auto found = extracted_.find(key); found != extracted_.end()) return found->second;
  return extracted_[key] = extract_anew(x, low, width);
}

Term Terms::extract_anew(Term x, unsigned low, unsigned width) {
  switch (x->what) {
    case Operator::kExtract:
      return extract(x->parts[0], x->low + low, width);
    case Operator::kJoin: {
      llvm::SmallVector<Term, 4> parts;
      unsigned end = x->width;
      for (const Term part : x->parts) {
        const unsigned begin = end - part->width;
        const unsigned from = std::max(begin, low), to = std::min(end, low + width);
        if (from < to) parts.push_back(extract(part, from - begin, to - from));
        end = begin;
      }
      return join(parts);
    }
    case Operator::kChoice:
      return choice(x->parts[0], extract(x->parts[1], low, width), extract(x->parts[2], low, width));
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kXor:
    case Operator::kAdd: {
      if (x->what == Operator::kAdd && low != 0) break;
      llvm::SmallVector<Term, 4> parts;
      for (const Term part : x->parts) parts.push_back(extract(part, low, width));
      return combine(x->what, parts);
    }
    case Operator::kMultiply:
      if (low == 0 && width > 1)
        return compute(x->what, extract(x->parts[0], 0, width), extract(x->parts[1], 0, width));
      break;
    case Operator::kSignExtend:
      if (low + width <= x->parts[0]->width) return extract(x->parts[0], low, width);
      if (low == 0) return sign_extended(x->parts[0], width);
      break;
    default:
      break;
  }
  return make(Operator::kExtract, width, {x}, low);
}

Term Terms::zero_extended(Term x, unsigned width) {
  return width == x->width ? x : join({number(0, width - x->width), x});
}

Term Terms::sign_extended(Term x, unsigned width) {
  if (width == x->width) return x;
  if (x->is_number()) return number(x->value.sext(width));
  if (x->width == 1) return choice(x, number(llvm::APInt::getAllOnes(width)), number(0, width));
  if (x->what == Operator::kSignExtend) return sign_extended(x->parts[0], width);
  return make(Operator::kSignExtend, width, {x});
}

/// A bitwise operation, applied to each piece of two formulas.
Term Terms::split(Operator what, Term x, Term y) {
  llvm::SmallVector<Term, 4> pieces;
  unsigned begin = 0;
  for (const unsigned end : boundaries({x, y})) {
    pieces.push_back(combine(what, {extract(x, begin, end - begin), extract(y, begin, end - begin)}));
    begin = end;
  }
  std::reverse(pieces.begin(), pieces.end());
  return join(pieces);
}

/// A bitwise operation with a number: pieces that are constant, and pieces of `x`. Null if there are too many
/// pieces.
Term Terms::masked(Operator what, Term x, const llvm::APInt& mask) {
  if (what == Operator::kXor) return nullptr;
  llvm::SmallVector<Term, 4> pieces;
  for (unsigned begin = 0; begin < x->width;) {
    unsigned end = begin + 1;
    while (end < x->width && mask[end] == mask[begin]) ++end;
    if (pieces.size() == kMostPieces) return nullptr;
    const bool keeps = mask[begin] == (what == Operator::kAnd);
    pieces.push_back(keeps ? extract(x, begin, end - begin) : number(mask.extractBits(end - begin, begin)));
    begin = end;
  }
  std::reverse(pieces.begin(), pieces.end());
  return join(pieces);
}

/// Splits a sum in which at most one part has low bits other than 0. Its low bits are those of this part, and
/// its high bits are the sum of the high bits. Null if the sum is not of this kind.
Term Terms::add_two_pieces(llvm::ArrayRef<Term> parts) {
  const unsigned width = parts.front()->width;
  unsigned low = width;
  Term other = nullptr;
  for (const Term part : parts) {
    const unsigned zeros = low_zeros(part);
    if (zeros == 0) {
      if (other) return nullptr;
      other = part;
    } else {
      low = std::min(low, zeros);
    }
  }
  if (low == 0 || low >= width) return nullptr;
  llvm::SmallVector<Term, 4> high;
  for (const Term part : parts) high.push_back(extract(part, low, width - low));
  return join({combine(Operator::kAdd, high), other ? extract(other, 0, low) : number(0, low)});
}

Term Terms::equal_pieces(Term x, Term y) {
  Term result = yes_;
  unsigned begin = 0;
  for (const unsigned end : boundaries({x, y})) {
    result = both(result, equal(extract(x, begin, end - begin), extract(y, begin, end - begin)));
    begin = end;
  }
  return result;
}

Term Terms::shifted(Operator what, Term x, const llvm::APInt& by) {
  const unsigned width = x->width;
  if (by.isZero()) return x;
  const auto bits = static_cast<unsigned>(by.getLimitedValue(width));
  if (what == Operator::kSignedShiftRight) {
    const unsigned low = std::min(bits, width - 1);
    return sign_extended(extract(x, low, width - low), width);
  }
  if (bits == width) return number(0, width);
  return what == Operator::kShiftLeft ? join({extract(x, 0, width - bits), number(0, bits)})
                                      : join({number(0, bits), extract(x, bits, width - bits)});
}

}  // namespace autoshard::tool
