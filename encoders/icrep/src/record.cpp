#include "tickreel/icrep/record.hpp"

#include "tickreel/bytes/endian.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::size_t length_bytes = sizeof(std::uint32_t);
// Only a track has this size: a frame has its two counts more.
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
  auto what = read_bc1<analysis::happening>(input, most, base_offset);
  if (!what) return fail(what.error());
  return analysis::event{std::move(*what), false};
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
