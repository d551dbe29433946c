// Checks the frames of reels with Echo VR ticks.
#include "echo_reels.hpp"
#include "reels/frame_check.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/echoreplay/decoder.hpp"

namespace tickreel::files {

result<reel::frame_check> check_butter_frames(reel::reader& source) {
  return check_with(source, butter::decoder());
}

result<reel::frame_check> check_echoreplay_frames(reel::reader& source) {
  return check_with(source, echoreplay::decoder());
}

}  // namespace tickreel::files
