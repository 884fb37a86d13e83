/// Which statements are read as updates that may commute, and what is noticed beside them.

#include <gtest/gtest.h>

#include <algorithm>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct Case {
  std::string name;
  std::string body;      ///< of a method
  std::string expected;  ///< its updates, then the uses of members that belong to none
};

const Case kCases[] = {
    // Sums.
    {"Increment", "++n_;", "n_ add"},
    {"Decrement", "n_--;", "n_ add"},
    {"Add", "n_ += v;", "n_ add"},
    {"Subtract", "this->n_ -= 2 * v;", "n_ add"},
    {"Parentheses", "((n_)) += v;", "n_ add"},
    {"Discarded", "(void)++n_;", "n_ add"},
    {"Spelled", "n_ = n_ + v;", "n_ add"},
    {"SpelledBackwards", "n_ = v + n_;", "n_ add"},
    {"SpelledDifference", "n_ = n_ - v;", "n_ add"},
    {"Cast", "flags_ = static_cast<std::uint8_t>(flags_ + v);", "flags_ add"},
    {"Duration", "time_ += seconds;", "time_ add"},
    {"SpelledDuration", "time_ = time_ + seconds;", "time_ add"},
    {"Text", "text_ += name;", "text_ add"},
    {"ByKey", "hits_[name] += v;", "hits_ add by key"},
    {"IncrementByKey", "hits_[name]++;", "hits_ add by key"},
    {"ByIndex", "++list_[static_cast<std::size_t>(v)];", "list_ add by key"},
    {"Twice", "n_ += v, d_ += v;", "n_ add, d_ add"},
    {"Real", "d_ += 0.5 * v;", "d_ add"},
    // Other arithmetic.
    {"Multiply", "d_ *= v;", "d_ multiply"},
    {"SpelledProduct", "d_ = v * d_;", "d_ multiply"},
    {"Or", "flags_ |= static_cast<std::uint8_t>(v);", "flags_ or"},
    {"SpelledOr", "flags_ = static_cast<std::uint8_t>(flags_ | v);", "flags_ or"},
    {"And", "n_ &= ~v;", "n_ and"},
    {"Xor", "b_ ^= v > 0;", "b_ xor"},
    {"OrBits", "bits_ |= v;", "bits_ or"},
    {"AndBits", "bits_ &= ~std::bitset<8>(1);", "bits_ and"},
    {"XorBits", "bits_ ^= mask;", "bits_ xor"},
    {"SpelledXorOfBits", "bits_ = mask ^ bits_;", "bits_ xor"},
    {"SetBit", "bits_.set(0);", "bits_ or"},
    {"SetBitTo", "bits_.set(0, true); bits_.set(1, false);", "bits_ or, bits_ and"},
    {"SetAllBits", "bits_.set();", "bits_ or"},
    {"ResetBit", "bits_.reset(3);", "bits_ and"},
    {"ResetAllBits", "bits_.reset();", "bits_ and"},
    {"FlipBit", "this->bits_.flip(2);", "bits_ xor"},
    {"FlipAllBits", "bits_.flip();", "bits_ xor"},
    {"SetBitByKey", "masks_[name].set(1);", "masks_ or by key"},
    // Extremes.
    {"Max", "n_ = std::max(n_, v);", "n_ maximum"},
    {"MaxBackwards", "n_ = std::max(v, n_);", "n_ maximum"},
    {"Min", "n_ = std::min<int>(n_, v);", "n_ minimum"},
    {"IfGreater", "if (v > n_) n_ = v;", "n_ maximum"},
    {"IfGreaterBackwards", "if (n_ < v) { n_ = v; }", "n_ maximum"},
    {"IfNotLess", "if (v >= n_) n_ = v;", "n_ maximum"},
    {"IfLess", "if (v + 1 < n_) n_ = v + 1;", "n_ minimum"},
    {"Choice", "n_ = v > n_ ? v : n_;", "n_ maximum"},
    {"ChoiceOfMember", "n_ = n_ < v ? n_ : v;", "n_ minimum"},
    {"TextExtreme", "if (name > text_) text_ = name;", "text_ maximum"},
    {"DurationExtreme", "if (time_ < seconds) time_ = seconds;", "time_ maximum"},
    {"ExtremeOfNarrowerType", "if (v > wide_) wide_ = v;", "wide_ maximum"},
    {"MaxOfDuration", "time_ = std::max(time_, seconds);", "time_ maximum"},
    {"OnTheObject", "(*this).n_ += v;", "n_ add"},
    // Containers.
    {"Put", "hits_[name] = v;", "hits_ put"},
    {"PutOfAnyType", "groups_[name] = std::set<int>{v};", "groups_ put"},
    {"PutOrAssign", "hits_.insert_or_assign(name, v);", "hits_ put"},
    {"PutIntoList", "list_[0] = v;", "writes list_"},
    {"Insert", "set_.insert(v);", "set_ insert"},
    {"Emplace", "set_.emplace(v);", "set_ insert"},
    {"InsertByKey", "groups_[name].insert(v);", "groups_ insert by key"},
    {"Append", "list_.push_back(v);", "list_ append"},
    {"EmplaceBack", "list_.emplace_back(v);", "list_ append"},
    {"AppendMany", "list_.insert(list_.end(), {v, v});", "list_ append"},
    {"AppendInLoop", "for (int i = 0; i < v; ++n_) list_.push_back(i++);", "n_ add, list_ append"},
    {"Branches", "if (v > 0) ++n_; else if (v < 0) --n_;", "n_ add, n_ add"},
    {"Switch", "switch (v) { case 1: ++n_; break; default: n_ -= v; }", "n_ add, n_ add"},
    {"Try", "try { ++n_; } catch (...) { d_ += 1; throw; }", "n_ add, d_ add"},
    {"RangeFor", "for (char c : name) n_ += c;", "n_ add"},
    {"Conditional", "v > 0 ? ++n_ : --n_;", "n_ add, n_ add"},

    // What tells or needs something of the value.
    {"ValueIsUsed", "v = ++n_;", "writes n_"},
    {"ValueIsReturned", "return void(n_ += v), void();", "writes n_"},
    {"AddItself", "n_ += n_;", "n_ add, reads n_"},
    {"SumOfItself", "n_ = n_ + n_;", "writes n_, reads n_, reads n_"},
    {"SubtractFrom", "n_ = v - n_;", "writes n_, reads n_"},
    {"Guarded", "if (n_ > 0) --n_;", "n_ add, reads n_"},
    {"GuardedByOther", "if (b_) ++n_;", "n_ add, reads b_"},
    {"Inserted", "if (set_.insert(v).second) ++n_;", "n_ add, writes set_"},
    {"Fraction", "n_ += 0.5;", "writes n_"},
    {"SpelledFraction", "n_ = static_cast<int>(n_ + 0.5 * v);", "writes n_, reads n_"},
    {"MaxOfAnother", "if (v > n_) n_ = v + 1;", "reads n_, writes n_"},
    {"MaxWithElse", "if (v > n_) n_ = v; else ++v;", "reads n_, writes n_"},
    {"MaxOfTwoMembers", "d_ = std::max<double>(n_, v);", "writes d_, reads n_"},
    {"ExtremeOfWiderType", "if (long w = v; w > n_) n_ = static_cast<int>(w);", "reads n_, writes n_"},
    {"ExtremeOfOtherSign", "if (0U + v > size_) size_ = 0U + v; if (v > size_) size_ = v;",
     "size_ maximum, reads size_, writes size_"},
    {"InsertInFront", "list_.insert(list_.begin(), v);", "list_ insert, writes list_"},
    {"MaxOfWiderType", "n_ = static_cast<int>(std::max<long>(n_, v));", "writes n_, reads n_"},
    {"MaxByComparison", "n_ = std::max(n_, v, std::greater<int>{});", "writes n_, reads n_"},
    {"Clamp", "n_ = std::clamp(v, 0, n_);", "writes n_, reads n_"},
    {"Assign", "n_ = v;", "writes n_"},
    {"SetBitToAny", "bits_.set(0, v > 0);", "writes bits_"},
    {"SetBitOfItself", "bits_.set(bits_.count());", "bits_ or, reads bits_"},
    {"ShiftBits", "bits_ <<= 1;", "writes bits_"},
    {"TwoChangesOfBits", "bits_.set(1).reset(2);", "writes bits_"},
    {"AssignBit", "bits_[0] = true;", "writes bits_"},
    {"FlipReference", "bits_[0].flip();", "writes bits_"},
    {"ResetOfOptional", "optional_.reset();", "writes optional_"},
    {"Shift", "n_ <<= 1;", "writes n_"},
    {"Divide", "n_ /= 2;", "writes n_"},
    {"Text2", "text_ = name + text_;", "writes text_, reads text_"},
    {"Another", "other.n_ += v;", "writes n_"},
    {"Part", "pair_.first += v;", "writes pair_"},
    {"Clear", "set_.clear();", "writes set_"},
    {"Hint", "set_.insert(set_.begin(), v);", "set_ insert, reads set_"},
    {"SizeOfItself", "list_.push_back(static_cast<int>(list_.size()));", "list_ append, reads list_"},
    {"KeyOfItself", "hits_[name] = static_cast<int>(hits_.size());", "hits_ put, reads hits_"},
    {"At", "hits_.at(name) += v;", "writes hits_"},
    {"Reference", "auto& n = n_; ++n;", "writes n_"},
    {"Address", "int* n = &n_; ++*n;", "writes n_"},
    {"Lambda", "auto add = [this] { ++n_; }; add();", "writes n_"},
    {"Macro", "INCREMENT_POSITIVE(n_);", "reads n_, writes n_"},
    {"Users", "money_ += Money{v};", "writes money_"},
    {"UsersSet", "bag_.insert(v);", "writes bag_"},
};

std::string class_with_all() {
  std::string text =
      "#include <algorithm>\n#include <bitset>\n#include <chrono>\n#include <cstdint>\n"
      "#include <functional>\n#include <map>\n#include <optional>\n#include <set>\n#include "
      "<string>\n#include <vector>\n"
      "#define INCREMENT_POSITIVE(x) do { if (x > 0) ++x; } while (false)\n"
      "struct Money { int cents; Money& operator+=(Money m) { cents += m.cents; return *this; } };\n"
      "struct Bag { void insert(int); };\n"
      "class C {\n public:\n";
  for (const Case& one : kCases) {
    text += "  void " + one.name +
            "(int v, const std::string& name, std::chrono::seconds seconds, C& other, "
            "std::bitset<8> mask) { " +
            one.body + " }\n";
  }
  return text +
         " private:\n  int n_ = 0; long wide_ = 0; unsigned size_ = 0; bool b_ = false; double d_ = 0; "
         "std::uint8_t flags_ = 0; std::string "
         "text_;\n"
         "  std::chrono::seconds time_{}; std::set<int> set_; std::map<std::string, int> hits_;\n"
         "  std::map<std::string, std::set<int>> groups_; std::vector<int> list_; std::pair<int, int> "
         "pair_;\n"
         "  Money money_{}; Bag bag_; std::bitset<8> bits_; std::map<std::string, std::bitset<8>> masks_;\n"
         "  std::optional<int> optional_;\n};\n";
}

const char* name_of(Operation operation) {
  constexpr const char* kNames[] = {"add", "multiply", "maximum", "minimum", "or", "and",
                                    "xor", "insert",   "append",  "prepend", "put"};
  return kNames[static_cast<std::size_t>(operation)];
}

std::string described(const Method& method) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const Update& update : method.updates)
    add(update.member + " " + name_of(update.operation) + (update.by_key ? " by key" : ""));
  for (const MemberUse& use : method.uses) {
    const bool belongs = std::ranges::any_of(method.updates, [&](const Update& update) {
      return update.member == use.member && std::ranges::find(update.uses, use.span) != update.uses.end();
    });
    if (!belongs) add((use.write ? "writes " : "reads ") + use.member);
  }
  return text;
}

TEST(Updates, AreReadFromTheBody) {
  const Model model = parse_candidates(class_with_all());
  ASSERT_EQ(model.candidates.size(), 1U);
  const std::vector<Method>& methods = model.candidates.front().methods;
  ASSERT_EQ(methods.size(), std::size(kCases));
  for (std::size_t at = 0; at < methods.size(); ++at) {
    EXPECT_EQ(described(methods[at]), kCases[at].expected) << kCases[at].name << ": " << kCases[at].body;
  }
}

struct EffectCase {
  std::string body;
  std::string expected;
};

const EffectCase kEffects[] = {
    {"n_ += doubled(v) + kLimit + odd(v);", ""},
    {"n_ += static_cast<int>(name.size() + std::string(name).size()) + std::abs(v);", ""},
    {"list.push_back(v); n_ += std::accumulate(list.begin(), list.end(), 0);", ""},
    {"if (v < 0) throw std::invalid_argument(\"v\"); n_ += std::stoi(name) + log.size();", ""},
    {"int local = v; ++local; g(); this->g();", ""},
    {"notify(v);", "calls 'notify'"},
    {"total += v;", "uses the variable 'total'"},
    {"n_ += noted(v);", "calls 'noted', which uses the variable 'total'"},
    {"n_ += std::rand();", "calls 'rand'"},
    {"std::printf(\"%d\", v);", "calls 'printf'"},
    {"std::cout << v;", "uses the variable 'cout'"},
    {"n_ += std::chrono::system_clock::now() > std::chrono::system_clock::time_point{};", "calls 'now'"},
    {"log.write(v);", "calls 'write'"},
    {"pointer();", "calls a function that is only known when it runs"},
    {"call();", "calls 'operator()'"},
    {"std::for_each(list.begin(), list.end(), notify);", "calls 'notify'"},
    {"std::for_each(list.begin(), list.end(), [](int n) { notify(n); });", "calls 'notify'"},
};

TEST(Effects, AreWhateverMayBeMoreThanAComputation) {
  std::string methods;
  for (const EffectCase& one : kEffects) {
    methods +=
        "  void f(int v, const std::string& name, std::vector<int> list, const Log& log,\n"
        "         const std::function<void()>& call, void (*pointer)(), int (*)[" +
        std::to_string(&one - kEffects + 1) + "]) { " + one.body + " }\n";
  }
  const Model model = parse_candidates(
      "#include <algorithm>\n#include <chrono>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n"
      "#include <functional>\n#include <iostream>\n#include <numeric>\n#include <string>\n#include <vector>\n"
      "inline int total = 0;\nconst int kLimit = 3;\nvoid notify(int);\n"
      "inline int doubled(int n) { return 2 * n; }\ninline int noted(int n) { total += n; return n; }\n"
      "inline int even(int n); inline int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
      "inline int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
      "struct Log { void write(int) const; int size() const { return 0; } };\n"
      "class C {\n public:\n" +
      methods + "\n private:\n  void g() {}\n  int n_ = 0;\n};\n");
  ASSERT_EQ(model.candidates.size(), 1U);
  for (std::size_t at = 0; at < std::size(kEffects); ++at) {
    std::string text;
    for (const Escape& effect : model.candidates[0].methods[at].effects)
      text += (text.empty() ? "" : ", ") + effect.what;
    EXPECT_EQ(text, kEffects[at].expected) << kEffects[at].body;
  }
}

}  // namespace
}  // namespace autoshard::tool
