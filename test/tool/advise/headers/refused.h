// A class for each reason not to suggest anything, and some of which there is
// nothing to say.
#pragma once

#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace refused {

inline int changes = 0;
void notify(const std::string& what);
inline int doubled(int n) { return 2 * n; }

class Bounded {
 public:
  bool book() { return seats_ > 0 ? --seats_, true : false; }
  void addTo(int n) { total_ = total_ + total_ * n; }

 private:
  int id_ = 0, seats_ = 10, total_ = 0;
};

class Dependent {
 public:
  void add(int n) {
    sum_ += n;
    squares_ += sum_ * n;
  }
  void charge(int n) { fees_ += n * rate_; }
  void both(int n) {
    mixed_ += n;
  }
  void scale(int n) { mixed_ *= n; }

 private:
  int id_ = 0, sum_ = 0, squares_ = 0, fees_ = 0, rate_ = 3, mixed_ = 1;
};

class Special {
 public:
  virtual ~Special() = default;
  virtual void virtual_() { ++overridden_; }
  template <class T>
  void template_(T n) {
    of_template_ += n;
  }
  int look() const {
    ++looks_;
    return 0;
  }
  void told() {
    ++told_;
    notify("told");
  }
  void counted() { ++counted_, ++changes; }
  void timed() { since_ += static_cast<long>(std::time(nullptr)); }
  void fraction(double n) { whole_ = static_cast<int>(whole_ + n); }
  int& leaked() { return leaked_; }
  void leak() { ++leaked_; }
  void add(int n) { fine_ += doubled(n); }

  void open() { ++open_; }

  int open_ = 0;

 private:
  friend void meddle(Special& special) { special.meddled_ = 0; }
  void meddle() { ++meddled_; }

  int id_ = 0;
  int overridden_ = 0;
  int of_template_ = 0;
  mutable int looks_ = 0;
  int told_ = 0;
  int counted_ = 0;
  long since_ = 0;
  int whole_ = 0;
  int leaked_ = 0;
  int meddled_ = 0;
  int fine_ = 0;
};

class Types {
 public:
  void write(const std::string& text) { log_ += text; }
  void set(const std::string& key, int value) { values_.emplace(key, value); }
  void slot(std::size_t at) { ++slots_[at]; }
  void product(int n) { product_ *= n; }
  void first(const std::string& name) {
    if (name < first_) first_ = name;
  }
  void step() { ++at_; }

 private:
  int id_ = 0;
  std::string log_;
  std::map<std::string, int> values_;
  std::vector<int> slots_;
  int product_ = 1;
  std::string first_ = "~";
  const char* at_ = nullptr;
};

class Locked {
 public:
  void hit() {
    ++hits_;
  }

 private:
  int id_ = 0;
  int hits_ = 0;
  std::mutex mutex_;
};

class Elsewhere {
 public:
  void add() { ++sum_; }
  void reset();
  void open();
  void close();
  int lock();

 private:
  int id_ = 0;
  int sum_ = 0;
};

class Constant {
 public:
  void add() { ++sum_; }

 private:
  const int id_ = 0;
  int sum_ = 0;
};

/// A law finds out: the lowest of its values is not the first.
enum class Heat { kHot = 3, kCold = 1, kWarm = 2 };
class Unordered {
 public:
  void heat(Heat heat) { hottest_ = heat < hottest_ ? hottest_ : heat; }

 private:
  int id_ = 0;
  Heat hottest_ = Heat::kCold;
};

class Ambiguous {
 public:
  void add() { ++sum_; }

 private:
  std::string given_name_, family_name_;
  int sum_ = 0;
};

class Keyless {
 public:
  void add() { ++sum_; }

 private:
  double size_ = 0;
  int sum_ = 0;
};

template <class T>
class Template {
 public:
  void add() { ++sum_; }

 private:
  T sum_{};
};

struct Open {
  void add() { ++sum; }
  int sum = 0;
};

class Idle {
 public:
  int sum() const { return sum_; }
  void set(int sum) { sum_ = sum; }

 private:
  int id_ = 0;
  int sum_ = 0;
};

}  // namespace refused
