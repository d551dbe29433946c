#include "tickreel/icrep/cut.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "edit_sections.hpp"
#include "item_walk.hpp"
#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::icrep {

namespace {

class cutting {
 public:
  cutting(const reader& from, byte_span file, const cut_options& options)
      : from_(from), sections_(sections_of(from, file)), options_(options) {}

  result<cut_file> run() {
    const std::uint64_t total = from_.total_ticks();
    if (options_.last_tick < options_.first_tick) {
      return fail(error_code::invalid_argument, error::no_offset, "the last tick is before the first");
    }
    if (options_.first_tick >= total) {
      return fail(error_code::out_of_range, error::no_offset, "the recording ends before that, with tick {u}",
                  static_cast<std::int64_t>(total) - 1);
    }
    last_ = std::min(options_.last_tick, total - 1);
    if (auto done = keyframes(); !done) return fail(done.error());
    const file_header& header = from_.header();
    const auto orders = stream(block_kind::orders, sections_.orders, header.orders.offset);
    if (!orders) return fail(orders.error());
    const auto events = stream(block_kind::events, sections_.events, header.events.offset);
    if (!events) return fail(events.error());
    const auto voice = stream(block_kind::voice, sections_.voice, header.voice.offset);
    if (!voice) return fail(voice.error());
    const auto embedded = with_seal(sections_.embedded, nullptr);
    if (!embedded) return fail(embedded.error());

    const std::uint64_t first_wanted = std::max(options_.first_tick, from_.first_tick());
    const std::uint64_t wanted = last_ - std::min(first_wanted, last_) + 1;
    made_.missing_ticks = wanted - std::min(wanted, wanted_frames_);
    made_.first_tick = begin_;
    made_.last_tick = last_;
    made_.dropped_signature = header.is_signed || embedded->size() != sections_.embedded.size();
    const std::uint64_t all = last_ - begin_ + 1;
    // Without a state that leads there the part begins later than requested.
    const std::uint64_t not_led_to = begin_ - std::min(begin_, first_wanted);
    const std::uint64_t lost = all - std::min(all, made_.ticks) + not_led_to;
    const lost_content before = lost_content_of(from_.facts()).value_or(lost_content{});
    made_.lost_keyframes = refused_ticks_.size();
    const lost_content lost_here{lost, before.keyframes + made_.lost_keyframes,
                                 before.events + damaged_records_};
    // Data after the end of an unfinished file was not counted, and the part states that, too. A file that is
    // itself a part is marked only for its beginning.
    made_.is_unfinished = header.incomplete && options_.last_tick >= total &&
                          (from_.first_tick() == 0 || lost_content_of(from_.facts()));
    const std::string json = metadata_text(lost_here, made_.is_unfinished);
    sections_.metadata_json = json;
    sections_.orders = *orders;
    sections_.keyframes = keyframe_section_;
    sections_.events = *events;
    sections_.voice = *voice;
    sections_.signature = {};
    sections_.embedded = *embedded;
    if (last_ + 1 != total) sections_.final_state_hash = {};
    sections_.total_ticks = last_ + 1;
    sections_.incomplete = begin_ != 0 || made_.damaged_blocks != 0 || lost_here.any() || made_.is_unfinished;
    sections_.lost_frame_count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(lost + lost_here.keyframes, UINT32_MAX));
    auto file = encode_file(sections_);
    if (!file) return fail(file.error());
    made_.file = std::move(*file);
    return std::move(made_);
  }

 private:
  // From the last valid full one that leads to the first tick; if there is none, from the next.
  result<void> keyframes() {
    const auto all = from_.keyframes();
    const auto later =
        std::ranges::upper_bound(all, options_.first_tick, {}, &stored_keyframe::tick) - all.begin();
    std::optional<std::size_t> start;
    sound_keyframes probe(options_.most);
    const auto begins = [&](std::size_t number) {
      const auto taken = probe.take(all[number]);
      if (!taken) note(all[number], taken.error());
      if (taken && all[number].full) start = number;
      return start.has_value();
    };
    for (auto i = static_cast<std::size_t>(later); i-- != 0;) {
      if (all[i].full && begins(i)) break;
    }
    for (auto i = static_cast<std::size_t>(later); !start && i < all.size() && all[i].tick <= last_; ++i) {
      if (begins(i)) break;
    }
    if (!start) {
      if (!made_.damage.empty()) return fail(made_.damage.front());
      return fail(error_code::missing_keyframe, error::no_offset, "no full state leads to tick {u}",
                  static_cast<std::int64_t>(options_.first_tick));
    }
    begin_ = all[*start].tick;
    sound_keyframes sound(options_.most);
    keyframe_section_writer writer;
    for (std::size_t i = *start; i < all.size() && all[i].tick <= last_; ++i) {
      if (const auto taken = sound.take(all[i]); !taken) {
        note(all[i], taken.error());
        continue;
      }
      if (auto added = writer.add(all[i]); !added) return added;
    }
    keyframe_section_ = writer.finish();
    note_misplaced(all);
    return {};
  }

  // Keyframes of the part whose index entry has another tick.
  void note_misplaced(std::span<const stored_keyframe> all) {
    byte_vector buffer;
    for (const stored_keyframe& one : all) {
      if (one.tick >= begin_ && one.tick <= last_) continue;
      const auto raw = open_keyframe(one, buffer);
      if (raw || raw.error().code != error_code::malformed) continue;
      const auto says = static_cast<std::uint64_t>(raw.error().values[1]);
      if (says >= begin_ && says <= last_) note(one, raw.error());
    }
  }

  // Without duplicates; places beyond the listed ones are only counted.
  void note(const stored_keyframe& one, const error& what) {
    if (!refused_ticks_.insert(one.tick).second) return;
    if (made_.damage.size() < max_listed_damage) made_.damage.push_back(what);
  }

  result<byte_vector> stream(block_kind kind, byte_span from, std::uint64_t base_offset) {
    byte_vector out;
    if (from.empty()) return out;
    const std::uint32_t block_bytes = kind == block_kind::orders ? options_.most.block_bytes : 64u << 10;
    block_stream_writer writer(kind, {256, block_bytes, true, 0});
    const block_index index = index_blocks(from, kind, options_.most, base_offset);
    for (const stream_damage& each : index.damage) {
      if (each.first_tick <= last_ && each.end_tick > options_.first_tick) lose_block(kind, 1, each.what);
    }
    for (std::size_t i = 0; i < index.blocks.size(); ++i) {
      const block& one = index.blocks[i];
      if (one.head.first_tick > last_) break;
      const bool over = i + 1 < index.blocks.size() && index.blocks[i + 1].head.first_tick < begin_;
      // The consent of a recorded player precedes that player's first packet.
      if (over && kind != block_kind::voice) continue;
      const auto done = for_each_item({&one, 1}, kind, options_.most,
                                      [&](const block_item& item) { return take(kind, item, writer, out); });
      if (done) continue;
      if (refused_) return fail(done.error());
      lose_block(kind, one.head.count, done.error());
    }
    if (auto done = writer.finish(out); !done) return fail(done.error());
    return out;
  }

  void lose_block(block_kind kind, std::uint64_t items, const error& what) {
    ++made_.damaged_blocks;
    if (kind != block_kind::orders) damaged_records_ += items;
    if (made_.damage.size() < max_listed_damage) made_.damage.push_back(what);
  }

  result<void> take(block_kind kind, const block_item& item, block_stream_writer& writer, byte_vector& out) {
    constexpr std::size_t track_bytes = 4 + 8;
    const bool is_track = kind == block_kind::voice && item.bytes.size() == track_bytes;
    const std::uint64_t tick = is_track ? std::clamp(item.tick, begin_, last_) : item.tick;
    if (tick < begin_ || tick > last_) return {};
    if (kind == block_kind::orders) {
      ++made_.ticks;
      if (tick >= options_.first_tick) ++wanted_frames_;
    }
    if (auto added = add_in_order(writer, tick, item.bytes, item.from->offset, out); !added) {
      refused_ = true;
      return added;
    }
    return {};
  }

  std::string metadata_text(const lost_content& lost, bool is_unfinished) const {
    metadata facts = from_.facts();
    facts.is_signed = false;
    facts.total_ticks = last_ + 1;
    if (const auto seconds = tick_seconds(facts)) {
      facts.duration_seconds = static_cast<double>(last_ - begin_ + 1) * *seconds;
    }
    // A part of one file of a match does not belong to the match's series of files.
    std::erase_if(facts.others, [&](const auto& each) {
      return each.first == "x_part" || each.first == "x_split" ||
             (each.first == cut_metadata_key && !options_.cut_from.empty());
    });
    if (!options_.cut_from.empty()) {
      std::string text;
      text::append_json_text(options_.cut_from, text);
      facts.others.emplace_back(cut_metadata_key, text);
    }
    // What the whole recording lacks may be outside of the part.
    std::erase_if(facts.others, [](const auto& each) { return each.first == lost_metadata_key; });
    if (lost.any() || is_unfinished || made_.damaged_blocks != 0) set_lost_content(facts, lost);
    return to_json(facts);
  }

  const reader& from_;
  file_sections sections_;
  const cut_options& options_;
  std::uint64_t begin_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t wanted_frames_ = 0;
  std::uint64_t damaged_records_ = 0;
  std::set<std::uint64_t> refused_ticks_;  // of keyframes
  bool refused_ = false;
  byte_vector keyframe_section_;
  cut_file made_;
};

}  // namespace

result<cut_file> cut(byte_span file, const cut_options& options) {
  if (options.last_tick < options.first_tick) return fail(error_code::out_of_range);
  reader_options reading;
  reading.most = options.most;
  const auto from = open_finished(file, reading);
  if (!from) return fail(from.error());
  return cutting(*from, file, options).run();
}

}  // namespace tickreel::icrep
