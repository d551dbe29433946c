// The .echoreplay format, zipped and plain.
#pragma once

#include "echo_access.hpp"
#include "echo_edits.hpp"
#include "echo_reels.hpp"
#include "tickreel/echoreplay/decoder.hpp"
#include "tickreel/echoreplay/encoder.hpp"

namespace tickreel::files {

claim claims_echoreplay(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_echoreplay_recording(const byte_source& from,
                                                             const open_options& options);
std::optional<std::uint64_t> find_end_of_echoreplay(byte_source& from, std::uint64_t file_bytes);
result<void> check_echoreplay(const byte_source& from);
result<recover_report> recover_echoreplay(const file_path& input, const file_path& output,
                                          const recover_options& options);

constexpr echo_access echoreplay_access{
    .open = &open_echoreplay,
    .write = with_files(&write_echoreplay_file),
};

constexpr codec_id echoreplay_codecs[] = {codec_id::none, codec_id::gzip};

constexpr reel_encoder echoreplay_reels[] = {{
    .name = echoreplay::decoder::decoder_name,
    .reads_version = &echoreplay::decoder::reads_version,
    .newest_version = echoreplay::encoder::encoder_version,
    .other_version = "frames of the encoder echoreplay, version {}; version {} is supported",
    .open = opened_by<page_reader::echo>(&open_echo_reel_recording),
    .open_echo = only_in<page_reader::echo>(&open_echoreplay_reel),
    .check = with_files(&check_echoreplay_frames),
    .reader = page_reader::echo,
    .holds_content = content::echo_ticks,
    .recovery = {.extension = ".echoreplay",
                 .format = "echoreplay",
                 .wrong_name = "this reel becomes an .echoreplay or a .reel: give the output such a name"},
    .recover = with_files(&publish_echo_reel),
    .publish = with_files(&write_echoreplay_of_reel),
}};

constexpr format echoreplay_format{
    .name = "echoreplay",
    .extension = ".echoreplay",
    .title = echo_title,
    .looks_like =
        "lines \"yyyy/MM/dd HH:mm:ss.fff TAB {session} [TAB {bones}]\", as plain text or as the entry of a "
        "zip",
    .claims = &claims_echoreplay,
    .open = opened_by<page_reader::echo>(&open_echoreplay_recording),
    .find_end = only_in<page_reader::echo>(&find_end_of_echoreplay),
    .magic = "PK\x03\x04",
    .shown = {.stage = stage::arena, .reader = page_reader::echo},
    .holds = content::echo_ticks,
    .codecs = echoreplay_codecs,
    .wrong_recovered_name = "this becomes an .echoreplay: give the output such a name",
    .echo = opens(page_reader::echo) ? &echoreplay_access : nullptr,
    .as_echo_output = {.has_keyframes = false, .is_exact = true, .text = stored_text::as_ticks},
    .reel_encoders = {echoreplay_reels, std::size(echoreplay_reels)},
    .check = with_files(&check_echoreplay),
    .recover = with_files(&recover_echoreplay),
    .anonymise = with_files(&anonymise_echo),
    .recompress = with_files(&recompress_echo),
    .derive = with_files(&derive_echo),
};

}  // namespace tickreel::files
