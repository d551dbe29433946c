// Decodes lines of echoreplay::encoder, or any line of an .echoreplay, into states.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "tickreel/echo/json.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel::echoreplay {

// One thread at a time.
class decoder {
 public:
  using state_type = echo::state;
  static constexpr std::string_view decoder_name = "echoreplay";
  [[nodiscard]] static constexpr bool reads_version(std::uint32_t version) noexcept { return version == 1; }

  // No line depends on another.
  static constexpr bool frames_stand_alone = true;

  decoder() : state_(std::make_unique<echo::state>()) {}

  // For the following lines: receives values that a state cannot store. Must outlive their decoding; may be
  // null.
  void set_listener(echo::omission_listener* to) noexcept { listener_ = to; }

  // One line, with or without its end. malformed if it has no time, or no API response after it.
  result<void> decode(frame_kind kind, byte_span frame);
  [[nodiscard]] const echo::state& state() const noexcept { return *state_; }

  // The line of that state and its columns, the bones empty if they are unreadable; valid as long as the
  // frame's bytes.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const line& columns() const noexcept { return columns_; }

 private:
  echo::json_parser parser_;
  std::unique_ptr<echo::state> state_;
  std::string_view text_;
  line columns_;
  echo::omission_listener* listener_ = nullptr;
};
static_assert(tick_decoder<decoder>);

}  // namespace tickreel::echoreplay
