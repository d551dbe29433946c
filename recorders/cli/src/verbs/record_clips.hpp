// What just happened: the options of `record echo` for clips.
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
  // From the words of the command line; a sentence when they make no sense.
  [[nodiscard]] std::string complete(echo_vr::match_options& matches);
};

// "goals,saves" into their numbers; a plural is understood. A sentence when one is none.
[[nodiscard]] std::string read_event_types(const char* option, const std::string& text,
                                           std::vector<std::size_t>& into);
// ", 3 clips"; empty where there were none.
[[nodiscard]] std::string clips_text(const echo_vr::clip_counts& clips);

}  // namespace tickreel::cli
