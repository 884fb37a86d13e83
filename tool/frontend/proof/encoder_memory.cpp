#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <optional>

#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/proof/encoder.h"

namespace autoshard::tool {
namespace {

/// The bytes of the followed keys, see tool/laws/trial/stand_ins/followed_values.h. They are input, at
/// offsets before the input of the law.
constexpr llvm::StringLiteral kFollowedKeys = "autoshard_followed_keys";
constexpr std::int64_t kPlaceOfKeys = -(std::int64_t{1} << 20);

/// The most places that one pointer may point to.
constexpr std::size_t kMostPlaces = 4096;

constexpr unsigned kAddressWidth = 64;

std::size_t constant_size(const llvm::Value* size) {
  const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(size);
  if (!number) give_up("a copy whose size is not constant");
  return number->getZExtValue();
}

}  // namespace

Pointer Encoder::pointer(const llvm::Value* value) {
  const auto found = pointers_.find(value);
  if (found != pointers_.end()) return found->second;
  if (llvm::isa<llvm::ConstantPointerNull>(value)) return {{terms_.yes(), nullptr, 0}};
  if (llvm::isa<llvm::Argument, llvm::GlobalVariable>(value)) return {{terms_.yes(), value, 0}};
  if (const auto* part = llvm::dyn_cast<llvm::GEPOperator>(value)) return element(*part);
  give_up("an address that is not known before the program runs");
}

/// The places that an address may mean. Each value of an index is one place.
Pointer Encoder::element(const llvm::GEPOperator& element) {
  StepsOfAddress indexes;
  llvm::APInt constant(kAddressWidth, 0);
  if (!element.collectOffset(layout_, kAddressWidth, indexes, constant))
    give_up("an index that is not a number");
  // Without `inbounds`, an address may lie outside of its variable for a while, until a constant moves it
  // back.
  if (!indexes.empty() && !element.isInBounds()) give_up("an index that is computed");
  Pointer places = pointer(element.getPointerOperand());
  for (Pointee& place : places) place.offset += constant.getSExtValue();
  std::size_t left = indexes.size();
  for (const auto& [index, scale] : indexes) {
    const bool stays_inside = --left == 0;
    places = indexed(places, *index, scale.getSExtValue(), stays_inside);
  }
  return places;
}

/// The size of a variable in bytes; nothing if it is unknown. It is unknown for the argument, and for a
/// variable without an initialiser here: that may be an array without a bound.
std::optional<std::int64_t> Encoder::size_of(const llvm::Value* variable) {
  if (memory_.has(variable)) return static_cast<std::int64_t>(memory_.bytes(variable).size());
  const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(variable);
  if (!global || !global->hasDefinitiveInitializer()) return std::nullopt;
  return static_cast<std::int64_t>(layout_.getTypeAllocSize(global->getValueType()).getFixedValue());
}

/// Whether the `size` bytes from `place` on are in its variable. True if the size of the variable is unknown.
bool Encoder::is_inside(const Pointee& place, std::int64_t size) {
  if (!place.base || place.offset < 0) return false;
  const std::optional<std::int64_t> whole = size_of(place.base);
  return !whole || place.offset + size <= *whole;
}

/// The places that are `index` steps of `step` bytes behind `places`. Leaves out places far outside of their
/// variable: they are undefined behaviour.
Pointer Encoder::indexed(const Pointer& places, const llvm::Value& index, std::int64_t step,
                         bool stays_inside) {
  const Computed number = exact(&index);
  const Term is_number = terms_.negation(number.poison);
  const unsigned width = index.getType()->getIntegerBitWidth();
  Pointer result;
  for (const Pointee& place : places) {
    const std::optional<std::int64_t> size = place.base ? size_of(place.base) : std::nullopt;
    if (!size) give_up("an index that is not constant");
    const std::int64_t least = stays_inside ? 0 : -*size, most = stays_inside ? *size : 2 * *size;
    const std::int64_t rounds = (most - least + std::abs(place.offset)) / std::abs(step) + 1;
    for (std::int64_t at = -rounds; at <= rounds; ++at) {
      const std::int64_t offset = place.offset + at * step;
      if (offset < least || offset > most) continue;
      const llvm::APInt as_number(kAddressWidth, static_cast<std::uint64_t>(at), true);
      if (width < kAddressWidth && !as_number.isSignedIntN(width)) continue;
      const Term is_it = terms_.equal(number.value, terms_.number(as_number.sextOrTrunc(width)));
      const Term when = terms_.both(terms_.both(place.when, is_number), is_it);
      if (when != terms_.no()) result.push_back({when, place.base, offset});
      if (result.size() > kMostPlaces) give_up("an index into a large array that is not constant");
    }
  }
  return result;
}

/// Excludes accesses outside of a variable, which are undefined behaviour.
void Encoder::check_pointer(const Pointer& pointer, std::size_t size) {
  Term inside = terms_.no();
  for (const Pointee& place : pointer) {
    if (is_inside(place, static_cast<std::int64_t>(size))) inside = terms_.either(inside, place.when);
  }
  exclude(terms_.negation(inside));
}

/// The bits of a part of the input. A number that is always read as a whole is one symbol. Otherwise, it is
/// composed of parts that were read before.
Term Encoder::input_bits(std::int64_t at, unsigned width) {
  const std::int64_t size = width / 8;
  auto next = input_.lower_bound(at);
  if (next != input_.end() && next->first == at && next->second->width == width) return next->second;
  if (next != input_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second->width / 8 > at) next = before;
  }
  if (next == input_.end() || next->first >= at + size)
    return input_[at] = terms_.symbol("in" + std::to_string(at), width);
  if (width > 8) {
    Term bits = input_bits(at, 8);
    for (std::int64_t byte = 1; byte < size; ++byte) bits = terms_.join({input_bits(at + byte, 8), bits});
    return bits;
  }
  return terms_.extract(next->second, static_cast<unsigned>(8 * (at - next->first)), 8);
}

Computed Encoder::constant_byte(const llvm::GlobalVariable& variable, std::int64_t at) {
  if (variable.getName() == kFollowedKeys) return {input_bits(kPlaceOfKeys + at, 8), terms_.no()};
  if (!variable.isConstant() || !variable.hasDefinitiveInitializer())
    give_up("the variable '" + variable.getName().str() + "', which may change");
  llvm::Type* const byte = llvm::Type::getInt8Ty(variable.getContext());
  const llvm::Constant* const value = llvm::ConstantFoldLoadFromConst(
      const_cast<llvm::Constant*>(variable.getInitializer()), byte,
      llvm::APInt(kAddressWidth, static_cast<std::uint64_t>(at), true), layout_);
  if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value))
    return {terms_.number(number->getValue()), terms_.no()};
  // The compiler leaves this byte undefined, such as a hole in its table for a `switch`.
  if (value && llvm::isa<llvm::UndefValue>(value))
    return {terms_.any(8), llvm::isa<llvm::PoisonValue>(value) ? terms_.yes() : terms_.no()};
  give_up("a constant that is no number");
}

Computed Encoder::byte(const Pointee& place, std::int64_t at) {
  if (llvm::isa<llvm::Argument>(place.base)) return {input_bits(place.offset + at, 8), terms_.no()};
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(place.base))
    return constant_byte(*variable, place.offset + at);
  Computed& byte = memory_.bytes(place.base)[static_cast<std::size_t>(place.offset + at)];
  if (!byte.value) byte = {terms_.any(8), terms_.no()};
  return byte;
}

Computed Encoder::byte(const Pointer& pointer, std::int64_t at) {
  Computed found;
  for (const Pointee& place : pointer) {
    if (!is_inside({place.when, place.base, place.offset + at}, 1)) continue;
    const Computed one = byte(place, at);
    found = found.value ? Computed{terms_.choice(place.when, one.value, found.value),
                                   terms_.choice(place.when, one.poison, found.poison)}
                        : one;
  }
  return found.value ? found : Computed{terms_.any(8), terms_.no()};
}

void Encoder::write(const Pointer& pointer, std::int64_t at, const Computed& byte) {
  for (const Pointee& place : pointer) {
    if (!place.base) continue;
    if (!memory_.has(place.base)) give_up("a write to memory of others");
    std::vector<Computed>& bytes = memory_.bytes(place.base);
    const auto index = static_cast<std::size_t>(place.offset + at);
    if (place.offset + at < 0 || index >= bytes.size()) continue;
    Computed& old = bytes[index];
    if (place.when == terms_.yes()) {
      old = byte;
      continue;
    }
    if (!old.value) old = {terms_.any(8), terms_.no()};
    old = {terms_.choice(place.when, byte.value, old.value),
           terms_.choice(place.when, byte.poison, old.poison)};
  }
}

void Encoder::load(const llvm::LoadInst& load) {
  const llvm::Type& type = *load.getType();
  if (load.isVolatile() || load.isAtomic()) give_up("a volatile or atomic variable");
  if (type.isPointerTy()) give_up("a value in memory that is no number");
  const unsigned width = width_of(load);
  const Pointer from = pointer(load.getPointerOperand());
  const unsigned size = (width + 7) / 8;
  if (from.size() == 1 && from[0].base && llvm::isa<llvm::Argument>(from[0].base) && width % 8 == 0)
    return set(load, input_bits(from[0].offset, width), terms_.no());
  if (from.size() == 1 && from[0].base && from[0].base->getName() == kFollowedKeys && width % 8 == 0)
    return set(load, input_bits(kPlaceOfKeys + from[0].offset, width), terms_.no());
  check_pointer(from, size);
  Computed value = byte(from, 0);
  for (unsigned at = 1; at < size; ++at) {
    const Computed next = byte(from, at);
    value = {terms_.join({next.value, value.value}), terms_.either(next.poison, value.poison)};
  }
  set(load, width % 8 == 0 ? value.value : terms_.extract(value.value, 0, width), value.poison);
}

void Encoder::store(const llvm::StoreInst& store) {
  if (store.isVolatile() || store.isAtomic()) give_up("a volatile or atomic variable");
  const llvm::Value* const stored = store.getValueOperand();
  if (stored->getType()->isPointerTy()) give_up("a value in memory that is no number");
  const unsigned width = width_of(*stored), size = (width + 7) / 8;
  const Computed value = computed(stored);
  const Term bits = terms_.zero_extended(value.value, size * 8);
  const Pointer to = pointer(store.getPointerOperand());
  check_pointer(to, size);
  for (unsigned at = 0; at < size; ++at)
    write(to, at, {size == 1 ? bits : terms_.extract(bits, 8 * at, 8), value.poison});
}

void Encoder::copy(const llvm::MemTransferInst& copy) {
  const std::size_t size = constant_size(copy.getLength());
  if (size == 0) return;
  const Pointer from = pointer(copy.getSource()), to = pointer(copy.getDest());
  check_pointer(from, size);
  check_pointer(to, size);
  std::vector<Computed> bytes;
  for (std::size_t at = 0; at < size; ++at) bytes.push_back(byte(from, static_cast<std::int64_t>(at)));
  for (std::size_t at = 0; at < size; ++at) write(to, static_cast<std::int64_t>(at), bytes[at]);
}

void Encoder::fill(const llvm::MemSetInst& fill) {
  const std::size_t size = constant_size(fill.getLength());
  if (size == 0) return;
  const Pointer to = pointer(fill.getDest());
  check_pointer(to, size);
  const Computed byte = computed(fill.getValue());
  for (std::size_t at = 0; at < size; ++at) write(to, static_cast<std::int64_t>(at), byte);
}

/// Translates `memcmp`, or `bcmp`, which only says whether two pieces of memory differ.
void Encoder::compare_memory(const llvm::CallInst& call, bool orders) {
  const std::size_t size = constant_size(call.getArgOperand(2));
  const Pointer x = pointer(call.getArgOperand(0)), y = pointer(call.getArgOperand(1));
  const unsigned width = call.getType()->getIntegerBitWidth();
  const Term same = terms_.number(0, width), above = terms_.number(1, width);
  const Term below = orders ? terms_.number(llvm::APInt::getAllOnes(width)) : above;
  if (size > 0) {
    check_pointer(x, size);
    check_pointer(y, size);
  }
  Term result = same, poison = terms_.no();
  for (std::size_t left = size; left > 0; --left) {
    const Computed a = byte(x, static_cast<std::int64_t>(left - 1)),
                   b = byte(y, static_cast<std::int64_t>(left - 1));
    check_exact(a.value);
    check_exact(b.value);
    const Term differing = orders ? terms_.choice(terms_.less(a.value, b.value, false), below, above) : above;
    result = terms_.choice(terms_.equal(a.value, b.value), result, differing);
    poison = terms_.either(poison, terms_.either(a.poison, b.poison));
  }
  set(call, result, poison);
}

}  // namespace autoshard::tool
