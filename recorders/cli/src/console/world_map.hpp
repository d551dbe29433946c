// The options --map and --map-edges: a picture of the game's world below what is drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/result.hpp"

namespace tickreel::cli {

struct map_arguments {
  std::string file;
  std::vector<double> edges;  // empty, or west, south, east, north
};

void add_map_options(command& to, map_arguments& arguments, std::string file_help, std::string edges_help);
// Reports edges in a wrong order; otherwise `done`.
[[nodiscard]] int refuse_edges(const map_arguments& arguments);
// Its bytes, at most 64 MB. Pipes are refused, because opening one can wait forever.
result<held_bytes> read_map_file(const map_arguments& arguments);
// The type of a picture for browsers, "image/png". Empty, which is then an error, for other content and for a picture
// without size or pixels.
[[nodiscard]] std::string_view picture_type(byte_span bytes) noexcept;
void report_no_picture(const map_arguments& arguments, byte_span bytes);

}  // namespace tickreel::cli
