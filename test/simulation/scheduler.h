#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard::simulation {

using Time = std::chrono::nanoseconds;

/// Runs threads one at a time, in an order that a seed decides, on a clock that stands still while they do
/// and goes on to the next timer when none can. One for a process of the operating system.
///
/// Threads are those of the operating system, so that what is of a thread, and sanitizers, are as ever; each
/// waits for its turn. They belong to simulated *processes*: one can be killed, then its threads never go on.
class Scheduler {
 public:
  /// Told what went wrong; does not return.
  using Fail = std::function<void(const std::string&)>;

  /// Its maker is the first thread, of process 0. A run that takes more steps fails. At each point another
  /// goes on with the probability of one to `seldom`.
  Scheduler(std::uint64_t seed, std::uint64_t seldom, bool verbose, Fail fail,
            std::uint64_t most_steps = 3'000'000);

  static Scheduler& get() { return *current_; }

  /// Another thread may go on here.
  static void point() {
    if (current_) current_->maybe_switch();
  }
  static void notify(const void* at, int threads) {
    if (current_) current_->wake(at, threads);
  }

  Time time() const { return time_; }
  Time system_time() const { return system_time(process()); }
  /// The system's clock of a process goes wrong by so much more.
  void move_clock(int process, Time by);
  /// The earliest and the latest that the system's clock of a process has shown between two times.
  std::pair<Time, Time> system_times(int process, Time from, Time to) const;
  /// The latest that the system's clock of any process has shown.
  Time latest_system_time();

  std::uint64_t random();
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : random() % bound; }
  bool chance(double probability) {
    return probability > 0 && static_cast<double>(random() >> 11) < probability * 0x1p53;
  }

  void sleep(Time time);
  /// Until it is notified at the same address, or that time; or for no reason.
  void wait(const void* at, Time until = Time::max());

  /// A thread of this one's process, or of another. Returns its number.
  int start(std::function<void()> run, int process = kOwn, std::string name = "runtime");
  void join(int thread);

  int new_process() { return processes_++; }
  /// Its threads, none of which is the caller, never go on.
  void kill(int process);
  bool is_alive(int process) const {
    const auto its = static_cast<std::size_t>(process);
    return its >= dead_.size() || !dead_[its];
  }
  int process() const { return threads_[running_]->process; }

  [[noreturn]] void fail(const std::string& what);

  /// Adds to the trace, whose hash tells two runs apart.
  template <class... Words>
  void trace(const Words&... words) {
    note(static_cast<std::uint64_t>(time_.count()));
    note(running_);
    (note(words), ...);
    if (verbose_) {
      begin_line();
      (append(words), ...);
    }
  }
  std::uint64_t trace_hash() const { return hash_; }
  const std::vector<std::string>& lines() const { return lines_; }
  bool is_verbose() const { return verbose_; }

 private:
  static constexpr int kOwn = -1;

  Time system_time(int process) const;

  struct SimulatedThread {
    int process;
    std::string name;
    std::atomic<std::uint32_t> turn{0};
    enum State { kRunnable, kWaiting, kDone, kDead } state = kRunnable;
    const void* at = nullptr;
    Time until = Time::max();
  };
  struct Leaving;

  void maybe_switch();
  void wake(const void* at, int threads);
  void give_turn(std::size_t next);
  void go_on();
  void wait_for_turn(SimulatedThread& thread);
  std::size_t next_runnable();
  void finish();
  std::string threads() const;

  template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
  void note(Number number) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0x100000001B3;
  }
  void note(std::string_view text) {
    for (const char c : text) note(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  void begin_line();
  void append(std::string_view text) { lines_.back() += text; }
  template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
  void append(Number number) {
    lines_.back() += std::to_string(number);
  }

  static Scheduler* current_;

  const std::uint64_t seldom_;
  const std::uint64_t most_steps_;
  const bool verbose_;
  const Fail fail_;
  std::uint64_t state_;
  std::uint64_t steps_ = 0;
  Time time_{1'000'000'000};
  std::vector<std::unique_ptr<SimulatedThread>> threads_;
  std::size_t running_ = 0;
  std::vector<std::size_t> runnable_;
  int processes_ = 1;
  std::vector<bool> dead_;
  struct Jump {
    int process;
    Time at, by;
  };
  std::vector<Jump> jumps_;     // of clocks
  Time latest_system_time_{0};  // before clocks were put back
  std::uint64_t hash_ = 0xCBF29CE484222325;
  std::vector<std::string> lines_;
};

}  // namespace autoshard::simulation
