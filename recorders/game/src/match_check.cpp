// Checks the frames of a match's reel before they are copied.
#include <memory>

#include "match_scan.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"

namespace tickreel::game {

namespace {

class match_decoder {
 public:
  explicit match_decoder(const reel::reader& from)
      : head_(from.head()), frames_(head_, from.contents().file_bytes) {}

  // Another pass begins with an earlier tick.
  bool accepts(const reel::frame& one) {
    if (last_tick_ && one.stamp.tick <= *last_tick_) frames_.restart();
    last_tick_ = one.stamp.tick;
    sound_frame found;
    if (!frames_.take(one, found)) return false;
    if (!found.content.keyframe) return true;
    const framed_keyframe& keyframe = *found.content.keyframe;
    icrep::stored_keyframe stored;
    stored.tick = one.stamp.tick;
    stored.full = keyframe.full;
    stored.raw_bytes = keyframe.raw_bytes;
    stored.stored = keyframe.bytes;
    stored.compressed = keyframe.bytes.size() != keyframe.raw_bytes;
    return keyframes_.take(stored).has_value();
  }

 private:
  reel::header head_;
  sound_frames frames_;
  icrep::sound_keyframes keyframes_;
  std::optional<std::uint64_t> last_tick_;
};

}  // namespace

result<reel::frame_check> check_match_frames(reel::reader& from) {
  const auto decoder = std::make_shared<match_decoder>(from);
  return [decoder](const reel::frame& one) { return decoder->accepts(one); };
}

}  // namespace tickreel::game
