// Live clips: the options of `record echo` for clips.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console/options.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"

namespace tickreel::cli {

struct live_clip_arguments {
  std::string types;
  std::optional<double> before_s;
  double after_s = 5;
  double buffer_s = 0;
  echo_vr::clip_options options;  // after complete()

  void add_to(command& app);
  // Fills options from the command line; returns an error text if they are contradictory.
  [[nodiscard]] std::string complete(echo_vr::match_options& matches);
};

// Converts "goals,saves" to type numbers; plurals are accepted. Returns an error text for an unknown type.
[[nodiscard]] std::string read_event_types(const char* option, const std::string& text,
                                           std::vector<std::size_t>& into);
// ", 3 clips"; empty if there are none.
[[nodiscard]] std::string clips_text(const echo_vr::clip_counts& clips);

}  // namespace tickreel::cli
