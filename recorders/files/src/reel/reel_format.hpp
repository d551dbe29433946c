// The .reel format: the container of every live recording.
#pragma once

#include "cut_reel.hpp"
#include "described_conversion.hpp"
#include "described_reel.hpp"
#include "echo/echo_access.hpp"
#include "echo/echo_edits.hpp"
#include "echo/echo_reels.hpp"
#include "echo/echo_rows.hpp"
#include "icrep/icrep_conversion.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::files {

claim claims_reel(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_reel_recording(const byte_source& from, const open_options& options);
std::optional<std::uint64_t> find_end_of_reel(byte_source& from, std::uint64_t file_bytes);
bool is_same_reel_at(const byte_source& from, std::uint64_t offset);
result<recover_report> recover_reel(const file_path& input, const file_path& output,
                                    const recover_options& options);
result<recovery_target> find_recovery_target_of_reel(const file_path& input);
result<edit_report> compact_reel(const file_path& input, const file_path& output,
                                 const edit_options& options);

inline constexpr const char* convert_reel_first = "convert the reel to its recording's own format first";

constexpr echo_access reel_access{
    .open = &open_echo_reel,
    .write = with_files(&write_reel_file),
};

// A finished reel of these encoders is the published file.
constexpr reel_encoder row_reels[] = {
    {.name = tracks::rows_name,
     .reads_version = &tracks::row_decoder::reads_version,
     .newest_version = tracks::rows_version,
     .other_version = "described structs, version {}; version {} is supported",
     .holds = &holds_echo_rows,
     .open = opened_by<page_reader::echo>(&open_echo_reel_recording),
     .open_echo = only_in<page_reader::echo>(&open_row_reel),
     .check = with_files(&check_row_frames),
     .reader = page_reader::echo,
     .holds_content = content::echo_ticks,
     .recovery = {.extension = ".recovered.reel",
                  .format = "reel",
                  .takes_echo_outputs = true,
                  .wrong_name =
                      "this reel becomes a .reel or another Echo VR format: give the output such a name"},
     .recover = with_files(&publish_row_reel),
     .publish = with_files(&write_file_of_rows)},
    {.name = tracks::rows_name,
     .reads_version = &tracks::row_decoder::reads_version,
     .newest_version = tracks::rows_version,
     .other_version = "described structs, version {}; version {} is supported",
     .open = opened_by<page_reader::others>(&open_described_reel),
     .check = with_files(&check_row_frames),
     .holds_content = content::rows,
     .recovery = {.extension = ".recovered.reel",
                  .format = "reel",
                  .wrong_name = "this reel becomes a .reel: give the output such a name"}},
};

constexpr conversion reel_conversions[] = {
    {.from = "reel", .to = "reel", .run = with_files(&cut_reel), .only_ranges = true},
    {.from = "reel", .to = "icrep", .run = with_files(&convert_reel_to_icrep)},
    {.from = "reel", .to = "csv", .run = with_files(&convert_reel_to_csv)},
    {.from = "reel", .to = "ndjson", .run = with_files(&convert_reel_to_ndjson)},
};

constexpr format reel_format{
    .name = "reel",
    .extension = ".reel",
    .title = "Tickreel recording",
    .looks_like = "begins with the bytes TICKREEL",
    .claims = &claims_reel,
    .open = &open_reel_recording,
    .find_end = only_in<page_reader::by_encoder>(&find_end_of_reel),
    .magic = "TICKREEL",
    .continues_at = with_files(&is_same_reel_at),
    .shown = {.reader = page_reader::by_encoder},
    .usual_codec = codec_id::zstd,
    .has_records = true,
    .stores_derived_events = true,
    .edit_advice = convert_reel_first,
    .wrong_recovered_name = "this reel becomes a .reel: give the output such a name",
    .echo = opens(page_reader::echo) ? &reel_access : nullptr,
    .as_echo_output = {.may_have_bone_errors = true, .text = stored_text::beside_ticks},
    .reel_encoders = {row_reels, std::size(row_reels)},
    .conversions = reel_conversions,
    .recover = with_files(&recover_reel),
    .find_recovery_target = with_files(&find_recovery_target_of_reel),
    .anonymise = with_files(&anonymise_echo),
    .compact = with_files(&compact_reel),
    .derive = with_files(&derive_reel),
};

}  // namespace tickreel::files
