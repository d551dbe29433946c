#include "world_map.hpp"

#include <fmt/format.h>

#include <utility>

#include "checks.hpp"
#include "console.hpp"
#include "tickreel/bytes/reader.hpp"
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

namespace {

// The first of the chunks is the size, and pixels follow.
bool has_png_content(byte_span bytes) {
  byte_reader in(bytes);
  in.skip(4);  // the length of the chunk
  if (as_text(in.bytes(4)) != "IHDR") return false;
  const bool has_size = in.big<std::uint32_t>() != 0 && in.big<std::uint32_t>() != 0;
  return in.ok() && has_size && as_text(in.rest()).find("IDAT") != std::string_view::npos;
}

// Segments up to the pixels, one of which is the size.
bool has_jpeg_content(byte_span bytes) {
  byte_reader in(bytes);
  bool has_size = false;
  while (in.ok() && in.u8() == 0xFF) {
    std::uint8_t kind = in.u8();
    while (kind == 0xFF) kind = in.u8();  // fill bytes
    if (kind == 0xDA) return has_size && in.remaining() > 2;
    const std::uint16_t size = in.big<std::uint16_t>();
    byte_reader content(in.bytes(size < 2 ? 0u : size - 2u));
    const bool is_frame = kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC;
    if (!is_frame) continue;
    content.skip(1);
    has_size = content.big<std::uint16_t>() != 0 && content.big<std::uint16_t>() != 0 && content.ok();
  }
  return false;
}

bool has_webp_content(byte_span bytes) {
  byte_reader in(bytes);
  const bool is_picture = as_text(in.bytes(4)).starts_with("VP8");
  return is_picture && in.u32() != 0 && in.ok() && in.remaining() != 0;
}

}  // namespace

std::string_view picture_type(byte_span bytes) noexcept {
  using namespace std::string_view_literals;
  const std::string_view text = as_text(bytes);
  const auto after = [&](std::string_view head) { return bytes.subspan(head.size()); };
  constexpr auto png = "\x89PNG\r\n\x1A\n"sv;
  if (text.starts_with(png)) return has_png_content(after(png)) ? "image/png" : "";
  constexpr auto jpeg = "\xFF\xD8"sv;
  if (text.starts_with(jpeg)) return has_jpeg_content(after(jpeg)) ? "image/jpeg" : "";
  const bool is_webp = text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP");
  return is_webp && has_webp_content(bytes.subspan(12)) ? "image/webp" : "";
}

void report_no_picture(const map_arguments& arguments, byte_span bytes) {
  report_error(fmt::format("{}: {}: expected a PNG, JPEG or WebP", printable(arguments.file),
                           bytes.empty() ? "the file is empty" : "not a picture, or one without content"));
}

}  // namespace tickreel::cli
