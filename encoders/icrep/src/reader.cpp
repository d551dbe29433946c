#include "tickreel/icrep/reader.hpp"

#include <algorithm>

#include "reader_state.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::icrep {

namespace {

struct named_section {
  const char* outside;
  section place;
};

// Whether a section's flag and offset agree that it is present. Otherwise it counts as absent.
bool agree(reader_state& self, bool flag, section& place, const char* what) {
  if (flag && place.offset != 0) return true;
  if (flag || place.offset != 0) {
    self.warn(severity::damage, {error_code::malformed, error::no_offset, what});
  }
  place = {};
  return false;
}

result<void> check_places(std::span<named_section> sections, std::uint64_t file_bytes) {
  for (const named_section& one : sections) {
    const std::uint64_t end = std::uint64_t{one.place.offset} + one.place.length;
    if (one.place.offset < header_bytes || end > file_bytes) {
      return fail(one.place.offset < header_bytes ? error_code::malformed : error_code::truncated,
                  one.place.offset, one.outside, one.place.length, static_cast<std::int64_t>(file_bytes));
    }
  }
  std::ranges::sort(sections, {}, [](const named_section& one) { return one.place.offset; });
  std::uint64_t free_from = header_bytes;
  for (const named_section& one : sections) {
    if (one.place.length == 0) continue;
    if (one.place.offset < free_from) {
      return fail(error_code::malformed, one.place.offset, "sections overlap");
    }
    free_from = std::uint64_t{one.place.offset} + one.place.length;
  }
  return {};
}

}  // namespace

result<void> reader_state::read_sections() {
  header.has_events = agree(*this, header.has_events, header.events, "the events' flag and offset disagree");
  header.is_signed =
      agree(*this, header.is_signed, header.signature, "the signature's flag and offset disagree");
  header.has_voice = agree(*this, header.has_voice, header.voice, "the voice's flag and offset disagree");
  if (header.metadata.offset == 0) return fail(error_code::malformed, 8, "no metadata");
  for (section* place : {&header.orders, &header.keyframes, &header.embedded}) {
    if (place->offset == 0 && place->length != 0) {
      warn(severity::damage, {error_code::malformed, 16, "a section with a length but no offset"});
      *place = {};
    }
  }
  if (header.live && header.orders.offset == 0) {
    return fail(error_code::malformed, 16, "a live file with no place for orders");
  }
  if (header.live && header.orders.offset <= file.size()) {
    header.orders.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        file.size() - header.orders.offset, std::numeric_limits<std::uint32_t>::max()));
  }
  std::vector<named_section> present = {
      {"the metadata, {} bytes, end outside the file of {}", header.metadata}};
  const auto add = [&](const char* outside, section place) {
    if (place.offset != 0) present.push_back({outside, place});
  };
  add("the orders, {} bytes, end outside the file of {}", header.orders);
  add("the keyframes, {} bytes, end outside the file of {}", header.keyframes);
  add("the events, {} bytes, end outside the file of {}", header.events);
  add("the signature, {} bytes, ends outside the file of {}", header.signature);
  add("the voice, {} bytes, ends outside the file of {}", header.voice);
  add("the embedded resources, {} bytes, end outside the file of {}", header.embedded);
  return check_places(present, file.size());
}

result<void> reader_state::read_keyframes() {
  if (header.live) {
    keyframes = read_keyframe_spool(options.spools.keyframes, options.most);
    return {};
  }
  if (header.keyframes.offset == 0) {
    return fail(error_code::missing_keyframe, 24, "a finished file without keyframes");
  }
  auto found = read_keyframe_section(bytes_of(header.keyframes), header.incomplete, options.most,
                                     header.keyframes.offset);
  if (!found) return fail(found.error());
  keyframes = std::move(*found);
  return {};
}

void reader_state::index_streams() {
  const byte_span order_bytes = bytes_of(header.orders);
  if (header.live) {
    orders = recover_blocks(order_bytes, block_kind::orders, options.most, header.orders.offset);
    events = recover_blocks(options.spools.events, block_kind::events, options.most);
    voice = recover_blocks(options.spools.voice, block_kind::voice, options.most);
    total_ticks = end_of_orders(orders, options.most);
  } else {
    orders = index_blocks(order_bytes, block_kind::orders, options.most, header.orders.offset);
    events = index_blocks(bytes_of(header.events), block_kind::events, options.most, header.events.offset);
    voice = index_blocks(bytes_of(header.voice), block_kind::voice, options.most, header.voice.offset);
    total_ticks = header.total_ticks;
  }
  for (block_index* stream : {&orders, &events, &voice}) {
    for (stream_damage& damage : stream->damage) {
      damage.end_tick = std::max(damage.first_tick, std::min(damage.end_tick, total_ticks));
      warn(header.live ? severity::warning : severity::damage, damage.what);
    }
  }
}

result<void> reader_state::join(reader_state&& next) {
  const auto begins_at = [](const block_index& stream, std::uint64_t otherwise) {
    return stream.blocks.empty() ? otherwise : stream.blocks.front().head.first_tick;
  };
  const auto ends_at = [](const block_index& stream) {
    return stream.blocks.empty() ? 0 : stream.blocks.back().head.first_tick;
  };
  const bool keyframes_rise =
      keyframes.empty() || next.keyframes.empty() || next.keyframes.front().tick > keyframes.back().tick;
  if (header.live || next.header.live || next.total_ticks < total_ticks || !keyframes_rise ||
      begins_at(next.orders, total_ticks) < total_ticks ||
      begins_at(next.events, UINT64_MAX) < ends_at(events)) {
    return fail(error_code::invalid_argument, error::no_offset, "a file that does not go on where one ends");
  }
  const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(keyframes, next.keyframes);
  for (const auto stream : {&reader_state::orders, &reader_state::events, &reader_state::voice}) {
    append((this->*stream).blocks, (next.*stream).blocks);
    append((this->*stream).damage, (next.*stream).damage);
  }
  append(findings, next.findings);
  header.has_events = header.has_events || next.header.has_events;
  header.has_voice = header.has_voice || next.header.has_voice;
  header.total_ticks = total_ticks = next.total_ticks;
  header.final_state_hash = next.header.final_state_hash;
  header.lost_frame_count += std::min(next.header.lost_frame_count, UINT32_MAX - header.lost_frame_count);
  return {};
}

namespace {

result<std::unique_ptr<reader_state>> open_state(byte_span file, const reader_options& options) {
  const auto header = read_header(file);
  if (!header) return fail(header.error());
  auto owned = std::make_unique<reader_state>();
  owned->file = file;
  owned->options = options;
  owned->header = *header;
  if (auto done = owned->read_sections(); !done) return fail(done.error());

  owned->metadata_json = as_text(owned->bytes_of(owned->header.metadata));
  auto facts = read_metadata(owned->metadata_json, options.most);
  if (!facts) {
    error what = facts.error();
    what.offset = owned->header.metadata.offset;
    return fail(what);
  }
  owned->metadata = std::move(*facts);
  const auto& schema = options.schema ? options.schema : owned->metadata.schema;
  if (schema) {
    auto slots = slot_table::create(*schema);
    if (!slots) return fail(error_code::malformed, owned->header.metadata.offset, "the metadata's schema");
    owned->slots = *slots;
  }
  if (auto done = owned->read_keyframes(); !done) return fail(done.error());
  owned->index_streams();
  return owned;
}

}  // namespace

result<reader> reader::open(byte_span file, const reader_options& options) {
  auto owned = open_state(file, options);
  if (!owned) return fail(owned.error());
  for (const byte_span next : options.continued) {
    auto part = open_state(next, options);
    if (!part) return fail(part.error());
    if (auto done = (*owned)->join(std::move(**part)); !done) return fail(done.error());
  }
  return reader(std::move(*owned));
}

order_cursor reader::orders(std::uint64_t first_tick, std::uint64_t end_tick) const {
  return state_->orders_between(first_tick, end_tick);
}

event_cursor reader::events(const event_filter& filter) const {
  const std::span<const block> blocks = state_->events.blocks;
  // Ticks may repeat across blocks, so the last block that starts earlier may still have some.
  const auto later = std::ranges::lower_bound(blocks, filter.first_tick, {},
                                              [](const block& one) { return one.head.first_tick; });
  const auto first = static_cast<std::size_t>(later - blocks.begin());
  return event_cursor(record_cursor(blocks.subspan(first == 0 ? 0 : first - 1), state_->total_ticks, filter),
                      state_->options.most, derived_types(state_->metadata));
}

record_cursor reader::voice() const {
  return record_cursor(state_->voice.blocks, state_->total_ticks);
}

result<embedded_resources> reader::embedded() const {
  const section place = state_->header.embedded;
  if (place.offset == 0) return embedded_resources{};
  return read_embedded_section(state_->bytes_of(place), state_->options.most, place.offset);
}

byte_span reader::signature_section() const noexcept {
  return state_->bytes_of(state_->header.signature);
}
byte_span reader::embedded_section() const noexcept {
  return state_->bytes_of(state_->header.embedded);
}

reader::reader(std::unique_ptr<reader_state> owned) noexcept : state_(std::move(owned)) {}
reader::reader(reader&&) noexcept = default;
reader& reader::operator=(reader&&) noexcept = default;
reader::~reader() = default;

const file_header& reader::header() const noexcept {
  return state_->header;
}
const metadata& reader::facts() const noexcept {
  return state_->metadata;
}
std::string_view reader::metadata_json() const noexcept {
  return state_->metadata_json;
}
std::uint64_t reader::total_ticks() const noexcept {
  return state_->total_ticks;
}
std::uint64_t reader::first_tick() const noexcept {
  return state_->first_tick();
}
std::span<const stored_keyframe> reader::keyframes() const noexcept {
  return state_->keyframes;
}
std::span<const block> reader::order_blocks() const noexcept {
  return state_->orders.blocks;
}
std::span<const finding> reader::findings() const noexcept {
  return state_->findings;
}

}  // namespace tickreel::icrep
