#pragma once

/// Sets, maps and texts that a prover can follow. A container follows one key: whether it has this key, and
/// the value there. Each type of container has its own followed key, which may be any key. For other keys,
/// each answer of a container is unknown, and may be any. The prover cannot follow functions that are only
/// declared.

#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace autoshard_one_key {

/// A text. Only its order among texts is known. The empty text is the first.
class string {
 public:
  using value_type = char;
  using size_type = ::std::size_t;
  static constexpr size_type npos = static_cast<size_type>(-1);

  constexpr string() = default;
  explicit constexpr string(unsigned long long place) : place_(place) {}
  string(const char* text) : place_(place_of(text)) {}
  string(const char* text, size_type size) : place_(place_of(text, size)) {}
  string(size_type size, char filler);
  constexpr unsigned long long place() const { return place_; }

  constexpr bool empty() const { return place_ == 0; }
  constexpr void clear() { place_ = 0; }
  constexpr void swap(string& other) noexcept { ::std::swap(place_, other.place_); }
  friend constexpr bool operator==(const string&, const string&) = default;
  friend constexpr ::std::strong_ordering operator<=>(const string&, const string&) = default;
  friend bool operator==(const string& one, const char* other) { return one == string(other); }
  friend ::std::strong_ordering operator<=>(const string& one, const char* other) {
    return one <=> string(other);
  }

  size_type size() const;
  size_type length() const;
  const char* c_str() const;
  const char* data() const;
  char& operator[](size_type at);
  const char& operator[](size_type at) const;
  char& front();
  char& back();
  const char& front() const;
  const char& back() const;
  char* begin();
  char* end();
  const char* begin() const;
  const char* end() const;
  int compare(const string& other) const;
  size_type find(const string& other, size_type from = 0) const;
  size_type find(const char* other, size_type from = 0) const;
  size_type find(char other, size_type from = 0) const;
  bool starts_with(const char* other) const;
  bool starts_with(const string& other) const;
  bool ends_with(const char* other) const;
  bool ends_with(const string& other) const;
  string substr(size_type from = 0, size_type size = npos) const;
  string& append(const string& other);
  string& operator+=(const string& other);
  string& operator+=(const char* other);
  string& operator+=(char other);
  void push_back(char other);
  void pop_back();
  void resize(size_type size);
  void reserve(size_type size);
  friend string operator+(const string& one, const string& other);
  friend string operator+(const string& one, const char* other);
  friend string operator+(const char* one, const string& other);
  friend string operator+(const string& one, char other);

 private:
  /// The place of a short literal. Other texts are between any two literals.
  static unsigned long long place_of(const char* text);
  static unsigned long long place_of(const char* text, size_type size);

  unsigned long long place_ = 0;  // the place among all texts
};
string to_string(long long number);
string to_string(unsigned long long number);
string to_string(double number);

}  // namespace autoshard_one_key
