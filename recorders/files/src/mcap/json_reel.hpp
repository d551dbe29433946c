// Reels whose ticks and events are lines of JSON: of recordings that have no fixed members.
//
//   encoder "json", version 1; no schema
//   frame                 each a keyframe: the members of the tick's JSON object, without braces
//   event, type 1         a JSON object with tick and type; its record has the tick that it follows
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "tickreel/files/conversion.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

inline constexpr std::string_view json_reel_name = "json";
inline constexpr std::uint32_t json_reel_version = 1;
inline constexpr std::uint32_t json_event_type = 1;

result<std::unique_ptr<recording>> open_json_reel(const byte_source& from, const open_options& options);
result<reel::frame_check> check_json_frames(reel::reader& source);

// Each tick and each event of an .mcap.
result<conversion_report> convert_mcap_to_reel(const file_path& input, const file_path& output,
                                               const conversion_options& options);

}  // namespace tickreel::files
