// Runs two threads in every order of their atomic operations, and lets each load return every value that C++ allows it.
// Code with locks calls may_switch() before each lock instead.
//
// Code under test takes `modelled` instead of std::atomic, and keeps its data in `modelled_data`. A run is a sequence of
// choices: which thread continues, and which of the possible stores a load reads. explore() tries all sequences, depth
// first, with at most a given number of switches between threads that could both continue. The threads are coroutines
// of one real thread, so a run is repeated exactly.
//
// The model: each location has an order of its stores. A load may read any store that is not older than the newest one that
// happens before it, and none older than what the thread, or a thread before it, has read. A release store passes on the
// clock of its thread, and an acquire load takes it. A read-modify-write reads the last store and continues its release.
// Data that is written and read without such an order is a data race.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tickreel::tests {

inline constexpr std::size_t modelled_threads = 2;

struct thread_clock {
  std::array<std::uint32_t, modelled_threads> at{};
  void join(const thread_clock& other) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], other.at[i]);
  }
};

class interleavings {
 public:
  struct outcome {
    std::uint64_t runs = 0;
    std::optional<std::string> failure;  // the first one
  };
  using body = std::function<void()>;

  // `begin` prepares a run and returns its threads; `end` checks what remains. Stops after a failure, or `max_runs`.
  struct threads {
    body first, second;
    body end;
  };
  static outcome explore(const std::function<threads()>& begin, unsigned max_switches,
                         std::uint64_t max_runs) {
    interleavings model(max_switches);
    active = &model;
    outcome found;
    do {
      model.run(begin);
      ++found.runs;
      found.failure = model.failure_;
    } while (!found.failure && found.runs < max_runs && model.advance());
    active = nullptr;
    return found;
  }

  static interleavings& current() { return *active; }
  static bool is_active() { return active != nullptr; }

  void fail(std::string why) {
    if (!failure_) failure_ = std::move(why);
  }
  // Before an operation that another thread can observe.
  void may_switch() {
    if (!running_) return;
    ++clocks_[self_].at[self_];
    const std::size_t other = 1 - self_;
    if (finished_[other] || switches_ == max_switches_) return;
    if (choose(2) == 0) return;
    ++switches_;
    go_to(other);
  }
  // For a thread that cannot continue before the other one has: not counted as a switch.
  void wait() {
    if (running_ && !finished_[1 - self_]) go_to(1 - self_);
  }
  std::size_t choose(std::size_t count) {
    if (count <= 1) return 0;
    if (place_ == path_.size()) path_.push_back({0, count});
    return path_[place_++].choice;
  }
  std::size_t self() const { return self_; }
  thread_clock& clock() { return clocks_[self_]; }

 private:
  struct step {
    std::size_t choice, count;
  };
  static constexpr std::size_t stack_bytes = 64 << 10;

  explicit interleavings(unsigned max_switches) : max_switches_(max_switches) {
    for (auto& each : stacks_) each = std::make_unique<std::byte[]>(stack_bytes);
  }

  void run(const std::function<threads()>& begin) {
    place_ = 0;
    switches_ = 0;
    clocks_ = {};
    finished_ = {};
    self_ = 0;
    bodies_ = begin();
    // What is prepared happens before both threads.
    clocks_[1] = clocks_[0];
    for (std::size_t i = 0; i < modelled_threads; ++i) ++clocks_[i].at[i];
    for (std::size_t i = 0; i < modelled_threads; ++i) {
      ::getcontext(&contexts_[i]);
      contexts_[i].uc_stack.ss_sp = stacks_[i].get();
      contexts_[i].uc_stack.ss_size = stack_bytes;
      contexts_[i].uc_link = nullptr;
      ::makecontext(&contexts_[i], &enter, 0);
    }
    running_ = true;
    self_ = choose(modelled_threads);
    ::swapcontext(&main_, &contexts_[self_]);
    running_ = false;
    // The end happens after both.
    clocks_[0].join(clocks_[1]);
    self_ = 0;
    bodies_.end();
    bodies_ = {};
  }
  static void enter() {
    interleavings& model = current();
    (model.self_ == 0 ? model.bodies_.first : model.bodies_.second)();
    model.finished_[model.self_] = true;
    const std::size_t other = 1 - model.self_;
    if (model.finished_[other]) {
      ::swapcontext(&model.contexts_[model.self_], &model.main_);
    } else {
      model.go_to(other);
    }
  }
  void go_to(std::size_t other) {
    const std::size_t from = std::exchange(self_, other);
    ::swapcontext(&contexts_[from], &contexts_[other]);
  }
  // The next path; false after the last one.
  bool advance() {
    while (!path_.empty() && path_.back().choice + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().choice;
    return true;
  }

  static inline interleavings* active = nullptr;
  unsigned max_switches_;
  unsigned switches_ = 0;
  std::vector<step> path_;
  std::size_t place_ = 0;
  std::size_t self_ = 0;
  bool running_ = false;
  std::array<bool, modelled_threads> finished_{};
  std::array<thread_clock, modelled_threads> clocks_{};
  std::array<ucontext_t, modelled_threads> contexts_{};
  std::array<std::unique_ptr<std::byte[]>, modelled_threads> stacks_;
  ucontext_t main_{};
  threads bodies_;
  std::optional<std::string> failure_;
};

// More switches take longer: TICKREEL_TEST_SWITCHES=6 runs for minutes.
inline unsigned switches_or(unsigned usual) {
  const char* const more = std::getenv("TICKREEL_TEST_SWITCHES");
  return more != nullptr ? static_cast<unsigned>(std::strtoul(more, nullptr, 10)) : usual;
}

// `Weaker` changes the order of an operation, so that a test can show that the original is needed.
struct as_written {
  static std::memory_order of(std::memory_order order) { return order; }
};
struct all_relaxed {
  static std::memory_order of(std::memory_order) { return std::memory_order_relaxed; }
};

template <class Value, class Order = as_written>
class modelled {
 public:
  modelled() : modelled(Value{}) {}
  modelled(Value value) { stores_.push_back({value, 0, 0, {}, true}); }
  modelled(const modelled&) = delete;
  modelled& operator=(const modelled&) = delete;

  Value load(std::memory_order order = std::memory_order_seq_cst) const {
    interleavings& model = interleavings::current();
    model.may_switch();
    const std::size_t oldest = first_visible();
    const std::size_t at = stores_.size() - 1 - model.choose(stores_.size() - oldest);
    return read(at, order);
  }
  void store(Value value, std::memory_order order = std::memory_order_seq_cst) {
    interleavings::current().may_switch();
    write(value, order, nullptr);
  }
  bool compare_exchange_strong(Value& expected, Value desired, std::memory_order success,
                               std::memory_order failure) {
    interleavings& model = interleavings::current();
    model.may_switch();
    // It fails by any visible value that differs, or succeeds with the last one.
    std::vector<std::size_t> others;
    for (std::size_t at = first_visible(); at < stores_.size(); ++at) {
      if (stores_[at].value != expected) others.push_back(at);
    }
    const bool may_succeed = stores_.back().value == expected;
    const std::size_t choice = model.choose(others.size() + (may_succeed ? 1 : 0));
    if (may_succeed && choice == 0) {
      read(stores_.size() - 1, success);
      const thread_clock before = stores_.back().passed_on;
      write(desired, success, &before);
      return true;
    }
    expected = read(others[choice - (may_succeed ? 1 : 0)], failure);
    return false;
  }

 private:
  struct stored {
    Value value;
    std::size_t thread;
    std::uint32_t time;
    thread_clock passed_on;
    bool at_begin;
  };
  struct reading {
    std::uint32_t time;
    std::size_t at;
  };

  std::size_t first_visible() const {
    interleavings& model = interleavings::current();
    const thread_clock& now = model.clock();
    std::size_t oldest = 0;
    for (std::size_t at = 0; at < stores_.size(); ++at) {
      if (stores_[at].at_begin || stores_[at].time <= now.at[stores_[at].thread]) oldest = at;
    }
    for (std::size_t thread = 0; thread < modelled_threads; ++thread) {
      for (const reading& each : readings_[thread]) {
        if (each.time <= now.at[thread]) oldest = std::max(oldest, each.at);
      }
    }
    return oldest;
  }
  Value read(std::size_t at, std::memory_order order) const {
    interleavings& model = interleavings::current();
    order = Order::of(order);
    if (order != std::memory_order_relaxed && order != std::memory_order_release) {
      model.clock().join(stores_[at].passed_on);
    }
    readings_[model.self()].push_back({model.clock().at[model.self()], at});
    return stores_[at].value;
  }
  void write(Value value, std::memory_order order, const thread_clock* continued) {
    interleavings& model = interleavings::current();
    order = Order::of(order);
    stored next{value, model.self(), model.clock().at[model.self()], {}, false};
    if (continued != nullptr) next.passed_on = *continued;
    if (order != std::memory_order_relaxed && order != std::memory_order_acquire) {
      next.passed_on.join(model.clock());
    }
    stores_.push_back(next);
    // What follows is not passed on.
    ++model.clock().at[model.self()];
  }

  std::vector<stored> stores_;
  mutable std::array<std::vector<reading>, modelled_threads> readings_;
};

// Memory that only one thread at a time may use.
template <class Value>
class modelled_data {
 public:
  void write(Value value) {
    thread_clock& now = interleavings::current().clock();
    const std::size_t self = interleavings::current().self();
    for (std::size_t thread = 0; thread < modelled_threads; ++thread) {
      if (read_at_[thread] > now.at[thread] || written_at_[thread] > now.at[thread]) {
        interleavings::current().fail("a data race: written while another thread uses it");
      }
    }
    written_at_[self] = now.at[self];
    value_ = value;
  }
  Value read() {
    thread_clock& now = interleavings::current().clock();
    const std::size_t self = interleavings::current().self();
    for (std::size_t thread = 0; thread < modelled_threads; ++thread) {
      if (written_at_[thread] > now.at[thread]) {
        interleavings::current().fail("a data race: read while another thread writes it");
      }
    }
    read_at_[self] = now.at[self];
    return value_;
  }

 private:
  std::array<std::uint32_t, modelled_threads> read_at_{};
  std::array<std::uint32_t, modelled_threads> written_at_{};
  Value value_{};
};

}  // namespace tickreel::tests
