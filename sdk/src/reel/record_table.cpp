#include "record_table.hpp"

#include <algorithm>

#include "wire.hpp"

namespace tickreel::reel {

namespace {

// Such a gap must precede all ticks, and all events but the lasting ones that a late sink receives. Missing
// records after others are lost, whatever a gap states.
bool can_begin(const table_of_contents& contents) noexcept {
  constexpr std::size_t max_records_before = 16384;
  return contents.records.size() <= max_records_before &&
         std::all_of(contents.records.begin(), contents.records.end(), may_precede_beginning);
}

}  // namespace

bool is_same_record(const record_info& a, const record_info& b) noexcept {
  return a.sequence == b.sequence && a.kind == b.kind && a.codec == b.codec && a.flags == b.flags &&
         a.stored_bytes == b.stored_bytes && a.raw_bytes == b.raw_bytes && a.first_tick == b.first_tick &&
         a.last_tick == b.last_tick && a.first_time_us == b.first_time_us &&
         a.last_time_us == b.last_time_us && a.frames == b.frames && a.ticks_before == b.ticks_before &&
         a.updates_before == b.updates_before;
}

void list_record(table_of_contents& contents, const record_info& info) {
  contents.missing_records += info.sequence - next_sequence(contents);
  if (info.tells_beginning() && can_begin(contents)) {
    contents.missing_records = 0;
    contents.begins_at = info.sequence;
  }
  switch (info.kind) {
    case record_kind::chunk:
      contents.frames += info.frames;
      if ((info.flags & starts_with_keyframe) != 0) ++contents.keyframe_chunks;
      break;
    case record_kind::gap:
      contents.lost_ticks += info.frames;
      break;
    case record_kind::end:
      contents.end = reel_end::closed;
      break;
    default:
      break;
  }
  contents.records.push_back(info);
  contents.valid_bytes = wire::end_of(info);
}

}  // namespace tickreel::reel
