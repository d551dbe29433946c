// What the program prints as JSON of a recording: summaries, verifications and ticks.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"

namespace tickreel::text {
class json_writer;
}

namespace tickreel::files {

struct player_row;

// Each appends one object on one line, without a newline.

// What `info --json` prints. An empty `file` is left out. `more`: members of the object, as JSON.
void append_summary(std::string_view file, const summary& what, std::string& json,
                    std::string_view more = {});
// What `verify --json` prints. An empty `file` is left out.
void append_verification(std::string_view file, std::string_view format, const verification& outcome,
                         std::string& json);
// How a tick begins that `cat` prints, up to its state: {"tick":0,"time_ms":0,
void append_line_begin(const tick_position& of, std::string& json);

// A match of `stats --json`. An empty `file` is left out.
void append_match(std::string_view file, std::size_t number, const match_rows& rows, std::string& json);
// The members of a row, or of sums of rows, that hold its numbers.
void append_statistics(const player_row& row, text::json_writer& json);

}  // namespace tickreel::files
