#include "tickreel/icrep/cut.hpp"

#include <algorithm>
#include <optional>

#include "edit_sections.hpp"
#include "item_walk.hpp"
#include "tickreel/icrep/embedded.hpp"
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
      return fail(error_code::out_of_range, error::no_offset, "the recording ends before that, with tick {}",
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

    const std::uint64_t wanted = last_ - std::max(options_.first_tick, begin_) + 1;
    made_.missing_ticks = wanted - std::min(wanted, wanted_frames_);
    made_.first_tick = begin_;
    made_.last_tick = last_;
    made_.dropped_signature = header.is_signed || embedded->size() != sections_.embedded.size();
    const std::string json = metadata_text();
    sections_.metadata_json = json;
    sections_.orders = *orders;
    sections_.keyframes = keyframe_section_;
    sections_.events = *events;
    sections_.voice = *voice;
    sections_.signature = {};
    sections_.embedded = *embedded;
    if (last_ + 1 != total) sections_.final_state_hash = {};
    sections_.total_ticks = last_ + 1;
    const std::uint64_t all = last_ - begin_ + 1;
    const std::uint64_t lost = all - std::min(all, made_.ticks);
    sections_.incomplete = begin_ != 0 || made_.damaged_blocks != 0 || (header.incomplete && lost != 0);
    sections_.lost_frame_count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(lost, header.lost_frame_count));
    auto file = lay_out_file(sections_);
    if (!file) return fail(file.error());
    made_.file = std::move(*file);
    return std::move(made_);
  }

 private:
  // From the last full one that can be unpacked.
  result<void> keyframes() {
    const auto all = from_.keyframes();
    byte_vector buffer;
    std::optional<std::size_t> start;
    for (std::size_t i = 0; i < all.size() && all[i].tick <= options_.first_tick; ++i) {
      if (all[i].full) start = i;
    }
    while (start && (!all[*start].full || !open_keyframe(all[*start], buffer))) {
      ++made_.damaged_blocks;
      start = *start == 0 ? std::nullopt : std::optional(*start - 1);
    }
    if (!start) {
      return fail(error_code::missing_keyframe, error::no_offset, "no full state leads to tick {}",
                  static_cast<std::int64_t>(options_.first_tick));
    }
    begin_ = all[*start].tick;
    keyframe_section_writer writer;
    for (std::size_t i = *start; i < all.size() && all[i].tick <= last_; ++i) {
      if (auto added = writer.add(all[i]); !added) return added;
    }
    keyframe_section_ = writer.finish();
    return {};
  }

  result<byte_vector> stream(block_kind kind, byte_span from, std::uint64_t base_offset) {
    byte_vector out;
    if (from.empty()) return out;
    const std::uint32_t block_bytes = kind == block_kind::orders ? options_.most.block_bytes : 64u << 10;
    block_stream_writer writer(kind, {256, block_bytes, true, 0});
    const block_index index = index_blocks(from, kind, options_.most, base_offset);
    for (const stream_damage& each : index.damage) {
      if (each.first_tick <= last_ && each.end_tick > options_.first_tick) ++made_.damaged_blocks;
    }
    for (std::size_t i = 0; i < index.blocks.size(); ++i) {
      const block& one = index.blocks[i];
      if (one.head.first_tick > last_) break;
      const bool over = i + 1 < index.blocks.size() && index.blocks[i + 1].head.first_tick < begin_;
      // Who agreed to be recorded stands before the first word of his.
      if (over && kind != block_kind::voice) continue;
      const auto done = for_each_item({&one, 1}, kind, options_.most,
                                      [&](const block_item& item) { return take(kind, item, writer, out); });
      if (done) continue;
      if (refused_) return fail(done.error());
      ++made_.damaged_blocks;
    }
    if (auto done = writer.finish(out); !done) return fail(done.error());
    return out;
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
    if (auto added = writer.add(tick, item.bytes, out); !added) {
      refused_ = true;
      return added;
    }
    return {};
  }

  std::string metadata_text() const {
    metadata facts = from_.facts();
    facts.is_signed = false;
    facts.total_ticks = last_ + 1;
    if (const auto seconds = tick_seconds(facts)) {
      facts.duration_seconds = static_cast<double>(last_ - begin_ + 1) * *seconds;
    }
    // A part of one file of a match is no file of that match.
    std::erase_if(facts.others, [&](const auto& each) {
      return each.first == "x_part" || each.first == "x_split" ||
             (each.first == cut_metadata_key && !options_.cut_from.empty());
    });
    if (!options_.cut_from.empty()) {
      std::string text;
      text::append_json_text(options_.cut_from, text);
      facts.others.emplace_back(cut_metadata_key, text);
    }
    return to_json(facts);
  }

  const reader& from_;
  file_sections sections_;
  const cut_options& options_;
  std::uint64_t begin_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t wanted_frames_ = 0;
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
