#include "tickreel/game/save_last.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "publish_match.hpp"
#include "tickreel/icrep/cut.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::game {

namespace {

// For container::icrep the reel is beside the future file.
file_path live_file(const file_path& recording) {
  std::filesystem::path beside = filesystem_path(recording);
  beside += ".reel";
  return path_exists(beside) ? file_path(beside) : recording;
}

}  // namespace

result<saved_match_part> save_last(const file_path& recording, std::chrono::milliseconds time,
                                   const file_path& output) {
  if (time.count() < 0) return fail(error_code::invalid_argument, error::no_offset, "a time below 0");
  // First, so that an existing output costs no work.
  auto to = published_file::create(output, false);
  if (!to) return fail(to.error());
  auto reel = reel::reader::open(live_file(recording));
  if (!reel) return fail(reel.error());
  std::vector<byte_vector> parts;
  if (const auto published = publish_match(*reel, parts); !published) return fail(published.error());
  if (parts.empty())
    return fail(error_code::truncated, error::no_offset, "nothing of the match is sealed yet");
  const byte_vector& file = parts.back();
  const auto opened = icrep::reader::open(file);
  if (!opened) return fail(opened.error());
  const double tick_seconds = icrep::tick_seconds(opened->facts()).value_or(1.0 / 15);
  const double wanted = std::ceil(static_cast<double>(time.count()) / 1000 / tick_seconds);
  const std::uint64_t last = std::max<std::uint64_t>(opened->total_ticks(), 1) - 1;
  icrep::cut_options how;
  how.first_tick = wanted < static_cast<double>(last) ? last - static_cast<std::uint64_t>(wanted) : 0;
  how.last_tick = last;
  how.cut_from = "the ticks " + std::to_string(how.first_tick) + " to " + std::to_string(last) +
                 " of a match that continued";
  const auto made = icrep::cut(file, how);
  if (!made) return fail(made.error());
  if (auto written = to->append(made->file); !written) return fail(written.error());
  saved_match_part saved{made->first_tick, made->last_tick, made->ticks, made->missing_ticks, to->size()};
  if (auto done = to->commit(); !done) return fail(done.error());
  return saved;
}

}  // namespace tickreel::game
