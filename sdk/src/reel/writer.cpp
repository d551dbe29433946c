#include "tickreel/reel/writer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lasting_events.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/stored_record.hpp"
#include "wire.hpp"

namespace tickreel::reel {

struct writer::state {
  explicit state(compressor made) noexcept : codec(std::move(made)) {}

  byte_vector header_bytes;
  wire::reel_key key;
  compressor codec;
  std::optional<file> out;
  std::vector<std::unique_ptr<sink>> sinks;
  std::size_t failed_sinks = 0;
  std::optional<error> sink_failure;

  std::vector<record_info> records;
  std::uint32_t next_sequence = 0;
  std::uint64_t ticks = 0;    // `frames` of all chunks and gaps
  std::uint32_t updates = 0;  // of the encoder's header
  wire::end_payload totals;
  std::uint64_t end = 0;
  bool finished = false;
  lasting_events lasting;
  // Reused from record to record.
  byte_vector compressed;
  byte_vector record;

  // Calls every sink; one that fails is closed and disabled.
  template <class Call>
  void to_sinks(Call call) {
    std::erase_if(sinks, [&](std::unique_ptr<sink>& receiver) {
      const result<void> taken = call(*receiver);
      if (taken) return false;
      ++failed_sinks;
      sink_failure = taken.error();
      (void)receiver->close();
      return true;
    });
  }

  // Passes on `record`, which `info` describes.
  result<void> emit(const record_info& info) {
    if (out) {
      if (auto done = out->append(record); !done) return done;
    }
    to_sinks([&](sink& receiver) { return receiver.accept_record(info, record); });
    if (!out && sinks.empty()) {
      return fail(sink_failure.value_or(error{error_code::wrong_state, error::no_offset, "no sink"}));
    }
    end += record.size();
    return {};
  }

  result<record_info> append(const record_info& about, byte_span payload, bool compress) {
    if (finished) return fail(error_code::wrong_state, error::no_offset, "the reel is finished");
    if (payload.size() > limits{}.max_raw_bytes) {
      return fail(error_code::over_limit, error::no_offset, "a record of {} bytes; the limit is {}",
                  static_cast<std::int64_t>(payload.size()), limits{}.max_raw_bytes);
    }
    record_info info = about;
    info.codec = codec_id::none;
    byte_span stored = payload;
    if (compress && codec.codec() != codec_id::none) {
      if (auto done = codec.compress(payload, compressed); !done) return fail(done.error());
      if (compressed.size() < payload.size()) {
        stored = compressed;
        info.codec = codec.codec();
      }
    }
    if (stored.size() > limits{}.max_stored_bytes) {
      return fail(error_code::over_limit, error::no_offset, "a stored record of {} bytes; the limit is {}",
                  static_cast<std::int64_t>(stored.size()), limits{}.max_stored_bytes);
    }
    info.raw_bytes = static_cast<std::uint32_t>(payload.size());
    return append_stored(info, stored);
  }

  result<record_info> append_stored(record_info info, byte_span stored) {
    info.stored_bytes = static_cast<std::uint32_t>(stored.size());
    info.sequence = next_sequence;
    info.ticks_before.reset();
    info.updates_before = 0;
    if (key.counts_ticks()) {
      info.ticks_before = ticks;
      info.updates_before = updates;
    }
    info.offset = end;
    info.bytes = key.record_bytes(info.stored_bytes);
    info.damaged = false;
    wire::write_record(record, info, stored, key);
    if (auto done = emit(info); !done) return fail(done.error());
    records.push_back(info);
    ++next_sequence;
    if (info.counts_ticks()) ticks += info.frames;
    if (info.changes_header()) ++updates;
    return info;
  }

  // Sends to a joining sink what it lacks.
  result<void> send_beginning(sink& to) const {
    record_info next;
    next.sequence = next_sequence;
    next.ticks_before = ticks;
    next.updates_before = updates;
    for (auto last = records.rbegin(); last != records.rend() && next.first_tick == 0; ++last) {
      if (!last->counts_ticks()) continue;
      next.first_tick = last->last_tick + 1;
      next.first_time_us = last->last_time_us;
    }
    const auto late = beginning_of(header_bytes, next, {});
    return late ? to.accept_record(late->info, late->bytes) : result<void>{};
  }

  void count(const record_info& info) {
    if (info.kind != record_kind::chunk) return;
    ++totals.chunks;
    totals.frames += info.frames;
    repeat_events(false);
  }

  void repeat_events(bool at_end) {
    lasting.repeat(totals.chunks, at_end, [this](const record_info& about, byte_span payload) {
      return append(about, payload, true).has_value();
    });
  }
};

writer::writer(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
writer::writer(writer&&) noexcept = default;
writer& writer::operator=(writer&&) noexcept = default;
writer::~writer() = default;

result<writer> writer::make(header&& head, const codec_options& options) {
  auto codec = compressor::create(options);
  if (!codec) return fail(codec.error());
  if (!options.dictionary.empty()) {
    head.metadata.push_back(
        {std::string(dictionary_key), byte_vector(options.dictionary.begin(), options.dictionary.end())});
  }
  auto bytes = wire::write_header(head);
  if (!bytes) return fail(bytes.error());
  auto made = std::make_unique<state>(std::move(*codec));
  made->header_bytes = std::move(*bytes);
  made->end = made->header_bytes.size();
  made->key = wire::key_of(made->header_bytes);
  return writer(std::move(made));
}

result<writer> writer::create(const file_path& path, header head, const codec_options& codec,
                              system_calls& calls) {
  auto made = make(std::move(head), codec);
  if (!made) return made;
  auto created = file::create_new(path, calls);
  if (!created) return fail(created.error());
  result<void> done = created->append(made->state_->header_bytes);
  if (done) done = created->sync();
  if (done) {
    // So that the name also survives a power cut.
    const std::int64_t answer = calls.sync_folder(path.utf8().c_str());
    if (answer < 0) done = fail(from_system_error(static_cast<int>(-answer), "syncing the folder"));
  }
  if (!done) {
    created->discard();
    return fail(done.error());
  }
  made->state_->out.emplace(std::move(*created));
  return made;
}

result<writer> writer::create(const file_path& path, header head, const codec_options& codec) {
  return create(path, std::move(head), codec, system_calls::real());
}

result<writer> writer::resume(std::optional<file> out, reader& from, const table_of_contents& contents,
                              const codec_options& codec) {
  const byte_span header_bytes = from.header_bytes();
  if (header_bytes.size() < wire::header_prefix_bytes + wire::hash_bytes ||
      contents.end == reel_end::closed) {
    return fail(error_code::wrong_state, error::no_offset, "the reel has its end");
  }
  auto codecs = compressor::create(codec);
  if (!codecs) return fail(codecs.error());
  auto made = std::make_unique<state>(std::move(*codecs));
  made->key = wire::key_of(header_bytes);
  made->records = contents.records;
  made->end = contents.valid_bytes;
  if (!contents.records.empty()) {
    const record_info& last = contents.records.back();
    made->next_sequence = last.sequence + 1;
    made->ticks = last.ticks_before.value_or(0);
    if (last.counts_ticks()) made->ticks += last.frames;
    made->updates = last.updates_before + (last.changes_header() ? 1 : 0);
  }
  made->totals.frames = contents.frames;
  made->totals.lost_ticks = contents.lost_ticks;
  const auto chunks = made->lasting.restore(from, contents.records.size());
  if (!chunks) return fail(chunks.error());
  made->totals.chunks = *chunks;
  made->out = std::move(out);
  if (made->out) made->repeat_events(false);
  return writer(std::move(made));
}

result<writer> writer::create_without_file(header head, const codec_options& codec) {
  return make(std::move(head), codec);
}

result<record_info> writer::append(const record_info& about, byte_span payload) {
  auto info = state_->append(about, payload, true);
  if (info) state_->count(*info);
  return info;
}

result<record_info> writer::append_stored(const record_info& about, byte_span stored) {
  if (state_->finished) return fail(error_code::wrong_state, error::no_offset, "the reel is finished");
  auto info = state_->append_stored(about, stored);
  if (!info) return info;
  state_->count(*info);
  if (info->kind == record_kind::gap) state_->totals.lost_ticks += info->frames;
  return info;
}

result<record_info> writer::append_gap(const gap& lost, frame_stamp first, frame_stamp last) {
  std::byte room[wire::gap_payload_bytes];
  byte_writer to(room);
  wire::write_gap(to, lost);
  record_info about;
  about.kind = record_kind::gap;
  about.first_tick = first.tick;
  about.last_tick = last.tick;
  about.first_time_us = first.time_us;
  about.last_time_us = last.time_us;
  about.frames = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(lost.ticks, std::numeric_limits<std::uint32_t>::max()));
  auto info = state_->append(about, to.written(), false);
  if (info) state_->totals.lost_ticks += lost.ticks;
  return info;
}

result<record_info> writer::append_event(frame_stamp stamp, std::uint32_t type, byte_span bytes,
                                         bool needed_later) {
  byte_vector payload(4 + bytes.size());
  byte_writer to(payload);
  to.u32(type);
  to.bytes(bytes);
  record_info about;
  about.kind = record_kind::event;
  about.flags = needed_later ? reel::needed_later : 0;
  about.first_tick = about.last_tick = stamp.tick;
  about.first_time_us = about.last_time_us = stamp.time_us;
  const auto info = state_->append(about, payload, true);
  if (info && needed_later)
    state_->lasting.remember(*info, info->sequence, type, payload, state_->totals.chunks);
  return info;
}

result<void> writer::append_events(std::vector<stamped_event>& events) {
  std::stable_sort(events.begin(), events.end(), [](const stamped_event& a, const stamped_event& b) {
    return a.stamp.tick < b.stamp.tick;
  });
  constexpr std::size_t max_head_bytes = 3 * leb128_max_size + 4;
  const auto alone = [](const stamped_event& one) {
    return one.needed_later || one.bytes.size() > max_gathered_bytes / 16;
  };
  byte_vector payload;
  for (std::size_t first = 0; first < events.size();) {
    std::size_t size = 0;
    std::size_t end = first;
    while (end < events.size() && !alone(events[end]) &&
           size + max_head_bytes + events[end].bytes.size() <= max_gathered_bytes) {
      size += max_head_bytes + events[end++].bytes.size();
    }
    if (end - first < 2) {
      const stamped_event& one = events[first++];
      if (auto done = append_event(one.stamp, one.type, one.bytes, one.needed_later); !done)
        return fail(done.error());
      continue;
    }
    payload.resize(size);
    byte_writer to(payload);
    record_info about;
    about.kind = record_kind::events;
    about.first_tick = events[first].stamp.tick;
    about.last_tick = events[end - 1].stamp.tick;
    about.first_time_us = events[first].stamp.time_us;
    about.last_time_us = events[end - 1].stamp.time_us;
    for (frame_stamp before = events[first].stamp; first < end; ++first) {
      const stamped_event& one = events[first];
      write_leb128(to, one.stamp.tick - before.tick);
      write_leb128(to, zigzag_encode(static_cast<std::int64_t>(static_cast<std::uint64_t>(one.stamp.time_us) -
                                                               static_cast<std::uint64_t>(before.time_us))));
      write_leb128(to, one.bytes.size());
      to.u32(one.type);
      to.bytes(one.bytes);
      before = one.stamp;
    }
    if (auto done = state_->append(about, to.written(), true); !done) return fail(done.error());
  }
  return {};
}

result<void> writer::sync() {
  state_->to_sinks([](sink& receiver) { return receiver.sync(); });
  return state_->out ? state_->out->sync() : result<void>{};
}

result<void> writer::finish() {
  state_->repeat_events(true);
  const byte_vector index = wire::write_index(state_->records, state_->key);
  const bool has_index = index.size() <= limits{}.max_raw_bytes;
  if (has_index) {
    state_->totals.index_offset = state_->end;
    record_info about;
    about.kind = record_kind::index;
    if (auto done = state_->append(about, index, true); !done) return fail(done.error());
  }
  std::byte room[wire::end_payload_bytes];
  byte_writer to(room);
  wire::write_end(to, state_->totals);
  record_info about;
  about.kind = record_kind::end;
  if (auto done = state_->append(about, to.written(), false); !done) return fail(done.error());
  state_->finished = true;
  auto done = sync();
  state_->to_sinks([](sink& receiver) { return receiver.close(); });
  state_->sinks.clear();
  if (state_->out) {
    const auto closed = state_->out->close();
    state_->out.reset();
    if (done) done = closed;
  }
  return done;
}

void writer::abandon() noexcept {
  state_->finished = true;
  state_->sinks.clear();
  state_->out.reset();
}

void writer::discard() noexcept {
  if (state_->out) state_->out->discard();
  abandon();
}

void writer::add_sink(std::unique_ptr<sink> receiver) {
  result<void> taken;
  if (!state_->header_bytes.empty()) {
    taken = receiver->accept_header(state_->header_bytes);
    if (taken && !receiver->catches_up()) taken = state_->send_beginning(*receiver);
  }
  if (taken) {
    state_->sinks.push_back(std::move(receiver));
    state_->lasting.repeat_all();
  } else {
    ++state_->failed_sinks;
    state_->sink_failure = taken.error();
  }
}

std::uint64_t writer::bytes() const noexcept {
  return state_->end;
}
std::size_t writer::failed_sinks() const noexcept {
  return state_->failed_sinks;
}
const std::optional<error>& writer::sink_failure() const noexcept {
  return state_->sink_failure;
}

result<void> memory_sink::accept_header(byte_span bytes) {
  bytes_.assign(bytes.begin(), bytes.end());
  return {};
}

result<void> memory_sink::accept_record(const record_info&, byte_span bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return {};
}

}  // namespace tickreel::reel
