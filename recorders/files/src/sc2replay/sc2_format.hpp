// The .SC2Replay format of StarCraft II.
#pragma once

#include "describe_format.hpp"
#include "sc2_convert.hpp"
#include "sc2_recover.hpp"

namespace tickreel::files {

claim claims_sc2replay(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_sc2_recording(const byte_source& from, const open_options& options);
std::optional<std::uint64_t> find_end_of_sc2replay(byte_source& from, std::uint64_t file_bytes);
result<ground_picture> read_sc2_ground(const byte_source& map, const played_map& played);
result<edit_report> anonymise_sc2replay(const file_path& input, const file_path& output,
                                        const edit_options& options);

constexpr conversion sc2_conversions[] = {
    {.from = "sc2replay", .to = "icrep", .run = with_files(&convert_sc2replay_to_icrep)},
};

constexpr format sc2replay_format{
    .name = "sc2replay",
    .extension = ".SC2Replay",
    .title = "StarCraft II replay",
    .looks_like = "the bytes MPQ and 1B, then a StarCraft II replay's header and archive",
    .claims = &claims_sc2replay,
    .open = opened_by<page_reader::others>(&open_sc2_recording),
    .find_end = only_in<page_reader::others>(&find_end_of_sc2replay),
    .magic = "MPQ\x1B",
    .shown = {.stage = stage::starcraft,
              .reader = page_reader::others,
              .position_units = 4096,
              .has_sparse_ticks = true,
              .has_events_as_ticks = true,
              .lasts_through_its_end = true},
    .holds = content::replay,
    .derive_advice = "it contains its own events; 'tickreel convert' stores them in an .icrep",
    .conversions = sc2_conversions,
    .read_ground = only_in<page_reader::others>(&read_sc2_ground),
    .recover = with_files(&recover_sc2replay),
    .anonymise = with_files(&anonymise_sc2replay),
};

}  // namespace tickreel::files
