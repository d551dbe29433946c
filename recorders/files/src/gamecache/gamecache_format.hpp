// The .gamecache format: results of DotA games.
#pragma once

#include "describe_format.hpp"
#include "gamecache_recover.hpp"

namespace tickreel::files {

claim claims_gamecache(const probe& file) noexcept;
result<std::unique_ptr<recording>> open_gamecache_recording(const byte_source& from,
                                                            const open_options& options);

constexpr format gamecache_format{
    .name = "gamecache",
    .extension = ".gamecache",
    .title = "DotA game list",
    .looks_like = "the cache of the DotA replay manager: a version or a count, then games",
    .claims = &claims_gamecache,
    .open = opened_by<page_reader::others>(&open_gamecache_recording),
    .shown = {.stage = stage::table,
              .reader = page_reader::others,
              .has_sparse_ticks = true,
              .is_collection = true},
    .recover = with_files(&recover_gamecache),
};

}  // namespace tickreel::files
