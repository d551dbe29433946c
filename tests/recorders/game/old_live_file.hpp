// The files of a killed recorder of version 0.1: a live .icrep and its spools. Recorders no longer write them; recovery always
// supports them.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "../../encoders/icrep/live_file.hpp"
#include "file_bytes.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::test {

// Of the first `ticks` ticks of a finished match; blocks end every `block` ticks, as when a recorder writes what it has.
inline void leave_old_live_file(const std::string& finished, const std::string& path, std::uint64_t ticks,
                                std::uint64_t block = 16) {
  const byte_vector bytes = read_file(finished);
  const auto from = icrep::reader::open(bytes);
  BOOST_REQUIRE(from);
  icrep::metadata facts = from->facts();
  facts.total_ticks = 0;
  facts.duration_seconds = 0;
  facts.state_hash.reset();
  for (auto& player : facts.players) player.outcome = "unknown";

  byte_vector live = begin_live_file(icrep::to_json(facts));
  icrep::order_stream_writer orders;
  icrep::tick_frame frame;
  for (auto frames = from->orders(0, ticks); frames.next(frame);) {
    BOOST_REQUIRE(orders.add(frame, live));
    if (frame.tick % block == block - 1) BOOST_REQUIRE(orders.flush(live));
  }
  BOOST_REQUIRE(orders.flush(live));
  write_file(path, live);

  byte_vector spool;
  byte_vector raw;
  for (const auto& keyframe : from->keyframes()) {
    if (keyframe.tick >= ticks) break;
    const auto snapshot = icrep::open_keyframe(keyframe, raw);
    BOOST_REQUIRE(snapshot);
    BOOST_REQUIRE(append_keyframe_block(spool, keyframe.tick, keyframe.full, *snapshot));
  }
  write_file(path + ".kf", spool);

  byte_vector event_bytes;
  auto events = icrep::record_stream_writer::events();
  icrep::event_filter filter;
  filter.end_tick = ticks;
  analysis::event happened;
  for (auto cursor = from->events(filter); cursor.next(happened);) {
    BOOST_REQUIRE(events.add(happened, event_bytes));
  }
  BOOST_REQUIRE(events.flush(event_bytes));
  write_file(path + ".ev", event_bytes);

  if (!from->header().has_voice) return;
  byte_vector said;
  auto voice = icrep::record_stream_writer::voice_frames();
  byte_span record;
  std::uint64_t offset = 0;
  for (auto cursor = from->voice(); cursor.next(record, offset);) {
    const auto one = icrep::read_voice(record);
    BOOST_REQUIRE(one);
    const auto* packet = std::get_if<icrep::voice::frame>(&*one);
    if (packet != nullptr && packet->tick >= ticks) break;
    BOOST_REQUIRE(voice.add(*one, said));
  }
  BOOST_REQUIRE(voice.flush(said));
  write_file(path + ".vo", said);
}

}  // namespace tickreel::test
