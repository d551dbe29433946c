// The .mcap format: recordings as messages for Foxglove, Lichtblick and other data tools, and messages of JSON of other
// programs.
#pragma once

#include "copy_mcap.hpp"
#include "describe_format.hpp"
#include "json_reel.hpp"
#include "mcap_conversion.hpp"
#include "reels/reel_encoders.hpp"
#include "tickreel/mcap/records.hpp"

namespace tickreel::files {

claim claims_mcap(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_mcap(const byte_source& from, const open_options& options);
std::optional<std::uint64_t> find_end_of_mcap(byte_source& from, std::uint64_t file_bytes);

constexpr conversion mcap_conversions[] = {
    {.from = any_recording, .to = "mcap", .run = with_files(&convert_to_mcap), .can_attach = true},
    {.from = "mcap", .to = "mcap", .run = with_files(&cut_mcap), .only_ranges = true},
    {.from = "mcap", .to = "reel", .run = with_files(&convert_mcap_to_reel)},
};

// Reels of ticks and events as lines of JSON.
constexpr reel_encoder json_reels[] = {
    {.name = json_reel_name,
     .reads_version = [](std::uint32_t version) noexcept { return version == json_reel_version; },
     .newest_version = json_reel_version,
     .other_version = "ticks of JSON, version {}; version {} is supported",
     .open = opened_by<page_reader::captures>(&open_json_reel),
     .check = with_files(&check_json_frames),
     .reader = page_reader::captures,
     .recovery = {.extension = ".recovered.reel",
                  .format = "reel",
                  .wrong_name = "this reel becomes a .reel: give the output such a name"}},
};

constexpr codec_id mcap_codecs[] = {codec_id::none, codec_id::zstd};

constexpr format mcap_format{
    .name = "mcap",
    .extension = ".mcap",
    .title = "MCAP recording",
    .looks_like = "begins with the byte 0x89 and MCAP0",
    .claims = &claims_mcap,
    .open = opened_by<page_reader::captures>(&open_mcap),
    .find_end = only_in<page_reader::captures>(&find_end_of_mcap),
    .magic = mcap::magic,
    .shown = {.reader = page_reader::captures},
    .usual_codec = codec_id::zstd,
    .codecs = mcap_codecs,
    .edit_advice = "convert the file to .reel first",
    .reel_encoders = {json_reels, std::size(json_reels)},
    .conversions = mcap_conversions,
    .recover = with_files(&recover_mcap),
};

}  // namespace tickreel::files
