// Whether a decoded frame says what was recorded: texts, whole numbers, flags and times exactly, measurements
// within the writer's stated tolerances.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "butter_model.hpp"
#include "tickreel/butter/options.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

// Judges the frames of one file in order; it needs the frame before for the rounding of differences.
class fidelity_judge {
 public:
  // `first` is the file's first state: some facts are stored once, as they were then.
  fidelity_judge(const butter::encoder_options& options, const echo::state& first);

  // One sentence per field that is wrong; a frame that is all wrong is cut short.
  std::vector<std::string> judge(const butter_model::frame& got, bool keyframe, const echo::state& wanted);

  // The file as a whole: its head, and what is stored once a player.
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
