#include "publish_match.hpp"

#include <algorithm>
#include <limits>

#include "layout_json.hpp"
#include "match_frame.hpp"
#include "match_parts.hpp"
#include "opened_match.hpp"
#include "tickreel/codec/lz4_block.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::game {

namespace {

// Where a file is laid out.
class layout_target {
 public:
  virtual ~layout_target() = default;
  virtual result<void> append(byte_span bytes) = 0;
  virtual result<void> overwrite(byte_span bytes, std::uint64_t offset) = 0;
};

class file_target final : public layout_target {
 public:
  explicit file_target(published_file& to) noexcept : to_(to) {}
  result<void> append(byte_span bytes) override { return to_.append(bytes); }
  result<void> overwrite(byte_span bytes, std::uint64_t offset) override {
    return to_.overwrite(bytes, offset);
  }

 private:
  published_file& to_;
};

class memory_target final : public layout_target {
 public:
  explicit memory_target(byte_vector& to) noexcept : to_(to) {}
  result<void> append(byte_span bytes) override {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
  }
  result<void> overwrite(byte_span bytes, std::uint64_t offset) override {
    std::copy(bytes.begin(), bytes.end(), to_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }

 private:
  byte_vector& to_;
};

// What the end may add to metadata.
constexpr std::size_t metadata_reserve_bytes = 4096;

// Whether readers of an .icrep take it.
bool is_readable(const framed_keyframe& keyframe) noexcept {
  const icrep::limits most;
  const std::size_t stored = keyframe.bytes.size();
  return keyframe.raw_bytes <= most.snapshot_bytes &&
         (stored == keyframe.raw_bytes || keyframe.raw_bytes / most.ratio < stored);
}

// A frame of the reel, and its keyframe if that stands on one that came out.
struct sound_frame {
  std::uint64_t tick = 0;
  match_frame content;
  std::optional<icrep::tick_frame> orders;
};

// Walks over the reel, the same way each time. What is lost is counted and passed over; failing is for what
// can't be read at all.
class match_walk {
 public:
  // What is in one part of the match; frames of others are looked at all the same.
  match_walk(reel::reader& from, const match_part& part) noexcept : from_(from), part_(part) {}

  // each(sound_frame&), result<void>; `tell(tick)` now and then.
  template <class Tell, class Each>
  result<void> frames(Tell&& tell, Each&& each) {
    last_full_.reset();
    last_keyframe_.reset();
    last_tick_.reset();
    std::uint64_t count = 0;
    return items([&](const reel::item& next) -> result<void> {
      if (next.kind == reel::item_kind::header_update) take_end(next.in->payload);
      if (next.kind != reel::item_kind::frame) return {};
      if (count++ % 64 == 0) {
        if (auto going = tell(next.frame.stamp.tick); !going) return going;
      }
      sound_frame found;
      if (!take(next.frame, found)) damaged();
      if (!is_in_part(found.tick)) return {};
      return found.content.keyframe || found.orders ? each(found) : result<void>{};
    });
  }
  // each(const reel::event&), whether it was sound.
  template <class Each>
  result<void> events(Each&& each) {
    return items([&](const reel::item& next) -> result<void> {
      if (next.kind == reel::item_kind::frame) at_tick_ = next.frame.stamp.tick;
      if (next.kind != reel::item_kind::event || !is_in_part(tick_of(next.event))) return {};
      if (!each(next.event)) damaged();
      return {};
    });
  }

  // What the recorder said at the end, when frames() have been walked over.
  [[nodiscard]] const std::optional<match_end>& end() const noexcept { return end_; }
  [[nodiscard]] std::uint64_t damaged_parts() const noexcept { return damaged_; }
  // Whether recovery has left gaps in the reel: then its recorder knew nothing of them.
  [[nodiscard]] bool lost_before() const noexcept { return lost_before_; }
  // Whether what the reel has lost counts, and what of it is not as it should be; what is walked over again
  // has been counted.
  void count(bool losses, bool parts) noexcept {
    count_losses_ = losses;
    count_parts_ = parts;
  }

 private:
  template <class Each>
  result<void> items(Each&& each) {
    reel::frame_stream walk(from_);
    reel::item next;
    for (;;) {
      const auto more = walk.next(next);
      if (!more) return fail(more.error());
      if (!*more) return {};
      if (next.kind == reel::item_kind::loss) {
        const bool matters =
            next.lost.kind != reel::record_kind::index && next.lost.kind != reel::record_kind::end;
        if (matters && count_losses_) ++damaged_;
        continue;
      }
      if (next.kind == reel::item_kind::gap) {
        const bool by_damage = next.gap.reason > reel::gap_reason::recorder_died;
        const bool by_death = next.gap.reason == reel::gap_reason::recorder_died && next.gap.ticks != 0;
        lost_before_ = lost_before_ || by_damage || by_death;
      }
      if (auto done = each(next); !done) return done;
    }
  }

  [[nodiscard]] bool is_in_part(std::uint64_t tick) const noexcept {
    return tick >= part_.first_tick && (tick < part_.end_tick || part_.number == part_.of);
  }
  // Behind an event's type and a voice packet's player; that somebody agreed to be recorded belongs to where
  // it stands.
  [[nodiscard]] std::uint64_t tick_of(const reel::event& told) const noexcept {
    byte_reader in(told.bytes);
    in.skip(sizeof(std::uint32_t));
    const std::uint64_t tick = in.u64();
    return in.ok() ? tick : at_tick_;
  }

  void take_end(byte_span payload) {
    auto read = icrep::read_bc1<match_end>(payload, icrep::limits{});
    if (!read) return damaged();
    end_ = std::move(*read);
  }

  bool take(const reel::frame& from, sound_frame& out) {
    const bool rises = !last_tick_ || from.stamp.tick > *last_tick_;
    if (!rises || !read_match_frame(from.bytes, out.content)) {
      out.content = {};
      return false;
    }
    last_tick_ = out.tick = from.stamp.tick;
    bool sound = true;
    if (out.content.keyframe) {
      const framed_keyframe& keyframe = *out.content.keyframe;
      const bool stands =
          keyframe.full || keyframe.baseline_tick == last_full_ || keyframe.baseline_tick == last_keyframe_;
      // A delta without the keyframe that it stands on is of no use.
      if (!stands || !is_readable(keyframe)) {
        out.content.keyframe.reset();
        sound = false;
      } else {
        if (keyframe.full) last_full_ = out.tick;
        last_keyframe_ = out.tick;
      }
    }
    if (out.content.orders.empty()) return sound;
    auto orders = icrep::read_bc1<icrep::tick_frame>(out.content.orders);
    if (!orders || orders->tick != out.tick) return false;
    out.orders = std::move(*orders);
    return sound;
  }

  void damaged() noexcept {
    if (count_parts_) ++damaged_;
  }

  reel::reader& from_;
  const match_part& part_;
  std::uint64_t at_tick_ = 0;
  std::uint64_t damaged_ = 0;
  bool lost_before_ = false;
  bool count_losses_ = true;
  bool count_parts_ = true;
  std::optional<match_end> end_;
  std::optional<std::uint64_t> last_full_;
  std::optional<std::uint64_t> last_keyframe_;
  std::optional<std::uint64_t> last_tick_;
};

class match_layout {
 public:
  // `facts`: of the beginning, with what was described since if the match was not ended.
  match_layout(reel::reader& from, const icrep::metadata& first_facts, const match_part& part,
               layout_target& to, const publish_progress& progress)
      : from_(from),
        first_facts_(first_facts),
        part_(part),
        walk_(from, part),
        to_(to),
        progress_(progress) {}

  result<published_match> run() {
    result<icrep::metadata> facts = first_facts_;
    for (const auto& info : from_.contents().records) {
      if (info.kind == reel::record_kind::chunk) steps_ = std::max(steps_, info.last_tick + 1);
    }
    const std::byte nothing[icrep::header_bytes] = {};
    auto done = append(nothing);
    if (done) done = beginning();
    if (done) done = orders();
    if (done && end_) {
      facts = icrep::read_metadata(as_text(end_->metadata_json));
      if (!facts) return fail(facts.error());
    }
    if (done) done = keyframes();
    if (done) done = events();
    if (done) done = voice();
    if (done && end_ && !is_one_of_many()) done = whole(end_->signature, header_.signature);
    if (done && end_ && part_.number == 1) done = whole(end_->embedded, header_.embedded);
    if (done && !(end_ && header_.metadata.offset != 0)) done = metadata(std::move(*facts));
    if (done) done = header();
    if (!done) return fail(done.error());
    return out_;
  }

 private:
  [[nodiscard]] bool is_one_of_many() const noexcept { return part_.of != 1; }
  [[nodiscard]] bool is_last() const noexcept { return part_.number == part_.of; }

  result<void> append(byte_span bytes) {
    if (bytes.empty()) return {};
    if (out_.bytes + bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(error_code::over_limit, out_.bytes, "the file would exceed 4 GiB");
    }
    if (auto done = to_.append(bytes); !done) return done;
    out_.bytes += bytes.size();
    return {};
  }
  // Appends what has been collected, and forgets it.
  result<void> flush(byte_vector& blocks) {
    auto done = append(blocks);
    blocks.clear();
    return done;
  }
  // The section from `begin` to here.
  void place(icrep::section& section, std::uint64_t begin) const noexcept {
    if (out_.bytes == begin) return;
    section = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(out_.bytes - begin)};
  }
  result<void> whole(byte_span bytes, icrep::section& section) {
    const std::uint64_t begin = out_.bytes;
    if (auto done = append(bytes); !done) return done;
    place(section, begin);
    return {};
  }
  // The chunks are read twice.
  auto teller(std::uint64_t pass) {
    return [this, pass](std::uint64_t tick) -> result<void> {
      const std::uint64_t passes = std::uint64_t{part_.number - 1} * 2 + pass;
      const std::uint64_t done = (passes * steps_ + std::min(tick, steps_)) / (std::uint64_t{part_.of} * 2);
      if (!progress_ || progress_(done, steps_)) return {};
      return fail(error_code::interrupted);
    };
  }

  // The metadata, first of all: a file that is cut later on can still be mended. Of a match that was not
  // ended those of its beginning, which belong to no section; the others follow at the end.
  result<void> beginning() {
    const auto last = from_.last_header_update();
    if (!last || last->empty()) return append(from_.head().schema);
    const auto end = icrep::read_bc1<match_end>(*last, icrep::limits{});
    if (!end) return append(from_.head().schema);
    auto facts = icrep::read_metadata(as_text(end->metadata_json));
    if (!facts) return fail(facts.error());
    facts->total_ticks = end->total_ticks;
    if (is_one_of_many()) add_part(*facts, part_);
    const std::string json = icrep::to_json(*facts);
    if (json.size() > icrep::limits{}.metadata_bytes) return fail(error_code::over_limit, 0, "metadata");
    return whole(as_bytes(json), header_.metadata);
  }

  // Also finds out what keyframes there are.
  result<void> orders() {
    const std::uint64_t begin = out_.bytes;
    icrep::order_stream_writer writer;
    byte_vector blocks;
    auto done = walk_.frames(teller(0), [&](sound_frame& one) -> result<void> {
      if (one.content.keyframe) {
        if (auto added = add_keyframe(one); !added) return added;
      }
      if (!one.orders) return {};
      if (!writer.add(*one.orders, blocks)) {
        ++refused_orders_;
        return {};
      }
      ++out_.ticks;
      out_.total_ticks = one.tick + 1;
      return flush(blocks);
    });
    if (done) done = writer.finish(blocks);
    if (done) done = flush(blocks);
    if (!done) return done;
    place(header_.orders, begin);
    end_ = walk_.end();
    if (end_) out_.total_ticks = end_->total_ticks;
    if (!is_last()) out_.total_ticks = part_.end_tick;
    // The state after the last tick is one that a recorder in good order may have kept; else it belongs to a
    // tick that was lost. The first one is needed even when nothing was played.
    index_.cut(out_.total_ticks + (end_ && is_last() ? 1 : 0));
    out_.keyframes = index_.count();
    return {};
  }

  result<void> add_keyframe(const sound_frame& one) {
    const framed_keyframe& keyframe = *one.content.keyframe;
    byte_vector packed;
    const byte_span stored = keyframe.stored ? keyframe.bytes : icrep::pack_snapshot(keyframe.bytes, packed);
    return index_.add(one.tick, keyframe.full, keyframe.raw_bytes, stored);
  }

  result<void> keyframes() {
    const std::uint64_t begin = out_.bytes;
    if (auto done = append(index_.head()); !done) return done;
    walk_.count(false, false);
    std::uint64_t written = 0;
    byte_vector buffer;
    auto done = walk_.frames(teller(1), [&](sound_frame& one) -> result<void> {
      if (!one.content.keyframe || written == index_.count()) return {};
      ++written;
      const framed_keyframe& keyframe = *one.content.keyframe;
      look_at_hash(one);
      return append(keyframe.stored ? keyframe.bytes : icrep::pack_snapshot(keyframe.bytes, buffer));
    });
    if (done) done = append(index_.tail());
    if (done) place(header_.keyframes, begin);
    return done;
  }

  // Whether state hashes are those of keyframes: a recorder knows at the end only whether its game had hashes
  // of its own, so what a dead one has left does not say.
  void look_at_hash(const sound_frame& one) {
    const framed_keyframe& keyframe = *one.content.keyframe;
    if (end_ || !keyframe.full || !one.orders || hashes_differ_) return;
    byte_vector buffer;
    byte_span raw = keyframe.bytes;
    if (raw.size() != keyframe.raw_bytes) {
      if (!lz4_block_decompress(raw, keyframe.raw_bytes, buffer)) return;
      raw = buffer;
    }
    const auto state = icrep::read_snapshot(raw);
    if (!state) return;
    hashes_cores_ = one.orders->state_hash == icrep::sync_hash(icrep::core_hash(state->core));
    hashes_differ_ = !hashes_cores_;
  }

  // What happened in ticks that are not there is not there either.
  [[nodiscard]] bool is_there(std::uint64_t tick) const noexcept {
    return end_.has_value() || tick < out_.total_ticks;
  }

  result<void> events() {
    const std::uint64_t begin = out_.bytes;
    auto writer = icrep::record_stream_writer::events();
    byte_vector blocks;
    result<void> outcome;
    walk_.count(false, true);
    auto done = walk_.events([&](const reel::event& told) {
      if (told.type == voice_event_type) return icrep::read_voice(told.bytes).has_value();
      if (!outcome) return true;
      if (told.type == described_event_type) return true;
      byte_reader head(told.bytes);
      head.skip(sizeof(std::uint32_t));
      if (!is_there(head.u64())) return true;
      // Events that are newer than this code, or the game's own, are copied.
      if (!writer.add_encoded_event(told.bytes, blocks)) return false;
      ++out_.events;
      outcome = flush(blocks);
      return true;
    });
    if (done) done = outcome;
    if (done) done = writer.finish(blocks);
    if (done) done = flush(blocks);
    if (done) place(header_.events, begin);
    return done;
  }

  result<void> voice() {
    const std::uint64_t begin = out_.bytes;
    auto writer = icrep::record_stream_writer::voice_frames();
    byte_vector blocks;
    result<void> outcome;
    walk_.count(false, false);
    auto done = walk_.events([&](const reel::event& told) {
      const auto said = told.type == voice_event_type && outcome
                            ? icrep::read_voice(told.bytes)
                            : result<icrep::voice::record>(fail(error_code::not_found));
      if (!said) return true;
      const auto* frame = std::get_if<icrep::voice::frame>(&*said);
      if (frame != nullptr && !is_there(frame->tick)) return true;
      if (!writer.add(*said, blocks)) {
        ++refused_voice_;
        return true;
      }
      ++out_.voice_records;
      outcome = flush(blocks);
      return true;
    });
    if (done) done = outcome;
    if (done) done = writer.finish(blocks);
    if (done) done = flush(blocks);
    if (done) place(header_.voice, begin);
    return done;
  }

  result<void> metadata(icrep::metadata facts) {
    if (end_) {
      facts.total_ticks = end_->total_ticks;
    } else {
      facts = icrep::facts_of_unfinished(std::move(facts), out_.total_ticks);
      if (!facts.state_hash && hashes_cores_) facts.state_hash = "core-sha256";
    }
    if (is_one_of_many()) add_part(facts, part_);
    const std::string json = icrep::to_json(facts);
    if (json.size() > icrep::limits{}.metadata_bytes) return fail(error_code::over_limit, 0, "metadata");
    return whole(as_bytes(json), header_.metadata);
  }

  result<void> header() {
    out_.damaged_parts = walk_.damaged_parts() + refused_orders_ + refused_voice_;
    header_.has_events = header_.events.offset != 0;
    header_.has_voice = header_.voice.offset != 0;
    header_.is_signed = header_.signature.offset != 0;
    header_.total_ticks = out_.total_ticks;
    const bool misses_start = index_.count() == 0 || index_.first_tick() != 0;
    header_.incomplete = !end_ || end_->incomplete || end_->lost_frame_count != 0 ||
                         out_.damaged_parts != 0 || walk_.lost_before() || misses_start;
    if (end_) {
      if (is_last()) header_.final_state_hash = end_->final_state_hash;
      if (part_.number == 1) header_.lost_frame_count = end_->lost_frame_count;
    }
    out_.incomplete = header_.incomplete;
    return to_.overwrite(icrep::to_bytes(header_), 0);
  }

  reel::reader& from_;
  const icrep::metadata& first_facts_;
  const match_part& part_;
  match_walk walk_;
  layout_target& to_;
  const publish_progress& progress_;
  published_match out_;
  std::optional<match_end> end_;
  icrep::file_header header_;
  icrep::keyframe_index index_;
  std::uint64_t steps_ = 0;
  std::uint64_t refused_orders_ = 0;
  std::uint64_t refused_voice_ = 0;
  bool hashes_cores_ = false;
  bool hashes_differ_ = false;
};

result<void> check_encoder(const reel::header& head) {
  if (!is_match_reel(head)) {
    return fail(error_code::unsupported_operation, error::no_offset, "a reel that holds no .icrep match");
  }
  if (head.encoder_version < oldest_match_reel_version || head.encoder_version > match_reel_version) {
    return fail(error_code::unsupported_version, error::no_offset, "a match in a reel, version {}",
                head.encoder_version);
  }
  return {};
}

// The metadata of the beginning. Of a match that was not ended, with what was described on its way.
result<icrep::metadata> first_facts_of(reel::reader& from) {
  auto facts = icrep::read_metadata(as_text(from.head().schema));
  const auto last = from.last_header_update();
  if (!facts || (last && !last->empty())) return facts;
  std::vector<world_layout> told;
  reel::frame_stream walk(from);
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (next.kind == reel::item_kind::event && next.event.type == described_event_type) {
      told.push_back(read_layout(as_text(next.event.bytes)));
    }
  }
  icrep::metadata with = *facts;
  add_described(with, told);
  // A reel can say anything.
  return icrep::to_json(with).size() + metadata_reserve_bytes <= icrep::limits{}.metadata_bytes ? with
                                                                                                : *facts;
}

bool is_part_of(const file_path& path, std::string_view replay_id, system_calls& calls) {
  const auto there = file_view::map(path, calls);
  if (!there) return false;
  const auto opened = icrep::reader::open(there->bytes());
  return opened && part_of(opened->facts()) && opened->facts().replay_id == replay_id;
}

}  // namespace

void published_match::add(const published_match& part) noexcept {
  ++parts;
  bytes += part.bytes;
  ticks += part.ticks;
  total_ticks = part.total_ticks;
  keyframes += part.keyframes;
  events += part.events;
  voice_records += part.voice_records;
  damaged_parts = std::max(damaged_parts, part.damaged_parts);
  // The others lack the beginning, and say so.
  if (parts == 1) incomplete = part.incomplete;
}

result<reel::reader> open_reel(const file_path& path, system_calls& calls) {
  return reel::reader::open(path, {}, false, calls);
}

result<published_match> publish_match(reel::reader& from, std::vector<byte_vector>& to,
                                      const publish_progress& progress) {
  if (auto known = check_encoder(from.head()); !known) return fail(known.error());
  const auto parts = plan_parts(from);
  if (!parts) return fail(parts.error());
  const auto facts = first_facts_of(from);
  if (!facts) return fail(facts.error());
  published_match all;
  for (const match_part& part : *parts) {
    memory_target target(to.emplace_back());
    const auto one = match_layout(from, *facts, part, target, progress).run();
    if (!one) return one;
    all.add(*one);
  }
  return all;
}

result<published_match> publish_match(const file_path& reel_path, const file_path& output, bool overwrite,
                                      system_calls& calls, const publish_progress& progress) {
  auto from = open_reel(reel_path, calls);
  if (!from) return fail(from.error());
  if (auto known = check_encoder(from->head()); !known) return fail(known.error());
  const auto parts = plan_parts(*from);
  if (!parts) return fail(parts.error());
  const auto facts = first_facts_of(*from);
  if (!facts) return fail(facts.error());
  std::vector<published_file> files;
  published_match all;
  for (const match_part& part : *parts) {
    const file_path path = part_path(output, part.number);
    // A part of this match that an interrupted call left may go; another match's may not.
    const bool replace = overwrite || (part.number != 1 && is_part_of(path, facts->replay_id, calls));
    auto file = published_file::create(path, replace, calls);
    if (!file) return fail(file.error());
    file_target target(files.emplace_back(std::move(*file)));
    const auto one = match_layout(*from, *facts, part, target, progress).run();
    if (!one) return one;
    all.add(*one);
  }
  // The first comes last: where it is, all are.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto done = file->commit(); !done) return fail(done.error());
  }
  return all;
}

result<void> check_published(const file_path& path, system_calls& calls) {
  const auto opened = opened_match::open(path, calls);
  if (!opened) return fail(opened.error());
  if (const auto& missing = (*opened)->missing_parts(); !missing.empty()) {
    return fail(error_code::not_found, error::no_offset, "part {} of the match", missing.front());
  }
  return {};
}

file_path reel_path_of(const file_path& path) {
  return path.utf8() + ".reel";
}

result<published_match> publish_and_remove_reel(const file_path& path, system_calls& calls) {
  const file_path reel = reel_path_of(path);
  auto published = publish_match(reel, path, false, calls);
  if (!published) return published;
  if (const auto sound = check_published(path, calls); !sound) return fail(sound.error());
  const std::int64_t removed = calls.remove(reel.utf8().c_str());
  if (removed < 0) return fail(from_system_error(static_cast<int>(-removed), "removing the reel"));
  return published;
}

}  // namespace tickreel::game
