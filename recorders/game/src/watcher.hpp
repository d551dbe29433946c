// Runs the detector on snapshots through a game's conversion functions.
#pragma once

#include "tickreel/game/detection.hpp"

namespace tickreel::game {

class watcher {
 public:
  // `types`: of a recording; without them the states have the current types.
  watcher(const detection& how, const icrep::slot_table& slots, const recorded_types* types = nullptr)
      : how_(how), slots_(slots), types_(types), detector_(how.rules) {}

  void look(const icrep::sim_snapshot& state, std::vector<analysis::event>& out);
  void happened(const analysis::event& what, std::vector<analysis::event>& out) {
    detector_.happened(what, out);
  }
  void finish(std::uint64_t total_ticks, std::vector<analysis::event>& out) {
    detector_.finish(total_ticks == 0 ? 0 : total_ticks - 1, out);
  }

 private:
  detection how_;
  icrep::slot_table slots_;
  const recorded_types* types_;
  analysis::detector detector_;
};

}  // namespace tickreel::game
