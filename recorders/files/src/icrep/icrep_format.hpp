// The .icrep format: matches of a game's own world. Live ones are read with their spools, and reels of the
// same content are read too.
#pragma once

#include "describe_format.hpp"
#include "icrep_conversion.hpp"
#include "reels/reel_encoders.hpp"
#include "tickreel/game/convert.hpp"

namespace tickreel::files {

claim claims_icrep(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_icrep_recording(const byte_source& from, const open_options& options);
// The same for a reel of a match; its format() is "reel".
result<std::unique_ptr<recording>> open_match_reel(const byte_source& from, const open_options& options);
std::optional<std::uint64_t> find_end_of_icrep(byte_source& from, std::uint64_t file_bytes);

result<recover_report> recover_icrep(const file_path& input, const file_path& output,
                                     const recover_options& options);
result<edit_report> anonymise_icrep(const file_path& input, const file_path& output,
                                    const edit_options& options);
result<edit_report> recompress_icrep(const file_path& input, const file_path& output,
                                     const recompress_options& options);
result<edit_report> strip_voice_of_icrep(const file_path& input, const file_path& output,
                                         const edit_options& options);
result<edit_report> sign_icrep(const file_path& input, const file_path& output, const sign_options& options);

constexpr bool reads_match_version(std::uint32_t version) noexcept {
  return version >= game::oldest_match_reel_version && version <= game::match_reel_version;
}

constexpr reel_encoder icrep_reels[] = {{
    .name = game::match_reel_encoder,
    .reads_version = &reads_match_version,
    .newest_version = game::match_reel_version,
    .other_version = "frames of the encoder icrep, version {}; version {} is supported",
    .open = opened_by<page_reader::others>(&open_match_reel),
    .check = with_files(&game::check_match_frames),
    .holds_content = content::match,
    .recovery = {.extension = ".icrep",
                 .format = "icrep",
                 .wrong_name = "this reel becomes an .icrep or a .reel: give the output such a name"},
    .recover = with_files(&publish_match_reel),
}};

constexpr conversion icrep_conversions[] = {
    {.from = "icrep", .to = "icrep", .run = with_files(&cut_icrep), .only_ranges = true},
    {.from = "icrep", .to = "reel", .run = with_files(&convert_icrep_to_reel)},
};

constexpr codec_id icrep_codecs[] = {codec_id::none, codec_id::lz4};

constexpr format icrep_format{
    .name = "icrep",
    .extension = ".icrep",
    .title = "Iron Curtain replay",
    .looks_like = "begins with the bytes ICRP",
    .claims = &claims_icrep,
    .open = opened_by<page_reader::others>(&open_icrep_recording),
    .find_end = only_in<page_reader::others>(&find_end_of_icrep),
    .magic = "ICRP",
    .shown = {.stage = stage::world,
              .reader = page_reader::others,
              .position_units = 4096,
              .has_sparse_ticks = true},
    .holds = content::match,
    .usual_codec = codec_id::lz4,
    .codecs = icrep_codecs,
    .derive_advice =
        "events of a game's own world are derived by the game's own rules, by the game itself: "
        "game::derive_events()",
    .wrong_recovered_name = "this becomes an .icrep: give the output such a name",
    .reel_encoders = {icrep_reels, std::size(icrep_reels)},
    .conversions = icrep_conversions,
    .recover = with_files(&recover_icrep),
    .anonymise = with_files(&anonymise_icrep),
    .recompress = with_files(&recompress_icrep),
    .strip_voice = with_files(&strip_voice_of_icrep),
    .sign = with_files(&sign_icrep),
};

}  // namespace tickreel::files
