#pragma once

namespace autoshard::detail {

/// An object that each thread has for itself.
template <class T>
class OfThread {
 public:
  /// This thread's, made at its first use. Null once it is destroyed: other objects of the thread, and of the
  /// program, are destroyed later and may still get here.
  static T* get() {
    thread_local OfThread of_thread;
    return is_gone_ ? nullptr : &of_thread.object_;
  }

  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;

 private:
  OfThread() = default;
  ~OfThread() { is_gone_ = true; }

  static inline thread_local bool is_gone_ = false;  // needs no destructor, and so lasts
  T object_{};
};

}  // namespace autoshard::detail
