// .echoreplay as a recorder's frame format: the API's responses as received, one line per tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/record/encoder.hpp"

namespace tickreel::echoreplay {

// Appends the line of two responses, with CR LF. Line breaks and tabs (white space in JSON, but the ends of
// lines and columns here) become spaces; white space around the bodies is removed. Without
// `with_bones_column` the bones body is omitted.
void append_answers(std::int64_t time_ms, std::string_view session_body, std::string_view bones_body,
                    bool with_bones_column, std::string& out);

// The two responses of one poll, verbatim. assign() rejects bodies that do not fit.
struct answer {
  static constexpr std::size_t capacity = 160u << 10;  // a full 8-player pair is 40 kB at full precision

  std::int64_t recorded_time_ms = 0;
  std::uint32_t session_bytes = 0;
  std::uint32_t bones_bytes = 0;
  bool has_bones_column = false;
  char text[capacity];  // session, then bones; neither has tabs or line breaks

  [[nodiscard]] std::string_view session() const noexcept { return {text, session_bytes}; }
  [[nodiscard]] std::string_view bones() const noexcept { return {text + session_bytes, bones_bytes}; }

  // False, without a change, if both do not fit. Otherwise stores the output of append_answers().
  bool assign(std::int64_t time_ms, std::string_view session_body, std::string_view bones_body,
              bool with_bones_column) noexcept;
};

// Copies only the text in use.
void copy_state(answer& to, const answer& from) noexcept;

// A frame is its line with CR LF, byte for byte as append_line() writes it: consecutive frames are a
// plain-text .echoreplay. Every frame is a keyframe, because no line depends on another.
class encoder {
 public:
  using state_type = answer;
  static constexpr std::string_view encoder_name = "echoreplay";
  static constexpr std::uint32_t encoder_version = 1;

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return answer::capacity + 32; }
  [[nodiscard]] bool needs_keyframe(const answer&) const noexcept { return true; }
  void encode(const answer& from, frame_kind kind, byte_writer& out) noexcept;
};
static_assert(tick_encoder<encoder>);

}  // namespace tickreel::echoreplay
