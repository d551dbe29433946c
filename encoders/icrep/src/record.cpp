#include "tickreel/icrep/record.hpp"

#include "tickreel/bytes/endian.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::size_t length_bytes = sizeof(std::uint32_t);
// Only a track has this size: a frame has two counts more.
constexpr std::size_t track_bytes = 8;

}  // namespace

void append_event(byte_vector& out, const analysis::event& happened) {
  append_bc1(out, happened.what);
}

result<std::optional<analysis::event>> read_event(byte_span input, const limits& most,
                                                  std::uint64_t base_offset) {
  byte_reader type(input, base_offset);
  if (type.u32() >= analysis::type_count) return std::nullopt;
  if (!type.ok()) return type.failure("an event's type");
  auto what = read_bc1<analysis::event_data>(input, most, base_offset);
  if (!what) return fail(what.error());
  return analysis::event{std::move(*what), false};
}

namespace {

// The part after the type.
struct game_event_content {
  std::uint64_t tick = 0;
  byte_vector content;
};
TICKREEL_DESCRIBE(game_event_content, tick, content);

}  // namespace

void append_game_event(byte_vector& out, std::uint32_t number, std::uint64_t tick, byte_span content) {
  append_bc1(out, first_game_event_type + number);
  append_bc1(out, tick);
  append_bc1(out, std::uint64_t{content.size()});
  out.insert(out.end(), content.begin(), content.end());
}

result<game_event> read_game_event(byte_span input, const limits& most, std::uint64_t base_offset) {
  byte_reader type(input, base_offset);
  const std::uint32_t number = type.u32();
  if (!type.ok()) return type.failure("an event's type");
  if (number < first_game_event_type)
    return fail(error_code::malformed, base_offset, "no event of a game's own");
  auto rest = read_bc1<game_event_content>(type.rest(), most, base_offset);
  if (!rest) return fail(rest.error());
  return game_event{number - first_game_event_type, rest->tick, std::move(rest->content)};
}

result<void> check_event(byte_span record, const limits& most, std::uint64_t base_offset) {
  byte_reader head(record, base_offset);
  const std::uint32_t type = head.u32();
  const std::uint64_t tick = head.u64();
  if (!head.ok()) return head.failure("an event without type and tick");
  if (tick > last_writable_tick) return fail(error_code::over_limit, base_offset, "a tick above 2^53");
  if (type >= first_game_event_type) {
    const auto own = read_game_event(record, most, base_offset);
    return own ? result<void>() : fail(own.error());
  }
  const auto known = read_event(record, most, base_offset);
  return known ? result<void>() : fail(known.error());
}

void append_voice(byte_vector& out, const voice::record& said) {
  std::visit([&](const auto& kind) { append_bc1(out, kind); }, said);
}

result<voice::record> read_voice(byte_span input, const limits& most, std::uint64_t base_offset) {
  if (input.size() == track_bytes) {
    auto track = read_bc1<voice::track>(input, most, base_offset);
    if (!track) return fail(track.error());
    return *track;
  }
  auto frame = read_bc1<voice::frame>(input, most, base_offset);
  if (!frame) return fail(frame.error());
  return std::move(*frame);
}

result<void> record_stream_writer::add(const analysis::event& happened, byte_vector& out) {
  if (kind_ != block_kind::events)
    return fail(error_code::wrong_state, error::no_offset, "not an event stream");
  if (auto sound = check_bc1(happened.what); !sound) return sound;
  encoded_.assign(length_bytes, std::byte{0});
  append_event(encoded_, happened);
  return add_encoded(analysis::tick_of(happened), out);
}

result<void> record_stream_writer::add_encoded_event(byte_span record, byte_vector& out) {
  if (kind_ != block_kind::events)
    return fail(error_code::wrong_state, error::no_offset, "not an event stream");
  if (auto sound = check_event(record); !sound) return sound;
  byte_reader head(record);
  head.skip(sizeof(std::uint32_t));
  const std::uint64_t tick = head.u64();
  encoded_.assign(length_bytes, std::byte{0});
  encoded_.insert(encoded_.end(), record.begin(), record.end());
  return add_encoded(tick, out);
}

result<void> record_stream_writer::add(const voice::record& said, byte_vector& out) {
  if (kind_ != block_kind::voice)
    return fail(error_code::wrong_state, error::no_offset, "not a voice stream");
  if (const auto* frame = std::get_if<voice::frame>(&said)) {
    if (auto sound = check_bc1(*frame); !sound) return sound;
  }
  encoded_.assign(length_bytes, std::byte{0});
  append_voice(encoded_, said);
  const auto* frame = std::get_if<voice::frame>(&said);
  return add_encoded(frame != nullptr ? frame->tick : tick_, out);
}

result<void> record_stream_writer::add_encoded(std::uint64_t tick, byte_vector& out) {
  tickreel::detail::store<std::endian::little>(encoded_.data(),
                                               static_cast<std::uint32_t>(encoded_.size() - length_bytes));
  if (auto done = blocks_.add(tick, encoded_, out); !done) return done;
  tick_ = tick;
  return {};
}

}  // namespace tickreel::icrep
