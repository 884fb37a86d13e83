#include "expression_grammar.h"

#include <string_view>
#include <vector>

namespace autoshard::test {
namespace {

/// `$e$` stands for another expression of type `int`. The plainest one comes first.
const std::vector<std::string>& expressions() {
  static const std::vector<std::string> kAll{
      // Literals and names.
      "1", "'a'", "0x1F", "1'000", "0b11u", "2.5", "1.5e3f", "L'x'", "u8'a'", "\"ab\"[0]", "true", "7_n",
      "kStep", "step()", "kPair[1]", "*kPair", "Colour::kGreen", "kHigh", "__func__[0]", "nullptr == nullptr",
      "__null == nullptr", "this != nullptr",
      // Operators.
      "-$e$", "+$e$", "~$e$", "!$e$", "$e$ + $e$", "$e$ * 3 - $e$", "$e$ & $e$", "$e$ / 3", "$e$ % 7",
      "$e$ << 1", "$e$ < $e$ ? $e$ : $e$", "$e$ ?: 2", "($e$, $e$)", "$e$ && $e$", "$e$ || $e$", "$e$ == $e$",
      "($e$ <=> $e$) < 0", "Ordered{$e$} < Ordered{$e$}", "(Ordered{$e$} <=> Ordered{1}) == 0",
      "Point{$e$}.*(&Point::x)", "(&static_cast<const Point&>(Point{}))->*(&Point::y)", "__real__ 3",
      "__imag__ 3", "__extension__ 3", "true ? 3 : throw 1",
      // Not evaluated.
      "sizeof($e$)", "sizeof(Point)", "sizeof(__func__)", "alignof(Point)", "__alignof($e$)", "noexcept($e$)",
      "typeid(int) == typeid(long)", "typeid($e$) == typeid(int)", "__builtin_offsetof(Point, y)",
      "Small<int>", "requires(Point p) { p.x; }",
      "requires { requires Small<int>; typename std::vector<int>::value_type; { $e$ } -> "
      "std::convertible_to<int>; }",
      "__is_same(int, int)", "__is_trivially_copyable(Point)", "__array_rank(int[2][3])",
      "__is_lvalue_expr(1)", "std::is_same_v<int, long>", "_Generic($e$, int: 1, default: 2)",
      // Conversions.
      "static_cast<long>($e$)", "(short)$e$", "int($e$)", "int{3}", "int()", "const_cast<const int&>(kStep)",
      "reinterpret_cast<std::uintptr_t>(nullptr)", "Convertible{}", "__builtin_bit_cast(int, 1.5f)",
      "dynamic_cast<const Derived*>(&static_cast<const Polymorphic&>(Polymorphic{})) != nullptr",
      // Temporaries and lists.
      "Point{}.x", "Point{$e$}.x", "Point{.y = $e$}.y", "Point($e$, 2).y", "((Point){$e$, 3}).y",
      "(const int[]){$e$, 2}[1]", "Based{{1, $e$}, 2}.z", "Nest{}.all[1]", "Nest{{$e$}}.at.x",
      "Nest{.at = {.x = $e$}, .all = {1}}.at.x", "Either{.u = 3}.u", "Handled{$e$}.n", "Handled().n",
      "Inherits($e$).n", "std::array<Point, 2>{Point{$e$, 1}, Point{}}[0].x",
      "std::array<Noted, 2>{Noted{\"a\", $e$}, Noted{\"b\"}}[1].n", "std::array{$e$, 2}[1]",
      "std::pair{$e$, 1}.first", "std::get<0>(std::tuple{$e$, 'x'})", "std::vector<int>{$e$, 2}.front()",
      "std::vector<Noted>{{\"a\", $e$}, {}}.back().n", "std::map<std::string, int>{{\"a\", $e$}}.size()",
      "std::string(\"ab\").at(0)", "std::string{}.empty()", "std::max({$e$, 2, 3})", "std::min($e$, 1)",
      "sum_of({$e$, 2})", "std::optional<int>{}.value_or($e$)", "*std::make_unique<int>($e$)",
      "std::visit([](auto n) { return static_cast<int>(n); }, std::variant<int, long>{$e$})",
      "std::chrono::seconds{$e$}.count()", "std::chrono::minutes{1} / std::chrono::seconds{2}",
      // Function objects and tags.
      "std::plus<int>{}($e$, $e$)", "std::negate<>{}($e$)", "std::less<>{}($e$, 2)",
      "std::hash<std::string>{}(\"x\") % 3", "tagged(std::is_integral<int>{})", "tagged(std::false_type{})",
      "std::is_integral<int>{}", "std::integral_constant<int, 3>()", "std::greater{}($e$, $e$)",
      "largest(std::vector<int>{1, $e$}, std::greater<int>{})", "Adder<int>{}($e$, 1)",
      // Lambdas.
      "[] { return 3; }()", "[](int n) { return n; }($e$)", "[=, n = $e$]() mutable { return ++n; }()",
      "[&, this] { return step(); }()", "[](auto... all) { return (all + ... + 0); }($e$, 1)",
      "[]<class... T>(T... n) { return static_cast<int>(sizeof...(T)) + (0 + ... + n); }(1, $e$)",
      "[]<class T>(T n) { return std::plus<T>{}(n, T{}); }($e$)",
      "[]<class T>(T n) { return Range<T>{n, T()}.from + Range<T>{.to = n}.to; }($e$)",
      "[] { int all[3] = {1, 2, 3}; auto [a, b, c] = all; return a + b + c; }()",
      "[] { int all[2] = {1, 2}; return [all] { return all[1]; }(); }()",
      "[](this auto self) { return sizeof(self); }()",
      "[](int n, ...) { __builtin_va_list all; __builtin_va_start(all, n); int one = __builtin_va_arg(all, "
      "int); "
      "__builtin_va_end(all); return one; }(1, $e$)",
      "[] { struct Local { int n = 4; int get() const { return n; } }; return Local{}.get(); }()",
      "[] { try { throw 3; } catch (int n) { return n; } }()",
      "[] { for (int i : {1, 2, 3}) if (i > 1) return i; return 0; }()",
      "[] { switch (int n = 2; n) { case 1 ... 3: return n; default: return 0; } }()",
      "[] { if constexpr (sizeof(int) == 4) return 1; else return 2; }()",
      "[] { if consteval { return 1; } else { return 2; } }()",
      "[] { int n = 0; do { if (++n == 2) continue; } while (n < 3); while (n > 2) { --n; break; } return n; "
      "}()",
      "[] { int* one = new int{3}; const int n = *one; delete one; delete[] new int[2]{1}; return n; }()",
      "[] { alignas(Point) char room[sizeof(Point)]; return (new (room) Point{1, 2})->y; }()",
      "[] { using T = int; int n = 1; n.~T(); return 2; }()",
      "[] { void* to = &&out; goto *to; out: return 1; }()",
      "[] { int n = 1; return __atomic_add_fetch(&n, 2, 0); }()",
      "[] { int n = 5; n += 2, n -= 1, n *= 3, n /= 2, n %= 9, n <<= 1, n >>= 1, n |= 4, n &= 7, n ^= 1; "
      "return n-- + --n; }()",
      "[]() -> Task { co_await std::suspend_never{}; co_yield 2; co_return; }().value",
      "({ int n = $e$; n + 1; })",
      // Of the compiler, and of its own kind of vectors.
      "__builtin_constant_p($e$)", "__builtin_expect($e$, 1)", "__builtin_LINE()", "__builtin_FUNCTION()[0]",
      "std::source_location::current().line()", "defaulted().line", "(Four{} + 1)[0]",
      "(Four{$e$, 2, 3, 4})[1]", "__builtin_shufflevector((Four){1, 2, 3, 4}, (Four){}, 0, 1, 2, 7)[1]",
      "__builtin_convertvector((Four){1}, Four)[0]",
      // Templates.
      "twice(2)", "folded<1, 2, 3>", "ruled<4>", "std::ranges::max(std::array{1, $e$})",
      "std::exchange(*std::make_unique<int>(1), $e$)", "std::invoke(&Point::x, Point{$e$})",
      "std::ratio<4, 2>::num", "std::numeric_limits<int>::digits"};
  return kAll;
}

/// `text` with an expression in each of its holes.
std::string with_expressions(std::string_view text, Choices& choices, int depth) {
  constexpr std::string_view kHole = "$e$";
  std::string result;
  for (std::size_t at = text.find(kHole); at != std::string_view::npos; at = text.find(kHole)) {
    result += std::string(text.substr(0, at)) + expression(choices, depth);
    text.remove_prefix(at + kHole.size());
  }
  return result + std::string(text);
}

}  // namespace

std::string types_of_expressions() {
  return R"(struct Point { int x = 0; int y = 0; };
struct Nest { Point at; int all[3] = {1, 2, 3}; };
struct Based : Point { int z = 0; };
union Either { int i; unsigned u; };
struct Noted { std::string name; int n = 2; };
struct Handled { Handled() = default; explicit Handled(int of) : n(of) {} ~Handled() {} int n = 1; };
struct Inherits : Handled { using Handled::Handled; };
struct Ordered { int n; auto operator<=>(const Ordered&) const = default; };
struct Convertible { constexpr operator int() const { return 3; } };
struct Polymorphic { virtual ~Polymorphic() = default; };
struct Derived : Polymorphic {};
struct Line { int line = __builtin_LINE(); };
inline Line defaulted(Line line = {}) { return line; }
inline int tagged(std::true_type) { return 1; }
inline int tagged(std::false_type) { return 2; }
inline int sum_of(std::initializer_list<int> all) { int sum = 0; for (int n : all) sum += n; return sum; }
template <class Order> int largest(std::vector<int> all, Order order) {
  std::sort(all.begin(), all.end(), order);
  return all.front();
}
consteval int twice(int n) { return 2 * n; }
constexpr int operator""_n(unsigned long long n) { return static_cast<int>(n); }
template <class T> concept Small = sizeof(T) <= 4;
template <int... kNs> constexpr int folded = (kNs + ... + 0);
template <int kN> requires(kN > 1) constexpr int ruled = kN;
typedef int Four __attribute__((vector_size(16)));
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    std::suspend_never yield_value(int) { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  int value = 5;
};
)";
}

std::string expression(Choices& choices, int depth) {
  const std::vector<std::string>& all = expressions();
  constexpr std::size_t kPlain = 20;  // the first ones hold no other
  const std::string& text = all[choices.below(depth > 0 ? all.size() : kPlain)];
  return "static_cast<int>(" + with_expressions(text, choices, depth - 1) + ")";
}

std::string idle_statement(Choices& choices) {
  const std::string text =
      choices.one_of({"static_cast<void>($e$);",
                      "[[maybe_unused]] const int any = $e$;",
                      "{ [[maybe_unused]] int any{$e$}; }",
                      "if ($e$ == 1) {}",
                      "if (const int any = $e$; any > 0) [[likely]] {} else {}",
                      "switch ($e$) { case 1: break; }",
                      "for (int i = $e$; i < 0; ++i) {}",
                      "for ([[maybe_unused]] int any : {$e$, $e$}) {}",
                      "while ($e$ < 0) break;",
                      "do {} while ($e$ < 0 && false);",
                      "asm volatile(\"\");",
                      "[[maybe_unused]] auto [one, other] = Point{$e$, $e$};",
                      "static_assert(sizeof($e$) > 0);",
                      "static_cast<void>(decltype($e$){});",
                      "goto behind; behind:;",
                      "[[maybe_unused]] constexpr int kAll[]{1, 2}; static_cast<void>(kAll);",
                      "std::vector<int> all{$e$, 1}; std::sort(all.begin(), all.end(), std::greater<int>{});",
                      "[[maybe_unused]] const std::array<Noted, 2> noted{Noted{\"x\", $e$}, Noted{}};",
                      "[[maybe_unused]] const Nest nest{.at = {$e$, $e$}};",
                      "using std::swap; int one = $e$, other = 2; swap(one, other);",
                      "enum Here { kHere = 3 }; static_cast<void>(kHere + $e$);",
                      "assert($e$ == $e$ || true);"});
  return with_expressions(text, choices, 3);
}

}  // namespace autoshard::test
