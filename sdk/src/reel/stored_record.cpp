#include "tickreel/reel/stored_record.hpp"

#include <algorithm>
#include <limits>

#include "wire.hpp"

namespace tickreel::reel {

result<record_check> record_check::create(byte_span header_bytes, const limits& limits) {
  const auto size =
      wire::header_size(header_bytes.first(std::min(header_bytes.size(), wire::header_prefix_bytes)), limits);
  if (!size) return fail(size.error());
  if (*size != header_bytes.size()) {
    return fail(*size > header_bytes.size() ? error_code::truncated : error_code::malformed,
                header_bytes.size(), "the reel's header has {} bytes", static_cast<std::int64_t>(*size));
  }
  const auto opened = wire::read_header(header_bytes);
  if (!opened) return fail(opened.error());
  record_check out;
  out.version_ = opened->key.version;
  out.hash_ = opened->key.hash;
  out.limits_ = limits;
  return out;
}

std::optional<record_info> record_check::whole(byte_span record) const noexcept {
  const wire::reel_key key{version_, hash_};
  if (record.size() < key.head_bytes()) return std::nullopt;
  const auto info = wire::read_head(record.first(key.head_bytes()), 0, key);
  if (!info || info->stored_bytes > limits_.max_stored_bytes || info->raw_bytes > limits_.max_raw_bytes ||
      record.size() != key.record_bytes(info->stored_bytes) || !wire::hash_matches(record, key)) {
    return std::nullopt;
  }
  return info;
}

std::optional<late_beginning> beginning_of(byte_span header_bytes, const record_info& first,
                                           std::span<const record_info> kept) {
  late_beginning made;
  // A sequence that no other record here has: that of the last omitted one.
  std::uint32_t sequence = first.sequence;
  for (made.before = kept.size(); made.before > 0; --made.before) {
    if (kept[made.before - 1].sequence + 1 != sequence) break;
    --sequence;
  }
  if (sequence == 0) return std::nullopt;
  --sequence;
  const wire::reel_key key = wire::key_of(header_bytes);
  const gap missed{first.ticks_before.value_or(0), gap_reason::left_out};
  record_info& info = made.info;
  info.kind = record_kind::gap;
  info.flags = begins_here;
  info.sequence = sequence;
  info.stored_bytes = info.raw_bytes = wire::gap_payload_bytes;
  info.bytes = key.record_bytes(info.stored_bytes);
  info.last_tick = first.first_tick - std::min<std::uint64_t>(first.first_tick, 1);
  info.last_time_us = std::max<std::int64_t>(first.first_time_us, 0);
  info.frames = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(missed.ticks, std::numeric_limits<std::uint32_t>::max()));
  if (key.counts_ticks()) {
    info.ticks_before = missed.ticks - info.frames;
    info.updates_before = (made.before < kept.size() ? kept[made.before] : first).updates_before;
  }
  std::byte room[wire::gap_payload_bytes];
  byte_writer to(room);
  wire::write_gap(to, missed);
  wire::write_record(made.bytes, info, to.written(), key);
  return made;
}

}  // namespace tickreel::reel
