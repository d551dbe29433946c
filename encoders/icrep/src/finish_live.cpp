#include <algorithm>

#include "reader_state.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/layout.hpp"

namespace tickreel::icrep {

namespace {

// Whether the state hashes are those of the keyframes. Only at the end does a recorder know whether its game
// had its own hashes, so a live file does not contain this.
bool hashes_cores(const reader& from) {
  bool any = false;
  for (std::size_t number = 0; number < from.keyframes().size(); ++number) {
    const stored_keyframe& keyframe = from.keyframes()[number];
    if (!keyframe.full) continue;
    order_cursor frames = from.orders(keyframe.tick, keyframe.tick + 1);
    tick_frame frame;
    if (!frames.next(frame)) continue;
    const auto state = from.snapshot(number);
    if (!state) continue;
    if (frame.state_hash != sync_hash(core_hash(state->core))) return false;
    any = true;
  }
  return any;
}

// The tick follows an event's type or a voice frame's player. A voice track has no tick and is always kept.
bool is_before(byte_span record, std::uint64_t end_tick) noexcept {
  byte_reader in(record);
  in.skip(sizeof(std::uint32_t));
  const std::uint64_t tick = in.u64();
  return !in.ok() || tick < end_tick;
}

// The block without records from `end_tick` on.
result<void> append_cut_block(byte_vector& out, const block& one, std::uint64_t end_tick) {
  byte_vector buffer;
  const auto content = open_block(one, buffer);
  if (!content) return fail(content.error());
  byte_vector kept;
  block_header head = one.head;
  head.count = 0;
  byte_reader in(*content);
  while (in.ok() && !in.at_end()) {
    const std::size_t start = in.position();
    const byte_span record = in.bytes(in.u32());
    if (!in.ok() || !is_before(record, end_tick)) continue;
    const byte_span whole = content->subspan(start, in.position() - start);
    kept.insert(kept.end(), whole.begin(), whole.end());
    ++head.count;
  }
  if (head.count == 0) return {};
  return append_block(out, head, kept, true);
}

// A spool's blocks as a section; the last is marked.
result<byte_vector> section_of(const block_index& spool, std::uint64_t end_tick) {
  byte_vector section;
  std::size_t last_offset = 0;
  for (const block& one : spool.blocks) {
    const std::size_t start = section.size();
    if (auto done = append_cut_block(section, one, end_tick); !done) return fail(done.error());
    if (section.size() != start) last_offset = start;
  }
  if (section.empty()) return section;
  const block_kind kind = spool.blocks.front().head.kind;
  const auto head = read_block_header(byte_span(section).subspan(last_offset), kind);
  if (!head) return fail(head.error());
  block_header last = *head;
  last.last = true;
  byte_vector buffer;
  const block stored{*head, byte_span(section).subspan(last_offset + block_header_bytes), 0};
  const auto content = open_block(stored, buffer);
  if (!content) return fail(content.error());
  const byte_vector raw(content->begin(), content->end());
  section.resize(last_offset);
  if (auto done = append_block(section, last, raw, true); !done) return fail(done.error());
  return section;
}

class finishing {
 public:
  finishing(const live_files& recorded, const limits& most) : recorded_(recorded), most_(most) {}

  result<finished_live> run() {
    reader_options reading;
    reading.most = most_;
    reading.spools = recorded_;
    auto opened = reader::open(recorded_.file, reading);
    if (!opened) return fail(opened.error());
    if (!opened->header().live) return fail(error_code::wrong_state, 7, "not a live file");

    const section orders = opened->header().orders;
    const block_index order_blocks = recover_blocks(recorded_.file.subspan(orders.offset, orders.length),
                                                    block_kind::orders, most_, orders.offset);
    note(order_blocks);
    out_.keep_bytes = order_blocks.end_offset;
    out_.total_ticks = opened->total_ticks();
    if (out_.keep_bytes > orders.offset) {
      header_.orders = {orders.offset, static_cast<std::uint32_t>(out_.keep_bytes - orders.offset)};
    }
    auto done = add_keyframes(opened->keyframes());
    if (done) done = add_stream(recorded_.events, block_kind::events, header_.events);
    if (done) done = add_stream(recorded_.voice, block_kind::voice, header_.voice);
    if (done) {
      metadata facts = facts_of_unfinished(opened->facts(), out_.total_ticks);
      if (!facts.state_hash && hashes_cores(*opened)) facts.state_hash = "core-sha256";
      const std::string json = to_json(facts);
      if (json.size() > most_.metadata_bytes) return fail(error_code::over_limit, 0, "metadata");
      done = add(as_bytes(json), header_.metadata);
    }
    if (!done) return fail(done.error());
    finish_header();
    return std::move(out_);
  }

 private:
  void note(const block_index& stream) {
    out_.damage.insert(out_.damage.end(), stream.damage.begin(), stream.damage.end());
  }

  result<void> add(byte_span bytes, section& place) {
    if (bytes.empty()) return {};
    const std::uint64_t offset = out_.keep_bytes + out_.tail.size();
    if (offset + bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(error_code::over_limit, offset, "the file would exceed 4 GiB");
    }
    place = {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes.size())};
    out_.tail.insert(out_.tail.end(), bytes.begin(), bytes.end());
    return {};
  }

  result<void> add_keyframes(std::span<const stored_keyframe> spooled) {
    keyframe_section_writer writer;
    for (const stored_keyframe& keyframe : spooled) {
      // Later ones belong to lost ticks. The first one is needed even if nothing was played.
      if (keyframe.tick >= out_.total_ticks && keyframe.tick != 0) break;
      if (auto done = writer.add(keyframe); !done) return done;
    }
    return add(writer.finish(), header_.keyframes);
  }

  result<void> add_stream(byte_span spool, block_kind kind, section& place) {
    const block_index blocks = recover_blocks(spool, kind, most_);
    note(blocks);
    const auto bytes = section_of(blocks, out_.total_ticks);
    if (!bytes) return fail(bytes.error());
    return add(*bytes, place);
  }

  void finish_header() {
    header_.has_events = header_.events.offset != 0;
    header_.has_voice = header_.voice.offset != 0;
    header_.total_ticks = out_.total_ticks;
    header_.incomplete = true;
    out_.header = to_bytes(header_);
  }

  const live_files& recorded_;
  const limits& most_;
  file_header header_;
  finished_live out_;
};

}  // namespace

metadata facts_of_unfinished(metadata facts, std::uint64_t total_ticks) {
  facts.total_ticks = total_ticks;
  facts.is_signed = false;
  if (const auto seconds = tick_seconds(facts)) {
    facts.duration_seconds = *seconds * static_cast<double>(total_ticks);
  }
  for (player_entry& player : facts.players) player.outcome = "unknown";
  return facts;
}

result<finished_live> finish_live(const live_files& recorded, const limits& most) {
  return finishing(recorded, most).run();
}

}  // namespace tickreel::icrep
