// Random bytes as a reel: opened with and without its index, every record, frame and event read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/event_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  const byte_span bytes = std::as_bytes(std::span(data, size));
  reel::limits limits;
  limits.max_raw_bytes = 1u << 20;
  limits.max_stored_bytes = 1u << 20;
  for (const bool verify : {false, true}) {
    auto reader = reel::reader::from_memory(bytes, limits, verify);
    if (!reader) continue;
    const reel::table_of_contents& contents = reader->contents();
    if (contents.valid_bytes > contents.file_bytes || contents.file_bytes != size) std::abort();
    reel::record record;
    for (std::size_t number = 0; number < contents.records.size(); ++number) {
      if (!reader->read(number, record)) continue;
      if (record.payload.size() > limits.max_raw_bytes) std::abort();
      (void)reel::read_gap(record.payload);
      (void)reel::read_event(record.payload);
      // Every record may be parsed as a chunk, whatever its kind.
      reel::frame_cursor cursor(record);
      reel::frame frame;
      for (auto more = cursor.next(frame); more && *more; more = cursor.next(frame)) {}
    }
    (void)reader->last_header_update();
    (void)reader->chunk_for_tick(0);
    (void)reader->chunk_for_time(0);
    reel::frame_stream walk(*reader);
    reel::item item;
    bool has_baseline = false;
    for (auto more = walk.next(item); more && *more; more = walk.next(item)) {
      if (item.kind == reel::item_kind::loss) (void)item.lost.sentence();
      if (item.kind != reel::item_kind::frame) continue;
      if (item.frame.kind == frame_kind::keyframe) has_baseline = true;
      if (!has_baseline) std::abort();
    }
    (void)reader->refresh();
    tracks::event_reader events(*reader);
    tracks::event_view event;
    for (auto more = events.next(event); more && *more; more = events.next(event)) {
      if (event.described != nullptr && event.described->row_bytes() != event.bytes.size()) std::abort();
    }
  }
  // The hashes stop most inputs early, so the frame parser also gets the bytes directly.
  reel::record chunk;
  chunk.payload.assign(bytes.begin(), bytes.end());
  chunk.info.last_tick = 1000;
  reel::frame_cursor cursor(chunk);
  reel::frame frame;
  for (auto more = cursor.next(frame); more && *more; more = cursor.next(frame)) {
    if (frame.stamp.tick > 1000) std::abort();
  }
  for (const auto kind : {reel::record_kind::event, reel::record_kind::events}) {
    chunk.info.kind = kind;
    reel::event_cursor events(chunk);
    reel::event event;
    frame_stamp stamp;
    for (auto more = events.next(event, stamp); more && *more; more = events.next(event, stamp)) {
      if (stamp.tick > 1000 || event.bytes.size() > size) std::abort();
    }
  }
  return 0;
}
