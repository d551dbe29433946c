// The simulator as a source of ticks, like a recording.
#pragma once

#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::echo_vr {

class simulated_source final : public files::echo_source {
 public:
  explicit simulated_source(const simulation_options& options = {}) : simulator_(options) {}

  result<bool> next(echo::state& out) override { return simulator_.next(out); }
  result<void> rewind() override {
    simulator_.rewind();
    return {};
  }

 private:
  match_simulator simulator_;
};

}  // namespace tickreel::echo_vr
