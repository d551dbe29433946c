// The .mcap format: recordings as messages for Foxglove, Lichtblick and other data tools. Only written.
#pragma once

#include "describe_format.hpp"
#include "mcap_conversion.hpp"
#include "tickreel/mcap/encoder.hpp"

namespace tickreel::files {

inline claim claims_mcap(const probe& file) noexcept {
  return as_text(file.head).starts_with(mcap::magic) ? claim::certain : claim::no;
}
inline result<std::unique_ptr<recording>> open_mcap(const byte_source&, const open_options&) {
  return fail(error_code::unsupported_operation, error::no_offset,
              "Tickreel only writes .mcap files: open it with Foxglove or Lichtblick, or use the recording "
              "that it was converted from");
}

constexpr conversion mcap_conversions[] = {
    {.from = any_recording, .to = "mcap", .run = with_files(&convert_to_mcap)},
};

constexpr format mcap_format{
    .name = "mcap",
    .extension = ".mcap",
    .looks_like = "begins with the byte 0x89 and MCAP0; Tickreel only writes it",
    .claims = &claims_mcap,
    .open = &open_mcap,
    .usual_codec = codec_id::zstd,
    .is_only_written = true,
    .conversions = mcap_conversions,
};

}  // namespace tickreel::files
