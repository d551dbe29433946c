// Ours.
#include <cstring>
#include <optional>
#include <utility>

#include "../support/exit_on_error.hpp"
#include "peer.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::bench {
namespace {

constexpr std::uint32_t rate_hz = 60;

recorder_options sealed_every(std::uint32_t ticks) {
  return {.seal_frames = ticks, .ticks_per_second = rate_hz};
}

template <class Recorder>
void close(Recorder& recorder) {
  if (!must(recorder.close()).nothing_lost())
    fmt::print("the recorder lost ticks: the machine is too busy\n");
}

// A tick as the game has it becomes a Row, whose conversion is part of the cost.
template <class State, described Row>
class recorded final : public peer<State> {
 public:
  explicit recorded(const std::string& path, recorder_options options = {.ticks_per_second = rate_hz})
      : path_(path), to_(must(tickreel::record<Row>(path, options))) {}
  void record(const State& tick) override {
    if constexpr (std::is_same_v<State, Row>) {
      (void)to_.push(tick);
    } else {
      assign(*row_, tick);
      (void)to_.push(*row_);
    }
  }
  void finish() override { close(to_); }
  bool read(std::uint64_t tick, State& to) override {
    if (!from_) from_.emplace(must(replay<Row>(path_)));
    assign(to, must(from_->at(tick)));
    return true;
  }

 private:
  static void assign(State& to, const Row& from) {
    if constexpr (std::is_same_v<State, echo::state>) {
      echo::assign(to, from);
    } else {
      static_assert(sizeof(State) == sizeof(Row));
      std::memcpy(static_cast<void*>(&to), &from, sizeof to);
    }
  }
  static void assign(Row& to, const State& from)
  requires(!std::is_same_v<State, Row>)
  {
    if constexpr (std::is_same_v<State, echo::state>) {
      echo::assign(to, from, {});
    } else {
      static_assert(sizeof(State) == sizeof(Row));
      std::memcpy(static_cast<void*>(&to), &from, sizeof to);
    }
  }

  std::string path_;
  recording<Row> to_;
  std::optional<replay_of<Row>> from_;
  std::unique_ptr<Row> row_ = std::make_unique<Row>();
};

class butter_recorder final : public peer<echo::state> {
 public:
  explicit butter_recorder(const std::string& path)
      : to_(must(recorder<butter::encoder>::open(path, butter::encoder{}, {.ticks_per_second = rate_hz}))) {}
  void record(const echo::state& tick) override { (void)to_.push(tick); }
  void finish() override { close(to_); }

 private:
  recorder<butter::encoder> to_;
};

}  // namespace

template <described State>
std::unique_ptr<peer<State>> make_recorder(const std::string& path) {
  return std::make_unique<recorded<State, State>>(path);
}
template std::unique_ptr<peer<shooter_state>> make_recorder(const std::string&);
template std::unique_ptr<peer<strategy_state>> make_recorder(const std::string&);
template std::unique_ptr<peer<physics_state>> make_recorder(const std::string&);

std::unique_ptr<peer<physics_state>> make_declared(const std::string& path, std::uint32_t seal_ticks) {
  return std::make_unique<recorded<physics_state, declared_physics_state>>(path, sealed_every(seal_ticks));
}
std::unique_ptr<peer<echo::state>> make_columns(const std::string& path, std::uint32_t seal_ticks) {
  return std::make_unique<recorded<echo::state, echo::recorded_tick_with_bones>>(path,
                                                                                 sealed_every(seal_ticks));
}
std::unique_ptr<peer<echo::state>> make_butter(const std::string& path) {
  return std::make_unique<butter_recorder>(path);
}

}  // namespace tickreel::bench
