#include "tickreel/reel/reader.hpp"

#include <algorithm>
#include <utility>

#include "record_table.hpp"
#include "scan.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::reel {

frame_cursor::frame_cursor(const record& chunk) noexcept
    : payload_(chunk.payload),
      stamp_{chunk.info.first_tick, chunk.info.first_time_us},
      last_tick_(chunk.info.last_tick) {}

result<bool> frame_cursor::next(frame& out) noexcept {
  if (position_ == payload_.size()) return false;
  byte_reader from(payload_.subspan(position_), position_);
  const std::uint64_t ticks = read_leb128(from);
  const std::uint64_t time = static_cast<std::uint64_t>(zigzag_decode(read_leb128(from)));
  const std::uint64_t size_and_kind = read_leb128(from);
  const std::uint64_t size = size_and_kind >> 1;
  if (from.ok() && size > from.remaining()) from.fail_with(error_code::truncated);
  const byte_span bytes = from.bytes(static_cast<std::size_t>(size));
  if (!from.ok()) return fail(error_code::malformed, from.offset(), "frame");
  if (stamp_.tick > last_tick_ || ticks > last_tick_ - stamp_.tick) {
    return fail(error_code::malformed, position_, "a frame after its chunk's last tick");
  }
  stamp_.tick += ticks;
  stamp_.time_us = static_cast<std::int64_t>(static_cast<std::uint64_t>(stamp_.time_us) + time);
  out.stamp = stamp_;
  out.kind = static_cast<frame_kind>(size_and_kind & 1);
  out.bytes = bytes;
  position_ += from.position();
  return true;
}

event_cursor::event_cursor(const record& of) noexcept
    : payload_(of.payload),
      stamp_{of.info.first_tick, of.info.first_time_us},
      last_tick_(of.info.last_tick),
      is_single_(of.info.kind == record_kind::event) {}

result<bool> event_cursor::next(event& out, frame_stamp& stamp) noexcept {
  if (is_single_ && position_ == 0) {
    const auto one = read_event(payload_);
    if (!one) return fail(one.error());
    out = *one;
    stamp = stamp_;
    position_ = payload_.size();
    return true;
  }
  if (position_ == payload_.size()) return false;
  byte_reader from(payload_.subspan(position_), position_);
  const std::uint64_t ticks = read_leb128(from);
  const std::uint64_t time = static_cast<std::uint64_t>(zigzag_decode(read_leb128(from)));
  const std::uint64_t size = read_leb128(from);
  const std::uint32_t type = from.u32();
  if (from.ok() && size > from.remaining()) from.fail_with(error_code::truncated);
  const byte_span bytes = from.bytes(static_cast<std::size_t>(size));
  if (!from.ok()) return fail(error_code::malformed, from.offset(), "event");
  if (stamp_.tick > last_tick_ || ticks > last_tick_ - stamp_.tick) {
    return fail(error_code::malformed, position_, "an event after its record's last tick");
  }
  stamp_.tick += ticks;
  stamp_.time_us = static_cast<std::int64_t>(static_cast<std::uint64_t>(stamp_.time_us) + time);
  out = {type, bytes};
  stamp = stamp_;
  position_ += from.position();
  return true;
}

struct reader::state {
  state(byte_source&& bytes, const limits& bounds, bool verify) : source(std::move(bytes)) {
    options.limits = bounds;
    options.verify_hashes = verify;
  }

  byte_source source;
  scan_options options;
  wire::opened_header opened;
  byte_vector header_bytes;
  decompressor codecs;
  table_of_contents contents;
  std::optional<table_of_contents> scanned;  // in addition to an index that does not cover every record
  // The chunks in contents.records that start with a keyframe, in order; a seek searches them.
  std::vector<std::size_t> entrances;

  result<void> read_head() {
    const auto prefix = source.view(0, wire::header_prefix_bytes);
    if (!prefix) return fail(prefix.error());
    const auto size = wire::header_size(*prefix, options.limits);
    if (!size) return fail(size.error());
    const auto bytes = source.view(0, static_cast<std::size_t>(*size));
    if (!bytes) return fail(bytes.error());
    if (bytes->size() < *size) return fail(error_code::truncated, bytes->size(), "reel header");
    auto head = wire::read_header(*bytes);
    if (!head) return fail(head.error());
    header_bytes.assign(bytes->begin(), bytes->end());
    opened = std::move(*head);
    options.key = opened.key;
    options.header_bytes = opened.bytes;
    contents.valid_bytes = opened.bytes;
    for (const metadata_entry& entry : opened.head.metadata) {
      if (entry.key == dictionary_key) options.dictionary = entry.value;
    }
    return {};
  }

  void note_entrances(std::size_t from) {
    for (std::size_t number = from; number < contents.records.size(); ++number) {
      const record_info& info = contents.records[number];
      if (info.is_entrance() && !info.damaged) {
        entrances.push_back(number);
      }
    }
  }

  // The bytes of a record with a valid hash.
  result<byte_span> whole_record(std::size_t number) {
    if (number >= contents.records.size()) return fail(error_code::out_of_range);
    auto found = record_at(contents.records[number]);
    if (found || found.error().code != error_code::checksum_mismatch || !contents.from_index) return found;
    const auto stands_at = place_of_moved(contents.records[number]);
    if (!stands_at) return found;
    contents.records[number].offset = *stands_at;
    return record_at(contents.records[number]);
  }

  // For an index entry that points to another record, or to none: its position by a scan.
  std::optional<std::uint64_t> place_of_moved(const record_info& wanted) {
    if (!scanned) {
      scanned.emplace();
      scanned->valid_bytes = opened.bytes;
      if (!scan(source, options, *scanned)) *scanned = {};
    }
    const auto& all = scanned->records;
    const auto found = std::lower_bound(
        all.begin(), all.end(), wanted.sequence,
        [](const record_info& each, std::uint32_t sequence) { return each.sequence < sequence; });
    if (found == all.end() || !is_same_record(*found, wanted) || found->offset == wanted.offset)
      return std::nullopt;
    return found->offset;
  }

  result<byte_span> record_at(const record_info& info) {
    // Only the index has the head of such a record.
    if (info.bytes == 0 || !is_within(info, options.limits)) {
      return fail(error_code::checksum_mismatch, info.offset, "record {}", info.sequence);
    }
    const auto size = static_cast<std::size_t>(info.bytes);
    const auto bytes = source.view(info.offset, size);
    if (!bytes) return bytes;
    if (bytes->size() < size) return fail(error_code::truncated, info.offset + bytes->size(), "record");
    // After records were moved, an index may point to another whole record. After failed writes, its place may have an
    // older one.
    const auto head = wire::read_head(bytes->first(options.key.head_bytes()), info.offset, options.key);
    if (!head || !is_same_record(*head, info) || !wire::hash_matches(*bytes, options.key)) {
      return fail(error_code::checksum_mismatch, info.offset, "record {}", info.sequence);
    }
    return bytes;
  }

  // Checks both ends of the listed content for changes; the cost does not depend on the length of the reel.
  result<void> find_changed() {
    const auto size = source.size();
    if (!size) return fail(size.error());
    if (*size < contents.valid_bytes) {
      return fail(error_code::wrong_state, *size, "the reel is shorter than it was");
    }
    const auto head = source.view(0, header_bytes.size());
    if (!head) return fail(head.error());
    bool same = std::equal(head->begin(), head->end(), header_bytes.begin(), header_bytes.end());
    const auto sound = std::find_if(contents.records.rbegin(), contents.records.rend(),
                                    [](const record_info& info) { return !info.damaged; });
    if (same && sound != contents.records.rend()) {
      const record_info& last = *sound;
      const auto bytes = source.view(last.offset, options.key.head_bytes());
      if (!bytes) return fail(bytes.error());
      const auto stands = wire::read_head(*bytes, last.offset, options.key);
      same = stands && stands->sequence == last.sequence && stands->bytes == last.bytes;
    }
    if (same) return {};
    return fail(error_code::wrong_state, error::no_offset, "another reel has replaced this one");
  }

  // `value` of a start chunk and of the last chunk are compared with the requested value.
  template <class Value, class First, class Last>
  result<std::size_t> seek(Value wanted, First first, Last last) const {
    const record_info* last_chunk = nullptr;
    for (std::size_t number = contents.records.size(); number-- > 0 && last_chunk == nullptr;) {
      if (contents.records[number].kind == record_kind::chunk) last_chunk = &contents.records[number];
    }
    if (last_chunk == nullptr || wanted > last(*last_chunk)) return fail(error_code::out_of_range);
    const auto after = std::upper_bound(
        entrances.begin(), entrances.end(), wanted,
        [&](Value value, std::size_t number) { return value < first(contents.records[number]); });
    if (after != entrances.begin()) return *(after - 1);
    return fail(entrances.empty() ? error_code::missing_keyframe : error_code::out_of_range);
  }
};

reader::reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
reader::reader(reader&&) noexcept = default;
reader& reader::operator=(reader&&) noexcept = default;
reader::~reader() = default;

result<reader> reader::start(std::unique_ptr<state> made) {
  if (const auto done = made->read_head(); !done) return fail(done.error());
  bool indexed = false;
  if (!made->options.verify_hashes) {
    const auto loaded = load_index(made->source, made->options, made->codecs, made->contents);
    if (!loaded) return fail(loaded.error());
    indexed = *loaded;
  }
  if (!indexed) {
    if (const auto done = scan(made->source, made->options, made->contents); !done) return fail(done.error());
    const auto named = list_indexed_records(made->source, made->options, made->codecs, made->contents);
    if (!named) return fail(named.error());
  }
  made->note_entrances(0);
  return reader(std::move(made));
}

result<reader> reader::open(const file_path& path, const limits& limits, bool verify_hashes) {
  return open(path, limits, verify_hashes, system_calls::real());
}

result<reader> reader::open(const file_path& path, const limits& limits, bool verify_hashes,
                            system_calls& calls) {
  const auto from = byte_source::open(path, calls);
  if (!from) return fail(from.error());
  return open(*from, limits, verify_hashes);
}

result<reader> reader::open(const byte_source& from, const limits& limits, bool verify_hashes) {
  return start(std::make_unique<state>(byte_source(from), limits, verify_hashes));
}

result<reader> reader::from_memory(byte_span bytes, const limits& limits, bool verify_hashes) {
  return open(byte_source(bytes), limits, verify_hashes);
}

const header& reader::head() const noexcept {
  return state_->opened.head;
}
const table_of_contents& reader::contents() const noexcept {
  return state_->contents;
}
bool reader::is_being_written() const {
  return state_->source.is_being_written();
}

byte_span reader::header_bytes() const noexcept {
  return state_->header_bytes;
}

result<void> reader::read(std::size_t number, record& out) {
  const auto whole = state_->whole_record(number);
  if (!whole) return fail(whole.error());
  const record_info& info = state_->contents.records[number];
  auto opened = state_->codecs.decompress(
      info.codec, whole->subspan(state_->options.key.head_bytes(), info.stored_bytes),
      state_->options.limits.max_raw_bytes, out.payload,
      info.codec == codec_id::zstd ? state_->options.dictionary : byte_span{});
  if (!opened) {
    error what = opened.error();
    what.offset = info.offset;
    return fail(what);
  }
  if (out.payload.size() != info.raw_bytes) {
    return fail(error_code::malformed, info.offset, "a record of {} byte{s} decompressed to {}",
                info.raw_bytes, static_cast<std::int64_t>(out.payload.size()));
  }
  out.info = info;
  return {};
}

result<void> reader::read_stored(std::size_t number, byte_vector& out) {
  const auto whole = state_->whole_record(number);
  if (!whole) return fail(whole.error());
  out.assign(whole->begin(), whole->end());
  return {};
}

result<byte_vector> reader::last_header_update() {
  const auto& records = state_->contents.records;
  for (std::size_t number = records.size(); number-- > 0;) {
    if (records[number].kind != record_kind::header_update) continue;
    record found;
    const auto done = read(number, found);
    if (done) return std::move(found.payload);
    // If it is damaged, the one before applies: older, but valid for its part.
    if (!is_damage(done.error().code)) return fail(done.error());
  }
  return byte_vector{};
}

result<std::size_t> reader::chunk_for_tick(std::uint64_t tick) const {
  return state_->seek(
      tick, [](const record_info& info) { return info.first_tick; },
      [](const record_info& info) { return info.last_tick; });
}

result<std::size_t> reader::chunk_for_time(std::int64_t time_us) const {
  return state_->seek(
      time_us, [](const record_info& info) { return info.first_time_us; },
      [](const record_info& info) { return info.last_time_us; });
}

result<std::size_t> reader::refresh() {
  if (const auto same = state_->find_changed(); !same) return fail(same.error());
  const std::size_t before = state_->contents.records.size();
  if (const auto done = scan(state_->source, state_->options, state_->contents); !done) {
    return fail(done.error());
  }
  state_->note_entrances(before);
  return state_->contents.records.size() - before;
}

}  // namespace tickreel::reel
