#include "match_frame.hpp"

#include <algorithm>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/game/convert.hpp"

namespace tickreel::game {

namespace {

// A day: longer ticks are invalid.
constexpr double longest_tick_us = 86'400e6;

}  // namespace

bool is_reel(byte_span file) noexcept {
  constexpr std::string_view magic = "TICKREEL";
  return as_text(file).starts_with(magic);
}

bool is_match_reel(const reel::header& head) noexcept {
  return head.encoder_name == match_reel_encoder;
}

byte_vector match_schema(const icrep::metadata& facts) {
  const std::string json = icrep::to_json(facts);
  const byte_span text = as_bytes(json);
  return {text.begin(), text.end()};
}

match_clock::match_clock(const icrep::metadata& facts) {
  const double us = icrep::tick_seconds(facts).value_or(0) * 1e6;
  if (us >= 1 && us <= longest_tick_us) tick_us_ = us;
}

frame_stamp match_clock::stamp_of(std::uint64_t tick) const noexcept {
  const double us = static_cast<double>(tick) * tick_us_;
  // Beyond that, 285 years, doubles cannot represent microseconds.
  constexpr double last_us = 9.0e15;
  return {tick, static_cast<std::int64_t>(std::min(us, last_us))};
}

double match_clock::ticks_per_second() const noexcept {
  return tick_us_ == 0 ? 0 : 1e6 / tick_us_;
}

bool read_match_frame(byte_span from, match_frame& out) noexcept {
  byte_reader in(from);
  out = {};
  const unsigned parts = in.u8();
  const unsigned kind = parts & (full_part | delta_part);
  const bool chained = (parts & chain_part) != 0;
  if (!in.ok() || parts > (orders_part | full_part | delta_part | stored_part | chain_part) ||
      kind == (full_part | delta_part) || (kind == 0 && (parts & stored_part) != 0) ||
      (chained && (kind != delta_part || (parts & stored_part) != 0))) {
    return false;
  }
  if (kind != 0) {
    framed_keyframe& keyframe = out.keyframe.emplace();
    keyframe.full = kind == full_part;
    keyframe.stored = (parts & stored_part) != 0;
    keyframe.chained = chained;
    if (keyframe.stored) {
      keyframe.raw_bytes = in.u32();
      keyframe.baseline_tick = in.u64();
      keyframe.bytes = in.bytes(in.u32());
    } else {
      keyframe.bytes = in.bytes(in.u32());
      keyframe.raw_bytes = static_cast<std::uint32_t>(keyframe.bytes.size());
      if (!keyframe.full && !chained) keyframe.baseline_tick = byte_reader(keyframe.bytes).u64();
    }
    if (!in.ok() || keyframe.bytes.size() > keyframe.raw_bytes) return false;
  }
  if ((parts & orders_part) == 0) return in.at_end();
  out.orders = in.rest();
  return !out.orders.empty();
}

std::span<const byte_span> frame_writer::parts(const match_frame& from) noexcept {
  byte_writer out(head_);
  unsigned parts = from.orders.empty() ? 0u : static_cast<unsigned>(orders_part);
  byte_span keyframe;
  if (from.keyframe) {
    const framed_keyframe& one = *from.keyframe;
    keyframe = one.bytes;
    parts |= one.full ? full_part : delta_part;
    if (one.stored) parts |= stored_part;
    if (one.chained) parts |= chain_part;
    out.u8(static_cast<std::uint8_t>(parts));
    if (one.stored) {
      out.u32(one.raw_bytes);
      out.u64(one.full ? 0 : one.baseline_tick);
    }
    out.u32(static_cast<std::uint32_t>(one.bytes.size()));
  } else {
    out.u8(static_cast<std::uint8_t>(parts));
  }
  parts_ = {out.written(), keyframe, from.orders};
  return parts_;
}

}  // namespace tickreel::game
