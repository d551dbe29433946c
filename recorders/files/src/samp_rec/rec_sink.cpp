#include "tickreel/files/rec_sink.hpp"

#include <algorithm>

#include "byte_stream.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::files {

namespace {

using samp_rec::recording_kind;

// Converts frames of one block type to the file's bytes.
template <class Block>
result<void> add_block(samp_rec::writer<Block>& writer, byte_span frame, byte_vector& out,
                       rec_sink_counters& counters) {
  byte_reader from(frame);
  Block block;
  read(from, block);
  if (!from.ok() || !from.at_end())
    return fail(error_code::malformed, error::no_offset, "a frame is not a block");
  const std::size_t before = out.size();
  out.resize(before + Block::wire_bytes);
  byte_writer to(mutable_byte_span(out).subspan(before));
  const auto written = writer.append(block, to);
  if (written) {
    ++counters.blocks;
    return {};
  }
  out.resize(before);
  if (written.error().code != error_code::invalid_argument) return written;
  ++counters.refused;
  return {};
}

}  // namespace

struct rec_sink::state {
  state(file&& opened, recording_kind chosen, rec_sink_counters* count) noexcept
      : to(std::move(opened)), kind(chosen), counters(count != nullptr ? count : &own_counters) {}

  file to;
  recording_kind kind;
  rec_sink_counters own_counters;
  rec_sink_counters* counters;
  samp_rec::writer<samp_rec::vehicle_block> vehicle;
  samp_rec::writer<samp_rec::on_foot_block> on_foot;
  byte_vector reel;  // the reel's header, followed by one record
  std::size_t reel_header_bytes = 0;
  reel::record chunk;
  byte_vector blocks;

  result<void> begin() {
    std::array<std::byte, samp_rec::file_header::wire_bytes> room;
    byte_writer header(room);
    const auto begun = kind == recording_kind::vehicle ? vehicle.begin(header) : on_foot.begin(header);
    if (!begun) return begun;
    return to.append(header.written());
  }
};

rec_sink::rec_sink(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
rec_sink::~rec_sink() = default;

result<std::unique_ptr<rec_sink>> rec_sink::create(const file_path& path, recording_kind kind, bool overwrite,
                                                   rec_sink_counters* counters, system_calls& calls) {
  if (kind == recording_kind::none) {
    return fail(error_code::invalid_argument, error::no_offset, "a recording is of a vehicle or on foot");
  }
  if (auto checked = check_path(path); !checked) return fail(checked.error());
  if (overwrite) (void)calls.remove(path.utf8().c_str());
  auto opened = file::create_new(path, calls);
  if (!opened) return fail(opened.error());
  auto made = std::make_unique<state>(std::move(*opened), kind, counters);
  if (auto begun = made->begin(); !begun) return fail(begun.error());
  return std::unique_ptr<rec_sink>(new rec_sink(std::move(made)));
}

result<void> rec_sink::accept_header(byte_span bytes) {
  state_->reel.assign(bytes.begin(), bytes.end());
  state_->reel_header_bytes = bytes.size();
  return {};
}

result<void> rec_sink::accept_record(const reel::record_info& info, byte_span bytes) {
  if (info.kind != reel::record_kind::chunk) return {};
  state& self = *state_;
  self.reel.resize(self.reel_header_bytes);
  self.reel.insert(self.reel.end(), bytes.begin(), bytes.end());
  auto reader = reel::reader::from_memory(self.reel);
  if (!reader) return fail(reader.error());
  if (auto got = reader->read(0, self.chunk); !got) return got;
  self.blocks.clear();
  reel::frame_cursor frames(self.chunk);
  reel::frame frame;
  for (;;) {
    const auto more = frames.next(frame);
    if (!more) return fail(more.error());
    if (!*more) break;
    const auto added = self.kind == recording_kind::vehicle
                           ? add_block(self.vehicle, frame.bytes, self.blocks, *self.counters)
                           : add_block(self.on_foot, frame.bytes, self.blocks, *self.counters);
    if (!added) return added;
  }
  return self.blocks.empty() ? result<void>{} : self.to.append(self.blocks);
}

result<void> rec_sink::sync() {
  return state_->to.sync();
}

result<void> rec_sink::close() {
  if (auto synced = state_->to.sync(); !synced) return synced;
  return state_->to.close();
}

}  // namespace tickreel::files
