// The .butter format, versions 1 to 3.
#pragma once

#include "cut_butter.hpp"
#include "echo_access.hpp"
#include "echo_edits.hpp"
#include "echo_reels.hpp"
#include "recover_butter.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/butter/encoder.hpp"

namespace tickreel::files {

claim claims_butter(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_butter_recording(const byte_source& from,
                                                         const open_options& options);
result<std::unique_ptr<echo_input>> open_butter_ticks(const byte_source& from, const echo_options& options);
std::optional<std::uint64_t> find_end_of_butter(byte_source& from, std::uint64_t file_bytes);
result<void> check_butter(const byte_source& from);

constexpr echo_access butter_access{
    .open = &open_butter_ticks,
    .write = with_files(&write_butter_file),
    .copy = with_files(&recompress_butter),
    .cut = with_files(&cut_butter),
    .is_rounded = true,
};

constexpr codec_id butter_codecs[] = {codec_id::none, codec_id::gzip, codec_id::zstd};

constexpr reel_encoder butter_reels[] = {{
    .name = butter::decoder::decoder_name,
    .reads_version = &butter::decoder::reads_version,
    .newest_version = butter::encoder::encoder_version,
    .other_version = "frames of the encoder butter, version {}; version {} is supported",
    .open = opened_by<page_reader::echo>(&open_echo_reel_recording),
    .open_echo = only_in<page_reader::echo>(&open_butter_reel),
    .check = with_files(&check_butter_frames),
    .is_rounded = true,
    .reader = page_reader::echo,
    .holds_content = content::echo_ticks,
    .recovery = {.extension = ".butter",
                 .format = "butter",
                 .wrong_name = "this reel becomes a .butter or a .reel: give the output such a name"},
    .recover = with_files(&publish_echo_reel),
    .publish = with_files(&write_butter_of_reel),
}};

constexpr format butter_format{
    .name = "butter",
    .extension = ".butter",
    .title = echo_title,
    .looks_like = "a version byte 1 to 3, then the head of a match",
    .claims = &claims_butter,
    .open = opened_by<page_reader::echo>(&open_butter_recording),
    .find_end = only_in<page_reader::echo>(&find_end_of_butter),
    .shown = {.stage = stage::arena, .reader = page_reader::echo},
    .holds = content::echo_ticks,
    .codecs = butter_codecs,
    .wrong_recovered_name = "this becomes a .butter: give the output such a name",
    .echo = opens(page_reader::echo) ? &butter_access : nullptr,
    .as_echo_output = {.has_side_data = true},
    .reel_encoders = {butter_reels, std::size(butter_reels)},
    .check = with_files(&check_butter),
    .recover = with_files(&recover_butter),
    .anonymise = with_files(&anonymise_echo),
    .recompress = with_files(&recompress_echo),
    .derive = with_files(&derive_echo),
};

}  // namespace tickreel::files
