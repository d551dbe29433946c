// The .rec format: paths of San Andreas and Vice City multiplayer.
#pragma once

#include "describe_format.hpp"
#include "rec_conversion.hpp"

namespace tickreel::files {

claim claims_rec(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_rec_recording(const byte_source& from, const open_options& options);
result<recover_report> recover_rec(const file_path& input, const file_path& output,
                                   const recover_options& options);

constexpr conversion rec_conversions[] = {
    {.from = "rec", .to = "rec", .run = with_files(&cut_rec), .only_ranges = true},
    {.from = "rec", .to = "csv", .run = with_files(&convert_rec_to_csv)},
    {.from = "rec", .to = "ndjson", .run = with_files(&convert_rec_to_ndjson)},
    {.from = "csv", .to = "rec", .run = with_files(&convert_csv_to_rec)},
    {.from = "ndjson", .to = "rec", .run = with_files(&convert_ndjson_to_rec)},
};

constexpr codec_id rec_codecs[] = {codec_id::none};

constexpr format rec_format{
    .name = "rec",
    .extension = ".rec",
    .title = "SA-MP path",
    .looks_like = "the numbers 1000 and 1 or 2, then blocks of 67 or 72 bytes; the oldest lack the numbers",
    .claims = &claims_rec,
    .open = opened_by<page_reader::others>(&open_rec_recording),
    .shown = {.stage = stage::path, .reader = page_reader::others},
    .codecs = rec_codecs,
    .conversions = rec_conversions,
    .recover = with_files(&recover_rec),
};

}  // namespace tickreel::files
