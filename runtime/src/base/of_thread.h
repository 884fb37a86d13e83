#pragma once

namespace autoshard::detail {

/// An object of which each thread has its own.
template <class T>
class OfThread {
 public:
  /// Returns this thread's object, made at its first use. Null once the object is destroyed: other objects of
  /// the thread and of the program are destroyed later, and may still call this.
  static T* get() {
    thread_local OfThread of_thread;
    return is_gone_ ? nullptr : &of_thread.object_;
  }

  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;

 private:
  OfThread() = default;
  ~OfThread() { is_gone_ = true; }

  static inline thread_local bool is_gone_ = false;  // needs no destructor, so it outlives the object
  T object_{};
};

}  // namespace autoshard::detail
