// Decodes .butter version 3 frames of butter::encoder outside of a .butter file.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "tickreel/butter/options.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel::butter {

// One thread at a time.
class decoder {
 public:
  using state_type = echo::state;
  static constexpr std::string_view decoder_name = "butter";
  [[nodiscard]] static constexpr bool reads_version(std::uint32_t version) noexcept { return version == 3; }

  explicit decoder(const reader_options& options = {});
  decoder(decoder&&) noexcept;
  decoder& operator=(decoder&&) noexcept;
  ~decoder();

  // The output of encoder::write_header(). malformed if it is not one; the previous header stays then.
  result<void> apply_header(byte_span header);
  // missing_keyframe for a difference without a baseline, and before any header; malformed, with the offset
  // in the frame, for invalid bytes.
  result<void> decode(frame_kind kind, byte_span frame);
  [[nodiscard]] const echo::state& state() const noexcept;
  // reader_options::bones, from the next keyframe on.
  void set_bones(bool wanted) noexcept;

 private:
  struct memory;
  std::unique_ptr<memory> memory_;
};
static_assert(decoder_with_header<decoder>);

}  // namespace tickreel::butter
