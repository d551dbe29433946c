// Decodes reels that store Echo VR ticks as rows of a described struct.
#pragma once

#include <memory>
#include <string_view>

#include "tickreel/describe/recorded.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::files {

// Whether a reel's rows are Echo VR ticks, of any version of the struct.
[[nodiscard]] bool holds_echo_rows(const reel::header& head);

class echo_row_decoder {
 public:
  using state_type = echo::state;
  static constexpr std::string_view decoder_name = tracks::rows_name;
  [[nodiscard]] static bool reads_version(std::uint32_t version) noexcept {
    return tracks::row_decoder::reads_version(version);
  }

  static result<echo_row_decoder> create(byte_span schema_bytes);

  // Whether ticks contain bones, from the next keyframe on.
  void set_bones(bool wanted) {
    bones_ = wanted;
    choose_values();
  }
  // Decodes only the recorded time and the game clock.
  void set_times_only(bool only) {
    times_only_ = only;
    choose_values();
  }
  // Only the members that a summary reads.
  void set_summary_only(bool only) {
    summary_only_ = only;
    choose_values();
  }
  // Only the time, the clock, the score and the disc.
  void set_disc_only(bool only) {
    disc_only_ = only;
    choose_values();
  }
  result<void> decode(frame_kind kind, byte_span frame);
  [[nodiscard]] const echo::state& state() const noexcept { return *state_; }
  // How the current tick's source line is stored.
  [[nodiscard]] const echo::line_reference& line() const noexcept { return line_; }

 private:
  using largest = echo::largest_recorded_tick;
  // An instance of one of the structs that reels contain. It is too large for small stacks and is reused for
  // every tick.
  using tick_room = std::unique_ptr<void, void (*)(void*)>;
  using read_row = result<void> (*)(byte_span row, echo::state& out, echo::line_reference& line,
                                    tick_room& room);

  template <class Tick>
  static result<void> read_as(byte_span row, echo::state& out, echo::line_reference& line, tick_room& room);

  explicit echo_row_decoder(tracks::row_decoder rows);
  void choose_values();
  result<void> read_other(byte_span row);

  tracks::row_decoder rows_;
  // For a known version of the struct; otherwise null, and `match_` finds the existing fields.
  read_row read_ = nullptr;
  layout_match match_;
  byte_vector matched_;
  std::unique_ptr<echo::state> state_;
  echo::line_reference line_;
  tick_room room_{nullptr, nullptr};
  bool bones_ = true;
  bool summary_only_ = false;
  bool times_only_ = false;
  bool disc_only_ = false;
};
static_assert(tick_decoder<echo_row_decoder>);

}  // namespace tickreel::files
