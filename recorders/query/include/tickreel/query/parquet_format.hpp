// Parquet as an output of conversions: the ticks of a recording, with a column for each member.
#pragma once

#include "tickreel/files/format.hpp"

namespace tickreel::query {

// Only written. A conversion writes what select_all("ticks") selects.
extern const files::format parquet_format;

// Adds the format to the list of formats. Later calls change nothing.
void register_parquet_format();

}  // namespace tickreel::query
