#pragma once

/// A string that each supported compiler can evaluate, with any standard library.

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace autoshard_stand_ins {

class string {
  using View = ::std::string_view;

 public:
  using value_type = char;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using reference = char&;
  using const_reference = const char&;
  using iterator = char*;
  using const_iterator = const char*;
  using reverse_iterator = ::std::reverse_iterator<iterator>;
  using const_reverse_iterator = ::std::reverse_iterator<const_iterator>;
  static constexpr size_type npos = static_cast<size_type>(-1);

  constexpr string() : string(View()) {}
  constexpr string(const char* text) : string(View(text)) {}
  constexpr string(const char* text, size_type size) : string(View(text, size)) {}
  constexpr explicit string(View text) : characters_(new char[text.size() + 1]), size_(text.size()) {
    __builtin_memcpy(characters_, text.data(), size_);
    characters_[size_] = '\0';
  }
  constexpr string(size_type count, char character) : characters_(new char[count + 1]), size_(count) {
    for (size_type at = 0; at < size_; ++at) characters_[at] = character;
    characters_[size_] = '\0';
  }
  constexpr string(::std::initializer_list<char> list) : string(View(list.begin(), list.size())) {}
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr string(Iterator begin, Iterator end) : string() {
    for (; begin != end; ++begin) push_back(*begin);
  }
  constexpr string(const string& other, size_type at, size_type count = npos)
      : string(View(other).substr(at, count)) {}
  constexpr string(const string& other) : string(View(other)) {}
  constexpr string(string&& other) noexcept : string() { swap(other); }
  constexpr ~string() { delete[] characters_; }

  constexpr string& operator=(const string& other) { return assign(View(other)); }
  constexpr string& operator=(string&& other) noexcept {
    swap(other);
    return *this;
  }
  constexpr string& operator=(const char* text) { return assign(View(text)); }
  constexpr string& operator=(View text) { return assign(text); }
  constexpr string& operator=(char character) { return assign(View(&character, 1)); }
  constexpr string& assign(View text) { return replace(0, size_, text); }
  constexpr string& assign(size_type count, char character) { return *this = string(count, character); }
  constexpr void swap(string& other) noexcept {
    char* const characters = characters_;
    characters_ = other.characters_;
    other.characters_ = characters;
    const size_type size = size_;
    size_ = other.size_;
    other.size_ = size;
  }
  friend constexpr void swap(string& one, string& other) noexcept { one.swap(other); }

  constexpr operator View() const noexcept { return View(characters_, size_); }
  constexpr const char* c_str() const noexcept { return characters_; }
  constexpr const char* data() const noexcept { return characters_; }
  constexpr char* data() noexcept { return characters_; }
  constexpr size_type size() const noexcept { return size_; }
  constexpr size_type length() const noexcept { return size_; }
  constexpr size_type capacity() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr void reserve(size_type = 0) {}
  constexpr void shrink_to_fit() {}

  constexpr iterator begin() noexcept { return characters_; }
  constexpr iterator end() noexcept { return characters_ + size_; }
  constexpr const_iterator begin() const noexcept { return characters_; }
  constexpr const_iterator end() const noexcept { return characters_ + size_; }
  constexpr const_iterator cbegin() const noexcept { return begin(); }
  constexpr const_iterator cend() const noexcept { return end(); }
  constexpr reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  constexpr const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  constexpr const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }

  constexpr char& operator[](size_type at) { return characters_[at]; }
  constexpr const char& operator[](size_type at) const { return characters_[at]; }
  constexpr char& at(size_type at) { return at < size_ ? characters_[at] : throw ::std::out_of_range("at"); }
  constexpr const char& at(size_type at) const {
    return at < size_ ? characters_[at] : throw ::std::out_of_range("at");
  }
  constexpr char& front() { return characters_[0]; }
  constexpr const char& front() const { return characters_[0]; }
  constexpr char& back() { return characters_[size_ - 1]; }
  constexpr const char& back() const { return characters_[size_ - 1]; }

  constexpr void clear() { assign(View()); }
  constexpr void push_back(char character) { append(View(&character, 1)); }
  constexpr void pop_back() { erase(size_ - 1); }
  constexpr void resize(size_type size, char character = '\0') {
    if (size < size_) erase(size);
    if (size_ < size) append(size - size_, character);
  }
  constexpr string& append(View text) { return replace(size_, 0, text); }
  constexpr string& append(const char* text, size_type count) { return append(View(text, count)); }
  constexpr string& append(View text, size_type at, size_type count = npos) {
    return append(text.substr(at, count));
  }
  constexpr string& append(size_type count, char character) { return append(View(string(count, character))); }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr string& append(Iterator begin, Iterator end) { return append(View(string(begin, end))); }
  constexpr string& operator+=(View text) { return append(text); }
  constexpr string& operator+=(const string& text) { return append(View(text)); }
  constexpr string& operator+=(const char* text) { return append(View(text)); }
  constexpr string& operator+=(char character) { return append(View(&character, 1)); }
  constexpr string& insert(size_type at, View text) { return replace(at, 0, text); }
  constexpr string& insert(size_type at, size_type count, char character) {
    return replace(at, 0, View(string(count, character)));
  }
  constexpr iterator insert(const_iterator place, char character) {
    const size_type at = offset(place);
    replace(at, 0, View(&character, 1));
    return begin() + at;
  }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr iterator insert(const_iterator place, Iterator begin_of, Iterator end_of) {
    const size_type at = offset(place);
    replace(at, 0, View(string(begin_of, end_of)));
    return begin() + at;
  }
  constexpr string& erase(size_type at = 0, size_type count = npos) { return replace(at, count, View()); }
  constexpr iterator erase(const_iterator place) { return erase(place, place + 1); }
  constexpr iterator erase(const_iterator first, const_iterator last) {
    const size_type at = offset(first);
    replace(at, static_cast<size_type>(last - first), View());
    return begin() + at;
  }
  constexpr string& replace(size_type at, size_type count, View text) {
    if (at > size_) throw ::std::out_of_range("replace");
    const size_type left = size_ - at;
    const size_type dropped = count < left ? count : left;
    const size_type size = size_ - dropped + text.size();
    char* const characters = new char[size + 1];
    __builtin_memcpy(characters, characters_, at);
    __builtin_memcpy(characters + at, text.data(), text.size());
    __builtin_memcpy(characters + at + text.size(), characters_ + at + dropped, left - dropped);
    characters[size] = '\0';
    delete[] characters_;
    characters_ = characters;
    size_ = size;
    return *this;
  }

  constexpr string substr(size_type at = 0, size_type count = npos) const {
    return string(View(*this).substr(at, count));
  }
  constexpr int compare(View other) const { return View(*this).compare(other); }
  constexpr size_type find(View text, size_type at = 0) const { return View(*this).find(text, at); }
  constexpr size_type find(char character, size_type at = 0) const { return View(*this).find(character, at); }
  constexpr size_type rfind(View text, size_type at = npos) const { return View(*this).rfind(text, at); }
  constexpr size_type rfind(char character, size_type at = npos) const {
    return View(*this).rfind(character, at);
  }
  constexpr size_type find_first_of(View text, size_type at = 0) const {
    return View(*this).find_first_of(text, at);
  }
  constexpr size_type find_last_of(View text, size_type at = npos) const {
    return View(*this).find_last_of(text, at);
  }
  constexpr size_type find_first_not_of(View text, size_type at = 0) const {
    return View(*this).find_first_not_of(text, at);
  }
  constexpr size_type find_last_not_of(View text, size_type at = npos) const {
    return View(*this).find_last_not_of(text, at);
  }
  constexpr bool starts_with(View text) const { return View(*this).starts_with(text); }
  constexpr bool starts_with(char character) const { return View(*this).starts_with(character); }
  constexpr bool ends_with(View text) const { return View(*this).ends_with(text); }
  constexpr bool ends_with(char character) const { return View(*this).ends_with(character); }

  friend constexpr string operator+(const string& one, const string& other) {
    return string(one).append(View(other));
  }
  friend constexpr string operator+(const string& one, const char* other) {
    return string(one).append(View(other));
  }
  friend constexpr string operator+(const char* one, const string& other) {
    return string(one).append(View(other));
  }
  friend constexpr string operator+(const string& one, char other) {
    return string(one).append(View(&other, 1));
  }
  friend constexpr string operator+(char one, const string& other) {
    return string(View(&one, 1)).append(View(other));
  }
  friend constexpr bool operator==(const string& one, const string& other) {
    return one.size_ == other.size_ && __builtin_memcmp(one.characters_, other.characters_, one.size_) == 0;
  }
  friend constexpr bool operator==(const string& one, const char* other) { return View(one) == View(other); }
  friend constexpr bool operator==(const string& one, View other) { return View(one) == other; }
  friend constexpr ::std::strong_ordering operator<=>(const string& one, const string& other) {
    const size_type common = one.size_ < other.size_ ? one.size_ : other.size_;
    const int order = __builtin_memcmp(one.characters_, other.characters_, common);
    return order != 0 ? order <=> 0 : one.size_ <=> other.size_;
  }
  friend constexpr ::std::strong_ordering operator<=>(const string& one, const char* other) {
    return View(one) <=> View(other);
  }
  friend constexpr ::std::strong_ordering operator<=>(const string& one, View other) {
    return View(one) <=> other;
  }

 private:
  constexpr size_type offset(const_iterator place) const {
    return static_cast<size_type>(place - characters_);
  }

  char* characters_;
  size_type size_;
};

template <class Number>
constexpr string to_string(Number number) {
  if (number < 0) return "-" + to_string(0 - static_cast<unsigned long long>(number));
  string text(1, static_cast<char>('0' + number % 10));
  for (number /= 10; number > 0; number /= 10)
    text.insert(::std::size_t{0}, 1, static_cast<char>('0' + number % 10));
  return text;
}

}  // namespace autoshard_stand_ins
