// The means of a forger: the format's own code, a signed match in its parts, and no key.
#pragma once

#include <boost/test/unit_test.hpp>

#include "small_world.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::test {

struct raw_keyframe {
  std::uint64_t tick = 0;
  bool full = false;
  byte_vector raw;
};

struct match_parts {
  icrep::metadata facts;
  std::vector<icrep::tick_frame> frames;
  std::vector<raw_keyframe> keyframes;
  std::vector<analysis::event> events;
  std::vector<icrep::voice::record> voice;
  icrep::signature_chain chain;
  icrep::content_seal seal;
  icrep::embedded_resources resources;  // except the seal
  std::uint64_t total_ticks = 0;
  icrep::digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
  bool has_seal = true;
  bool has_chain = true;
  std::string json;  // of `facts`; their contents if not empty
};

template <class T>
T got(result<T> made) {
  if (!made) BOOST_FAIL(describe(made.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*made);
}

inline match_parts take_apart(byte_span file) {
  const icrep::reader from = got(icrep::reader::open(file));
  match_parts out;
  out.facts = from.facts();
  icrep::tick_frame frame;
  for (auto frames = from.orders(); frames.next(frame);) out.frames.push_back(frame);
  byte_vector buffer;
  for (const auto& one : from.keyframes()) {
    const byte_span raw = got(icrep::open_keyframe(one, buffer));
    out.keyframes.push_back({one.tick, one.full, byte_vector(raw.begin(), raw.end())});
  }
  analysis::event event;
  for (auto events = from.events(); events.next(event);) out.events.push_back(event);
  byte_span record;
  std::uint64_t offset = 0;
  for (auto voice = from.voice(); voice.next(record, offset);) {
    out.voice.push_back(got(icrep::read_voice(record)));
  }
  out.chain = got(icrep::read_signature_section(from.signature_section()));
  out.resources = got(from.embedded());
  out.seal = got(icrep::read_bc1<icrep::content_seal>(out.resources.seal.value()));
  out.resources.seal.reset();
  out.total_ticks = from.header().total_ticks;
  out.final_state_hash = from.header().final_state_hash;
  out.lost_frame_count = from.header().lost_frame_count;
  out.incomplete = from.header().incomplete;
  return out;
}

// The sections as writers write them.
struct match_sections {
  std::string json;
  byte_vector orders, keyframes, events, voice, signature, embedded;
  icrep::file_sections all;
};

inline void make_sections(const match_parts& from, match_sections& out) {
  out.json = from.json.empty() ? icrep::to_json(from.facts) : from.json;
  icrep::order_stream_writer orders;
  for (const auto& frame : from.frames) got(orders.add(frame, out.orders));
  got(orders.finish(out.orders));
  icrep::keyframe_section_writer keyframes;
  for (const auto& one : from.keyframes) got(keyframes.add(one.tick, one.full, one.raw));
  out.keyframes = keyframes.finish();
  auto events = icrep::record_stream_writer::events();
  for (const auto& one : from.events) got(events.add(one, out.events));
  got(events.finish(out.events));
  auto voice = icrep::record_stream_writer::voice_frames();
  for (const auto& one : from.voice) got(voice.add(one, out.voice));
  got(voice.finish(out.voice));
  if (from.has_chain) icrep::append_bc1(out.signature, from.chain);
  auto resources = from.resources;
  if (from.has_seal) {
    resources.seal.emplace();
    icrep::append_bc1(*resources.seal, from.seal);
  }
  const bool any = resources != icrep::embedded_resources{};
  if (any) out.embedded = got(icrep::to_bytes(resources));
  out.all = {out.json,
             out.orders,
             out.keyframes,
             out.events,
             out.voice,
             out.signature,
             out.embedded,
             from.total_ticks,
             from.final_state_hash,
             from.lost_frame_count,
             from.incomplete};
}

inline byte_vector put_together(const match_parts& from) {
  match_sections made;
  make_sections(from, made);
  return got(icrep::encode_file(made.all));
}

}  // namespace tickreel::test
