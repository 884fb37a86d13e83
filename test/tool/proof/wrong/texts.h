// Texts that are joined or chosen by their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace texts {

// wrong: concatenation is not commutative: "a" and "b" give "ab", and "b" and "a" give "ba"
class [[autoshard::entity]] Log {
 public:
  explicit Log(int job) : job_(job) {}
  [[autoshard::shard_method]] void write(const std::string& line) { text_ += line; }
  const std::string& text() const { return text_; }

 private:
  [[autoshard::shard_fold]] static std::string join(std::string x, std::string y) { return x + y; }

  [[autoshard::id]] int job_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::string text_;
};

// wrong: of two texts as long the left one stays: "cat" and "dog"
class [[autoshard::entity]] LongestWord {
 public:
  explicit LongestWord(int text) : text_(text) {}
  [[autoshard::shard_method]] void read(const std::string& word) { longest_ = longer(longest_, word); }
  const std::string& longest() const { return longest_; }

 private:
  [[autoshard::shard_fold]] static std::string longer(const std::string& a, const std::string& b) {
    return b.size() > a.size() ? b : a;
  }

  [[autoshard::id]] int text_;
  [[autoshard::shardable(neutral = std::string(), shards = 2)]] std::string longest_;
};

// wrong: the first text that is not empty wins
class [[autoshard::entity]] Title {
 public:
  explicit Title(int page) : page_(page) {}
  [[autoshard::shard_method]] void name(const std::string& title) {
    if (title_.empty()) title_ = title;
  }
  const std::string& title() const { return title_; }

 private:
  [[autoshard::shard_fold]] static std::string first(const std::string& a, const std::string& b) {
    return a.empty() ? b : a;
  }

  [[autoshard::id]] int page_;
  [[autoshard::shardable(neutral = "", shards = 2)]] std::string title_;
};

// wrong: "" is no identity of the minimum: "" and "b" give ""
class [[autoshard::entity]] FirstName {
 public:
  explicit FirstName(int class_number) : class_(class_number) {}
  [[autoshard::shard_method]] void enter(const std::string& name) { first_ = std::min(first_, name); }
  [[autoshard::shard_write]] void restart(const std::string& name) { first_ = name; }
  const std::string& first() const { return first_; }

 private:
  [[autoshard::shard_fold]] static std::string earlier(const std::string& a, const std::string& b) {
    return std::min(a, b);
  }

  [[autoshard::id]] int class_;
  [[autoshard::shardable(neutral = "", shards = 2)]] std::string first_ = "zzz";
};

// wrong: a comma stands between two texts, also where one of them is empty: "a," is not "a"
class [[autoshard::entity]] Keywords {
 public:
  explicit Keywords(int article) : article_(article) {}
  [[autoshard::shard_method]] void add(const std::string& word) { words_ = join(words_, word); }
  const std::string& words() const { return words_; }

 private:
  [[autoshard::shard_fold]] static std::string join(const std::string& a, const std::string& b) {
    return std::min(a, b) + "," + std::max(a, b);
  }

  [[autoshard::id]] int article_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::string words_;
};

// wrong: texts are cut to sixteen characters after they were joined
class [[autoshard::entity]] Preview {
 public:
  explicit Preview(int mail) : mail_(mail) {}
  [[autoshard::shard_method]] void append(const std::string& part) { text_ = join(text_, part); }
  const std::string& text() const { return text_; }

 private:
  [[autoshard::shard_fold]] static std::string join(const std::string& a, const std::string& b) {
    return (a + b).substr(0, 16);
  }

  [[autoshard::id]] int mail_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::string text_;
};

// wrong: the letters are sorted, but an update puts its letter at the end
class [[autoshard::entity]] Letters {
 public:
  explicit Letters(int game) : game_(game) {}
  [[autoshard::shard_method]] void guess(char letter) { letters_.push_back(letter); }
  std::size_t guesses() const { return letters_.size(); }

 private:
  [[autoshard::shard_fold]] static std::string merge(std::string a, const std::string& b) {
    a += b;
    std::sort(a.begin(), a.end());
    return a;
  }

  [[autoshard::id]] int game_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::string letters_;
};

}  // namespace texts
