#include "cut_clip.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "match_file.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {

namespace {

// File systems allow 255 bytes: "-10000" and ".echoreplay.reel" may follow the name, and "_" precedes the
// label.
constexpr std::size_t max_name_bytes = 255 - 23;
constexpr std::size_t max_stem = 200;
constexpr int max_clip_names = 10'000;

struct reel_times {
  std::int64_t first_ms = 0;  // UTC
  std::int64_t last_ms = 0;
};

std::optional<reel_times> times_of(const clip_source& from) {
  const auto reel = reel::reader::open(from.reel);
  if (!reel) return std::nullopt;
  std::optional<reel_times> found;
  for (const reel::record_info& each : reel->contents().records) {
    if (each.kind != reel::record_kind::chunk) continue;
    if (!found) found.emplace().first_ms = from.begin_ms + each.first_time_us / 1000;
    found->last_ms = from.begin_ms + each.last_time_us / 1000;
  }
  return found;
}

bool is_taken(const std::filesystem::path& stem) {
  return std::any_of(all_record_formats.begin(), all_record_formats.end(), [&](record_format format) {
    return path_exists(match_file::final_path(stem, format)) ||
           path_exists(match_file::reel_path(stem, format));
  });
}

// Removes the part of the reel after it was published, or after a failure.
struct scratch_reel {
  explicit scratch_reel(std::filesystem::path where) : path(std::move(where)) {}
  scratch_reel(const scratch_reel&) = delete;
  scratch_reel& operator=(const scratch_reel&) = delete;
  ~scratch_reel() { (void)remove_file(path); }
  std::filesystem::path path;
};

result<cut_result> cut_as(const clip_source& from, const files::tick_range& range,
                          const std::filesystem::path& stem, const files::monitor& watch) {
  cut_result done;
  done.path = match_file::final_path(stem, from.format);
  const std::filesystem::path reel = match_file::reel_path(stem, from.format);
  const auto how = files::find_conversion(from.reel, name(record_format::reel), true);
  if (!how) return fail(how.error());
  if (*how == nullptr) return fail(error_code::unsupported_operation);
  files::conversion_options options;
  options.range = range;
  options.watch = watch;
  const auto part = (*how)->run(from.reel, file_path(reel), options);
  if (!part) return fail(part.error());
  done.ticks = part->ticks;
  done.bytes = part->bytes;
  done.lost_ticks = part->lost_ticks;
  if (!is_published(from.format)) return done;
  const scratch_reel goes(reel);
  files::publish_options laying_out;
  laying_out.codec = from.codec;
  laying_out.cancelled = watch.cancelled;
  const auto published = files::publish(file_path(reel), done.path, laying_out);
  if (!published) return fail(published.error());
  done.ticks = published->ticks;
  done.bytes = published->bytes;
  // The cut reports the same events for every format.
  done.lost_ticks = part->lost_ticks + (part->ticks > published->ticks ? part->ticks - published->ticks : 0);
  return done;
}

}  // namespace

bool is_sealed(const clip_source& from, std::int64_t to_ms) {
  const auto times = times_of(from);
  return times && times->last_ms >= to_ms;
}

result<cut_result> cut_clip(const clip_source& from, std::int64_t from_ms, std::int64_t to_ms,
                            std::string_view label, clip_name& name, const files::monitor& watch) {
  const auto times = times_of(from);
  if (!times) {
    return fail(error_code::truncated, error::no_offset, "the reel contains no tick of the match yet");
  }
  files::tick_range range;
  const auto seconds = [&](std::int64_t ms) { return static_cast<double>(ms - times->first_ms) / 1000; };
  if (from_ms > times->first_ms)
    range.from = files::moment::at_time(std::min(seconds(from_ms), seconds(times->last_ms)));
  if (to_ms < times->last_ms) range.to = files::moment::at_time(std::max(seconds(to_ms), 0.0));
  if (!name.stem.empty()) return cut_as(from, range, filesystem_path(name.stem), watch);
  // The label is a player's name and the event's type; a long one is truncated at its beginning.
  const std::size_t stem_bytes = name_of_clip(from.stem).size();
  label.remove_prefix(label.size() - std::min(label.size(), max_name_bytes - std::min(stem_bytes, max_stem)));
  const std::string wanted = from.stem.utf8() + '_' + std::string(label);
  for (int number = 1; number <= max_clip_names; ++number) {
    const std::string one = number == 1 ? wanted : wanted + '-' + std::to_string(number);
    const std::filesystem::path stem = filesystem_path(file_path(one));
    if (is_taken(stem)) continue;
    auto done = cut_as(from, range, stem, watch);
    if (!done && done.error().code == error_code::already_exists) continue;
    if (done) name.stem = file_path(stem);
    return done;
  }
  return fail(error_code::already_exists);
}

std::string name_of_clip(const file_path& path) {
  return file_path(filesystem_path(path).filename()).utf8();
}

}  // namespace tickreel::echo_vr
