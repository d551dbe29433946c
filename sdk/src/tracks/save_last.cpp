#include "tickreel/tracks/save_last.hpp"

#include <algorithm>
#include <string>

#include "tickreel/reel/cut.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/events.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

namespace tickreel::tracks {

result<saved_part> save_last(const file_path& reel, std::int64_t time_us, const file_path& output) {
  if (time_us < 0) return fail(error_code::invalid_argument, error::no_offset, "a time below 0");
  auto from = reel::reader::open(reel);
  if (!from) return fail(from.error());
  // The newest whole tick now; it does not wait for further seals.
  const reel::record_info* newest = nullptr;
  for (const reel::record_info& each : from->contents().records) {
    if (each.kind == reel::record_kind::chunk) newest = &each;
  }
  if (newest == nullptr)
    return fail(error_code::out_of_range, error::no_offset, "no tick is in the reel yet");
  reel::cut_options how;
  how.last_tick = newest->last_tick;
  const auto first = reel::first_tick_from(
      *from, newest->last_time_us - std::min(time_us, newest->last_time_us), reel::edge::with_lost);
  if (!first) return fail(first.error());
  how.first_tick = *first;
  const std::string text = "the ticks " + std::to_string(how.first_tick) + " to " +
                           std::to_string(how.last_tick) + " of a recording that went on";
  how.metadata.push_back({"cut_from", {as_bytes(text).begin(), as_bytes(text).end()}});
  saved_part saved;
  how.missing = [&](const reel::item& each) {
    if (each.kind == reel::item_kind::gap) saved.lost_ticks += each.gap.ticks;
    if (each.kind == reel::item_kind::loss) saved.lost_ticks += each.lost.ticks;
  };
  how.takes_along = [](std::uint64_t, const reel::event& one) { return one.type == event_description_type; };
  auto rows = row_rewriter::create(from->head().schema, {.rows_version = from->head().encoder_version});
  if (!rows) return fail(rows.error());
  how.rewriter = &*rows;
  const auto done = reel::cut_into(*from, output, how);
  if (!done) return fail(done.error());
  saved.first = done->first;
  saved.last = done->last;
  saved.ticks = done->ticks;
  saved.bytes = done->bytes;
  return saved;
}

}  // namespace tickreel::tracks
