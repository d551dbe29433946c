// Compares a decoded frame with the recorded state: texts, integers, flags and times exactly, measurements within the writer's
// declared tolerances.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "butter_model.hpp"
#include "tickreel/butter/options.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

// Checks the frames of one file in order; needs the previous frame for the rounding of differences.
class fidelity_judge {
 public:
  // `first` is the file's first state: some values are stored once, from that state.
  fidelity_judge(const butter::encoder_options& options, const echo::state& first);

  // One sentence per wrong field; the list for a completely wrong frame is truncated.
  std::vector<std::string> judge(const butter_model::frame& got, bool keyframe, const echo::state& wanted);

  // The file as a whole: its head, and the values stored once per player.
  std::vector<std::string> judge_head(const butter_model::file_head& got,
                                      std::span<const echo::state> wanted) const;

 private:
  butter::encoder_options options_;
  echo::state first_;
  echo::mode mode_;
  butter_model::frame before_;
  bool has_before_ = false;
};

}  // namespace tickreel::conformance
