// Checks the frames of reels with Echo VR ticks.
#include "echo_reels.hpp"
#include "echo_rows.hpp"
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

result<reel::frame_check> check_row_frames(reel::reader& source) {
  auto rows = echo_row_decoder::create(source.head().schema);
  if (!rows) return fail(rows.error());
  return check_with(source, std::move(*rows));
}

}  // namespace tickreel::files
