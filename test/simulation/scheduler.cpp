#include "scheduler.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "check.h"

bool autoshard::detail::ignores_failed_checks = false;

namespace autoshard::simulation {
namespace {

/// What the system's clocks show at first.
constexpr Time kBegin = std::chrono::seconds(1'700'000'000);

constexpr Time kLongest = std::chrono::hours(2);

/// What a step takes, so that whoever only looks at the clock gets on.
constexpr Time kStep{20};

std::string seconds(Time time) {
  std::string text = std::to_string(static_cast<double>(time.count()) / 1e9);
  text.insert(0, text.size() < 12 ? 12 - text.size() : 0, ' ');
  return text;
}

/// One wait in so many ends for no reason.
constexpr std::uint64_t kForNoReason = 64;

}  // namespace

Scheduler* Scheduler::current_ = nullptr;

/// Made first in its thread, and so destroyed last, after all that is of the thread.
struct Scheduler::Leaving {
  ~Leaving() { current_->finish(); }
};

Scheduler::Scheduler(std::uint64_t seed, std::uint64_t seldom, bool verbose, Fail fail,
                     std::uint64_t most_steps)
    : seldom_(seldom), most_steps_(most_steps), verbose_(verbose), fail_(std::move(fail)), state_(seed) {
  current_ = this;
  threads_.push_back(std::make_unique<SimulatedThread>());
  threads_.back()->process = 0;
  threads_.back()->name = "main";
}

// SplitMix64.
std::uint64_t Scheduler::random() {
  std::uint64_t bits = state_ += 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

Time Scheduler::system_time(int process) const { return system_times(process, time_, time_).second; }

std::pair<Time, Time> Scheduler::system_times(int process, Time from, Time to) const {
  std::pair<Time, Time> shown{Time::max(), Time::min()};
  Time begin = Time::min(), error{0};
  const auto goes_right = [&](Time end) {  // but for this error, since `begin`
    if (begin > to || end <= from) return;
    shown = {std::min(shown.first, kBegin + std::max(begin, from) + error),
             std::max(shown.second, kBegin + std::min(end, to) + error)};
  };
  for (const Jump& jump : jumps_) {
    if (jump.process != process) continue;
    goes_right(jump.at);
    begin = jump.at;
    error += jump.by;
  }
  goes_right(Time::max());
  return shown;
}

Time Scheduler::latest_system_time() {
  for (int process = 0; process < processes_; ++process)
    latest_system_time_ = std::max(latest_system_time_, system_time(process));
  return latest_system_time_;
}

void Scheduler::move_clock(int process, Time by) {
  latest_system_time();
  jumps_.push_back({process, time_, by});
}

void Scheduler::maybe_switch() {
  time_ += kStep;
  if (++steps_ > most_steps_) fail("the run does not come to an end");
  if (seldom_ > 1 && random() % seldom_ != 0) return;
  go_on();
}

void Scheduler::sleep(Time time) {
  if (time <= Time(0)) return maybe_switch();
  wait(nullptr, time_ + time);
}

void Scheduler::wait(const void* at, Time until) {
  SimulatedThread& self = *threads_[running_];
  if (++steps_ > most_steps_) fail("the run does not come to an end");
  self.state = SimulatedThread::kWaiting;
  self.at = at;
  self.until = until;
  if (at && below(kForNoReason) == 0) self.state = SimulatedThread::kRunnable;
  go_on();
}

void Scheduler::wake(const void* at, int number) {
  // Not always those who came first.
  const std::size_t first = number < 2 ? static_cast<std::size_t>(below(threads_.size())) : 0;
  for (std::size_t i = 0; i < threads_.size() && number > 0; ++i) {
    SimulatedThread& thread = *threads_[(first + i) % threads_.size()];
    if (thread.state != SimulatedThread::kWaiting || thread.at != at) continue;
    thread.state = SimulatedThread::kRunnable;
    --number;
  }
}

/// Lets one that can go on do so, this thread or another.
void Scheduler::go_on() {
  SimulatedThread& self = *threads_[running_];
  const std::size_t next = next_runnable();
  if (threads_[next].get() == &self) return;
  give_turn(next);
  wait_for_turn(self);
}

std::size_t Scheduler::next_runnable() {
  for (;;) {
    runnable_.clear();
    Time first = Time::max();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      SimulatedThread& thread = *threads_[i];
      if (thread.state == SimulatedThread::kWaiting) {
        if (thread.until <= time_) {
          thread.state = SimulatedThread::kRunnable;
        } else {
          first = std::min(first, thread.until);
        }
      }
      if (thread.state == SimulatedThread::kRunnable) runnable_.push_back(i);
    }
    if (!runnable_.empty()) return runnable_[below(runnable_.size())];
    if (first == Time::max()) fail("every thread waits for ever");
    time_ = first;
    if (time_ > kLongest) fail("something waits for ever");
  }
}

void Scheduler::give_turn(std::size_t next) {
  running_ = next;
  SimulatedThread& thread = *threads_[next];
  thread.turn.store(1, std::memory_order_release);
  syscall(SYS_futex, &thread.turn, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void Scheduler::wait_for_turn(SimulatedThread& thread) {
  while (thread.turn.exchange(0, std::memory_order_acquire) == 0)
    syscall(SYS_futex, &thread.turn, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

int Scheduler::start(std::function<void()> run, int process, std::string name) {
  const std::size_t number = threads_.size();
  SimulatedThread& thread = *threads_.emplace_back(std::make_unique<SimulatedThread>());
  thread.process = process == kOwn ? this->process() : process;
  thread.name = std::move(name);
  std::thread([this, &thread, run = std::move(run)] {
    wait_for_turn(thread);
    thread_local const Leaving leaving;
    static_cast<void>(&leaving);
    run();
  }).detach();
  maybe_switch();
  return static_cast<int>(number);
}

void Scheduler::finish() {
  SimulatedThread& self = *threads_[running_];
  self.state = SimulatedThread::kDone;
  wake(&self, 1'000);
  give_turn(next_runnable());
}

void Scheduler::join(int number) {
  SimulatedThread& thread = *threads_.at(static_cast<std::size_t>(number));
  while (thread.state != SimulatedThread::kDone && thread.state != SimulatedThread::kDead) wait(&thread);
}

void Scheduler::kill(int process) {
  for (const auto& thread : threads_) {
    if (thread->process != process || thread->state == SimulatedThread::kDone) continue;
    thread->state = SimulatedThread::kDead;
    wake(thread.get(), 1'000);
  }
  const auto its = static_cast<std::size_t>(process);
  if (dead_.size() <= its) dead_.resize(its + 1);
  dead_[its] = true;
}

void Scheduler::fail(const std::string& what) {
  fail_(what + "\n" + threads());
  std::abort();
}

std::string Scheduler::threads() const {
  constexpr const char* kStates[] = {"can go on", "waits", "is done", "is dead"};
  std::string text = "  threads at " + seconds(time_) + " s:\n";
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const SimulatedThread& thread = *threads_[i];
    if (thread.state == SimulatedThread::kDone || thread.state == SimulatedThread::kDead) continue;
    text += "    " + std::to_string(i) + " (process " + std::to_string(thread.process) + ", " + thread.name +
            ") " + (i == running_ ? "runs" : kStates[thread.state]);
    if (thread.state == SimulatedThread::kWaiting && thread.until != Time::max())
      text += " until " + seconds(thread.until) + " s";
    text += '\n';
  }
  return text;
}

void Scheduler::begin_line() {
  const SimulatedThread& thread = *threads_[running_];
  lines_.push_back(seconds(time_) + "  p" + std::to_string(thread.process) + " t" + std::to_string(running_) +
                   "  ");
}

}  // namespace autoshard::simulation
