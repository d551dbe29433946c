// Arbitrary frames and events as a match in a reel: the converted file must be accepted by readers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "../../recorders/game/src/match_frame.hpp"
#include "../../recorders/game/src/publish_match.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

namespace {

using namespace tickreel;

// The reel around the bytes is valid, so that all of the input reaches the code behind it. Each piece begins with its length and
// its kind.
byte_vector reel_of(byte_span input) {
  icrep::metadata facts;
  facts.tick_rate = "15/1";
  facts.schema = icrep::schema{{{0, "a", 4}, {1, "b", 0}}, {{0, "c", 4}}, {{1, "d", 2}}};
  reel::header head;
  head.encoder_name = game::match_reel_encoder;
  head.encoder_version = game::match_reel_version;
  head.schema = game::match_schema(facts);
  auto out = reel::writer::create_without_file(std::move(head), {codec_id::none});
  if (!out) std::abort();
  auto owned = std::make_unique<reel::memory_sink>();
  const reel::memory_sink& made = *owned;
  byte_vector copy;
  out->add_sink(std::move(owned));
  std::uint64_t tick = 0;
  byte_reader in(input);
  while (in.ok() && !in.at_end()) {
    const std::uint8_t kind = in.u8();
    const std::size_t size = std::min<std::size_t>(in.u8(), in.remaining());
    const byte_span piece = in.bytes(size);
    if (!in.ok()) break;
    reel::record_info about;
    about.first_tick = about.last_tick = tick;
    if (kind % 4 == 3) {
      about.kind = reel::record_kind::header_update;
      (void)out->append(about, piece);
    } else if (kind % 4 == 2) {
      (void)out->append_event({tick, 0}, kind >> 2, piece);
    } else {
      about.kind = reel::record_kind::chunk;
      about.frames = 1;
      about.flags = kind % 4 == 0 ? reel::starts_with_keyframe : 0;
      byte_vector payload = {std::byte{0}, std::byte{0}};
      std::byte room[10];
      byte_writer length(room);
      write_leb128(length, std::uint64_t{piece.size()} * 2 + (kind % 4 == 0 ? 1 : 0));
      payload.insert(payload.end(), length.written().begin(), length.written().end());
      payload.insert(payload.end(), piece.begin(), piece.end());
      (void)out->append(about, payload);
      ++tick;
    }
    copy.assign(made.bytes().begin(), made.bytes().end());
  }
  return copy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_vector bytes = reel_of(std::as_bytes(std::span(data, size)));
  if (bytes.empty()) return 0;
  auto reel = reel::reader::from_memory(bytes);
  if (!reel) std::abort();
  std::vector<byte_vector> files;
  if (!game::publish_match(*reel, files)) return 0;
  for (const byte_vector& file : files) {
    const auto opened = icrep::reader::open(file);
    if (!opened) std::abort();
    (void)opened->verify();
  }
  return 0;
}
