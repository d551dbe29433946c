#include "world_map.hpp"

#include <fmt/format.h>

#include <utility>

#include "checks.hpp"
#include "console.hpp"
#include "tickreel/files/distant_files.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {
// In units of the game: more than any game's world has, and less than a page can draw.
constexpr double farthest_edge = 1e10;
constexpr double least_side = 1e-3;
}  // namespace

void add_map_options(command& to, map_arguments& arguments, std::string file_help, std::string edges_help) {
  to.add_option("--map", arguments.file, std::move(file_help)).check(file_to_read());
  to.add_option("--map-edges", arguments.edges, std::move(edges_help))
      .values(4)
      .check(finite_number())
      .check(between(-farthest_edge, farthest_edge))
      .needs("--map");
}

int refuse_edges(const map_arguments& arguments) {
  const auto& edges = arguments.edges;
  if (edges.empty() || (edges[2] - edges[0] >= least_side && edges[3] - edges[1] >= least_side)) return done;
  return report_usage(fmt::format("--map-edges: WEST SOUTH EAST NORTH, at least {} apart", least_side));
}

result<held_bytes> read_map_file(const map_arguments& arguments) {
  constexpr std::uint64_t max_bytes = 64u << 20;
  const auto opened = files::open_source(arguments.file);
  if (!opened) return fail(opened.error());
  return opened->whole(max_bytes);
}

std::string_view picture_type(byte_span bytes) noexcept {
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\x89PNG")) return "image/png";
  if (text.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return "image/webp";
  return {};
}

void report_no_picture(const map_arguments& arguments) {
  report_error(fmt::format("{}: not a PNG, JPEG or WebP", printable(arguments.file)));
}

}  // namespace tickreel::cli
