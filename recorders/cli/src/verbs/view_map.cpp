#include "view_map.hpp"

#include <fmt/format.h>

#include "console/console.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::cli {

namespace {

bool has_ground(const files::format& of) {
  switch (of.shown.stage) {
    case files::stage::by_tick:  // the page looks
    case files::stage::path:
    case files::stage::starcraft:
    case files::stage::world:
      return true;
    case files::stage::arena:
    case files::stage::table:
      break;
  }
  return false;
}

// What the map of the recording's game shows. Reports doubts, and why there is none.
std::optional<viewer::page_map> read_game_map(const map_arguments& arguments, const std::string& recording) {
  const auto map = files::open_source(arguments.file);
  if (!map) {
    report_error(arguments.file, map.error(), false);
    return std::nullopt;
  }
  const auto opened = files::open(recording);
  const auto summary = opened ? (*opened)->quick_summary() : result<files::summary>(fail(opened.error()));
  // The page reports what is wrong with the recording.
  const auto played = summary ? files::played_map_of(*summary) : files::played_map{};
  const auto found = files::read_ground(*map, played);
  if (!found) {
    const bool is_another_kind = found.error().code == error_code::bad_magic;
    report_error(fmt::format(
        "{}: {}{}", printable(arguments.file), files::refusal_text(found.error(), played),
        is_another_kind ? "; expected a PNG, JPEG or WebP with content, or the game's file of the map" : ""));
    return std::nullopt;
  }
  if (!found->doubt.empty()) {
    report_error(fmt::format("{}: {}", printable(arguments.file), found->doubt));
  }
  return viewer::page_map{{}, files::edges_text(*found), std::string(found->doubt), files::bitmap_of(*found)};
}

}  // namespace

std::optional<viewer::page_map> read_view_map(const map_arguments& arguments, const std::string& recording) {
  const auto format = files::detect(recording);
  if (format && !has_ground(**format)) {
    report_error(fmt::format("{}: it has no ground for a map", printable(recording)));
    return std::nullopt;
  }
  viewer::page_map out;
  const auto bytes = read_map_file(arguments);
  if (bytes && !picture_type(bytes->bytes()).empty()) {
    out.picture = as_text(bytes->bytes());
  } else if (format && (*format)->read_ground != nullptr) {
    auto found = read_game_map(arguments, recording);
    if (!found) return std::nullopt;
    out = std::move(*found);
  } else if (!bytes) {
    report_error(arguments.file, bytes.error(), false);
    return std::nullopt;
  } else {
    report_no_picture(arguments, bytes->bytes());
    return std::nullopt;
  }
  out.name = file_path(filesystem_path(arguments.file).filename()).utf8();
  if (const auto& edges = arguments.edges; !edges.empty())
    out.edges = fmt::format("{} {} {} {}", edges[0], edges[1], edges[2], edges[3]);
  return out;
}

}  // namespace tickreel::cli
