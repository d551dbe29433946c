#include "reader_comparison.hpp"

#include <fmt/format.h>

#include "tickreel/butter/file.hpp"
#include "tickreel/echo/json.hpp"

namespace tickreel::conformance {
namespace {

namespace model = butter_model;

// The reference program's text for a clock of an hour and more, or below 0, is unknown.
bool is_display_known(float clock) {
  return clock >= 0 && clock < 3600;
}

// The library reads one frame for each frame of the model.
class side_by_side {
 public:
  explicit side_by_side(byte_span file) : reader_(butter::reader::open(file)) {}

  agreement result;

  void next(const model::frame& wanted, const model::frame_place& place) {
    if (!result.complaints.empty()) return;
    if (!reader_) return complain(describe(reader_.error()));
    const auto more = reader_->next(state_);
    if (!more) return complain(describe(more.error()));
    if (!*more) return complain("the library's reader ends here");
    const butter::frame_position& position = reader_->position();
    if (position.chunk != place.chunk || position.frame_offset != place.offset ||
        position.frame_bytes != place.bytes || position.keyframe != place.keyframe) {
      return complain(fmt::format("chunk {}, {} bytes at {}; the model: chunk {}, {} bytes at {}",
                                  position.chunk, position.frame_bytes, position.frame_offset, place.chunk,
                                  place.bytes, place.offset));
    }
    model::frame got = model_frame_of(state_, json_);
    if (!is_display_known(wanted.game_clock)) got.game_clock_display = wanted.game_clock_display;
    const std::vector<std::string> found = model::differences(got, wanted);
    for (const std::string& difference : found) complain(difference);
    if (found.empty()) ++result.frames;
  }

  void end() {
    if (!result.complaints.empty()) return;
    if (!reader_) return complain(describe(reader_.error()));
    const auto more = reader_->next(state_);
    if (!more) return complain(describe(more.error()));
    if (*more) complain("the library's reader goes on");
  }

  void fail(const model::decoder_exception& thrown) {
    result.model_threw = true;
    if (!result.complaints.empty() || !reader_) return;
    // Of a damaged chunk the library returns the readable frames, and then reports the damage.
    const bool damaged =
        thrown.kind() == model::failure::end_of_data || thrown.kind() == model::failure::corrupt_chunk;
    auto more = reader_->next(state_);
    while (damaged && more && *more) more = reader_->next(state_);
    if (more) {
      complain(fmt::format("the library's reader {}, where the model throws: {}", *more ? "goes on" : "ends",
                           thrown.what()));
    }
  }

 private:
  void complain(const std::string& what) {
    result.complaints.push_back(fmt::format("frame {}: {}", result.frames, what));
  }

  tickreel::result<butter::reader> reader_;
  echo::state state_;
  model::frame_json_reader json_;
};

}  // namespace

butter_model::frame model_frame_of(const echo::state& read, butter_model::frame_json_reader& json) {
  std::string session;
  std::string bones;
  echo::append_session_json(read, echo::json_shape::model, echo::number_style::shortest, session);
  echo::append_bones_json(read, echo::json_shape::model, echo::number_style::shortest, bones);
  return json.read(read.recorded_time_ms, session, bones);
}

agreement compare_readers(byte_span file) {
  side_by_side both(file);
  try {
    model::decode(
        file, [&](const model::frame& frame, const model::frame_place& place) { both.next(frame, place); },
        {.zstd_switched_off = false});
    both.end();
  } catch (const model::decoder_exception& thrown) {
    both.fail(thrown);
  }
  return std::move(both.result);
}

}  // namespace tickreel::conformance
