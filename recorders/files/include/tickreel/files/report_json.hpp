// JSON that the program prints about a recording: summaries, verifications and ticks.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"

namespace tickreel::text {
class json_writer;
}

namespace tickreel::files {

struct player_row;

// The member "file" of an object. JSON has no bytes: for a name that is not UTF-8, "file_hex" has its bytes as
// hexadecimal digits.
void add_file_member(std::string_view name, text::json_writer& json);

// Each appends one object on one line, without a newline.

// The output of `info --json`. An empty `file` is omitted. `more`: additional members, as JSON.
void append_summary(std::string_view file, const summary& what, std::string& json,
                    std::string_view more = {});
// The output of `verify --json`. An empty `file` is omitted.
void append_verification(std::string_view file, std::string_view format, const verification& outcome,
                         std::string& json);
// The beginning of a tick in `cat`, up to its state: {"tick":0,"time_ms":0,
void append_line_begin(const tick_position& of, std::string& json);
// The whole current tick in `cat`.
void append_tick(const recording& from, std::string& json);

// A match of `stats --json`. An empty `file` is left out.
void append_match(std::string_view file, std::size_t number, const match_rows& rows, std::string& json);
// The members of a row, or of sums of rows, that hold its numbers.
void append_statistics(const player_row& row, text::json_writer& json);

}  // namespace tickreel::files
