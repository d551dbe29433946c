#include "tickreel/icrep/recover.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "edit_sections.hpp"
#include "recover_stream.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::size_t index_entry_bytes = 21;

// The part of a section that is in the file.
byte_span part_of(byte_span file, section place) noexcept {
  if (place.offset == 0 || place.offset >= file.size()) return {};
  return file.subspan(place.offset, std::min<std::size_t>(place.length, file.size() - place.offset));
}

// The JSON object after the header, where recorders write the first metadata.
std::string_view first_metadata(byte_span file) noexcept {
  if (file.size() <= header_bytes) return {};
  const std::string_view text = as_text(file.subspan(header_bytes));
  if (!text.starts_with('{')) return {};
  std::size_t depth = 0;
  bool in_words = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_words) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_words = false;
    } else if (text[i] == '"') {
      in_words = true;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

// The last block of a stream is marked; a truncated stream has lost the marked one.
result<void> mark_last(byte_vector& stream, block_kind kind, const limits& most) {
  const block_index index = index_blocks(stream, kind, most);
  if (index.blocks.empty() || index.blocks.back().head.last) return {};
  const block& last = index.blocks.back();
  byte_vector buffer;
  const auto content = open_block(last, buffer);
  if (!content) return fail(content.error());
  const byte_vector raw(content->begin(), content->end());
  block_header head = last.head;
  head.last = true;
  stream.resize(static_cast<std::size_t>(last.offset));
  return append_block(stream, head, raw, true);
}

// What verify() finds, without deltas that cannot be applied because the metadata do not describe the components.
std::vector<error> damage_of(const reader& file) {
  std::vector<error> all;
  for (const finding& one : file.verify()) {
    const bool is_unknown = !file.facts().schema && is_of_undescribed_slot(one.what);
    if (one.severity == severity::damage && !is_unknown) all.push_back(one.what);
  }
  return all;
}

class salvaging {
 public:
  salvaging(byte_span file, const file_header& header, const limits& most)
      : file_(file), header_(header), most_(most) {}

  // Whether a state can be restored and is that of its orders is known only from the assembled file, so unusable
  // ones are omitted in a further pass.
  result<recovered_file> run() {
    while (true) {
      auto made = attempt();
      if (!made) return made;
      const auto opened = reader::open(made->file);
      if (!opened) return fail(opened.error());
      bool any = false;
      for (const error& each : damage_of(*opened)) {
        const auto all = opened->keyframes();
        const auto keyframe = std::ranges::lower_bound(all, each.offset, {}, &stored_keyframe::offset);
        if (keyframe != all.end() && keyframe->offset == each.offset)
          any |= refused_.try_emplace(keyframe->tick, each).second;
      }
      if (!any) return made;
    }
  }

 private:
  result<recovered_file> attempt() {
    out_ = {};
    keyframes_ = {};
    sound_ = sound_keyframes(most_);
    total_ticks_ = 0;
    auto facts = metadata_left();
    if (!facts) return fail(facts.error());
    if (auto done = orders(*facts); !done) return fail(done.error());
    keyframes();
    if (order_bytes_.empty() && keyframes_.count() == 0) {
      return fail(error_code::truncated, file_.size(), "neither orders nor states can be saved");
    }
    byte_vector event_bytes;
    byte_vector voice_bytes;
    auto marked = records(header_.events, block_kind::events, event_bytes);
    if (marked) marked = records(header_.voice, block_kind::voice, voice_bytes);
    if (marked) marked = mark_last(order_bytes_, block_kind::orders, most_);
    if (marked) marked = mark_last(event_bytes, block_kind::events, most_);
    if (marked) marked = mark_last(voice_bytes, block_kind::voice, most_);
    if (!marked) return fail(marked.error());
    const byte_vector keyframe_bytes = keyframes_.finish();
    byte_vector embedded;
    if (const byte_span section = part_of(file_, header_.embedded); !section.empty()) {
      const auto resources = read_embedded_section(section, most_);
      // A seal requires a whole recording.
      auto kept = with_seal(section, nullptr);
      if (resources && kept) embedded = std::move(*kept);
      out_.lost_resources = !resources || !kept;
    }
    out_.lost_signatures = header_.is_signed;
    out_.total_ticks = total_ticks_;
    out_.keyframes = keyframes_.count();

    facts->is_signed = false;
    facts->total_ticks = total_ticks_;
    if (const auto seconds = tick_seconds(*facts)) {
      facts->duration_seconds = *seconds * static_cast<double>(total_ticks_);
    }
    const lost_content lost = add_losses(*facts);
    const std::string json = to_json(*facts);
    file_sections sections;
    sections.metadata_json = json;
    sections.orders = order_bytes_;
    sections.keyframes = keyframe_bytes;
    sections.events = event_bytes;
    sections.voice = voice_bytes;
    sections.embedded = embedded;
    sections.total_ticks = total_ticks_;
    if (total_ticks_ == header_.total_ticks) sections.final_state_hash = header_.final_state_hash;
    sections.lost_frame_count = std::max(
        header_.lost_frame_count,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(lost.ticks + lost.keyframes, UINT32_MAX)));
    sections.incomplete = true;
    auto made = encode_file(sections);
    if (!made) return fail(made.error());
    out_.file = std::move(*made);
    return std::move(out_);
  }

  // Adds the current losses to the earlier ones.
  lost_content add_losses(metadata& facts) const {
    lost_content lost = lost_content_of(facts).value_or(lost_content{});
    lost.ticks = std::max(lost.ticks, out_.lost_ticks);
    lost.keyframes += out_.lost_keyframes;
    lost.events += out_.lost_records;
    if (lost.any()) set_lost_content(facts, lost);
    return lost;
  }

  result<metadata> metadata_left() {
    const byte_span section = part_of(file_, header_.metadata);
    if (!section.empty() && section.size() == header_.metadata.length) {
      if (auto facts = read_metadata(as_text(section), most_)) return facts;
    }
    out_.lost_metadata = true;
    const std::string_view first = first_metadata(file_);
    if (first.empty()) return fail(error_code::bad_json, header_bytes, "the metadata are lost");
    return read_metadata(first, most_);
  }

  result<void> orders(const metadata& facts) {
    // The header has no check value: its end is certain if the metadata have the same.
    const std::uint64_t announced =
        header_.total_ticks <= last_writable_tick ? header_.total_ticks : facts.total_ticks;
    const bool is_certain = header_.total_ticks == facts.total_ticks && announced <= last_writable_tick;
    end_tick_ = is_certain ? announced : last_writable_tick + 1;
    auto found = recover(header_.orders, block_kind::orders, end_tick_);
    if (!found) return fail(found.error());
    order_bytes_ = std::move(found->blocks);
    total_ticks_ = found->end_tick;
    if (announced <= last_writable_tick && announced > found->items) {
      out_.lost_ticks = announced - found->items;
    }
    return {};
  }

  result<recovered_stream> recover(section place, block_kind kind, std::uint64_t end_tick) {
    auto found = recover_stream(part_of(file_, place), kind, most_, place.offset, end_tick);
    if (!found) return found;
    out_.damaged_blocks += found->damaged_blocks;
    for (const error& each : found->damage) note(each);
    return found;
  }

  void note(const error& what) {
    if (out_.damage.size() < max_listed_damage) out_.damage.push_back(what);
  }

  // The index must be whole; the whole snapshots after it are used.
  void keyframes() {
    const byte_span section = part_of(file_, header_.keyframes);
    byte_reader in(section);
    const std::uint64_t count = in.u64();
    if (!in.ok() || count > in.remaining() / index_entry_bytes || count > most_.keyframes) {
      ++out_.lost_keyframes;
      return;
    }
    std::vector<stored_keyframe> all(static_cast<std::size_t>(count));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
    std::uint32_t lowest = UINT32_MAX;
    for (stored_keyframe& one : all) {
      one.tick = in.u64();
      const std::uint32_t offset = in.u32();
      const std::uint32_t stored = in.u32();
      one.raw_bytes = in.u32();
      one.full = in.u8() == 1;
      one.compressed = stored != one.raw_bytes;
      places.emplace_back(offset, stored);
      lowest = std::min(lowest, offset);
    }
    const std::size_t origin = lowest == in.position() ? 0 : in.position();
    add_check_values(section, origin, places, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto [offset, stored] = places[i];
      const std::size_t begin = origin + offset;
      all[i].offset = header_.keyframes.offset + begin;
      if (begin <= section.size() && stored <= section.size() - begin) {
        all[i].stored = section.subspan(begin, stored);
      }
    }
    choose_subject(all);
    for (const stored_keyframe& one : all) {
      if (const auto kept = keep(one); !kept) {
        ++out_.lost_keyframes;
        note(kept.error());
      }
    }
  }

  // The map and the seed of a match.
  using subject = std::pair<digest, std::uint64_t>;

  std::optional<subject> subject_of(const stored_keyframe& full) {
    sound_keyframes alone(most_);
    if (!full.full || !alone.take(full)) return std::nullopt;
    const auto state = read_snapshot(alone.raw(), most_);
    return state ? std::optional(subject(state->core.map_hash, state->core.game_seed)) : std::nullopt;
  }

  // Those of most full keyframes.
  void choose_subject(std::span<const stored_keyframe> all) {
    if (subject_) return;
    std::map<subject, std::size_t> counts;
    for (const stored_keyframe& one : all) {
      const auto of = subject_of(one);
      if (!of) continue;
      const std::size_t count = ++counts[*of];
      if (!subject_ || count > counts[*subject_]) subject_ = of;
    }
  }

  // After the last snapshot: "ICKC", a count, and a CRC-32 for each.
  static void add_check_values(byte_span section, std::size_t origin,
                               std::span<const std::pair<std::uint32_t, std::uint32_t>> places,
                               std::span<stored_keyframe> all) {
    std::size_t end = origin;
    for (const auto& [offset, stored] : places) end = std::max(end, origin + offset + stored);
    if (end > section.size()) return;
    byte_reader check(section.subspan(end));
    if (as_text(check.bytes(4)) != "ICKC" || check.u32() != all.size() ||
        check.remaining() != all.size() * sizeof(std::uint32_t)) {
      return;
    }
    for (stored_keyframe& one : all) one.crc = check.u32();
  }

  result<void> keep(const stored_keyframe& one) {
    const auto tick = static_cast<std::int64_t>(one.tick);
    if (const auto refused = refused_.find(one.tick); refused != refused_.end()) {
      error why = refused->second;
      why.offset = one.offset;
      return fail(why);
    }
    // Without orders only the states remain.
    const std::uint64_t end_tick = order_bytes_.empty() ? end_tick_ : total_ticks_;
    if (one.tick >= end_tick && one.tick != 0) {
      return fail(error_code::malformed, one.offset, "the keyframe of tick {u} is after the end", tick);
    }
    if (one.full && subject_ && subject_of(one).value_or(*subject_) != *subject_) {
      return fail(error_code::malformed, one.offset, "the keyframe of tick {u} has another map or seed",
                  tick);
    }
    if (auto taken = sound_.take(one); !taken) return taken;
    if (auto added = keyframes_.add(one); !added) return added;
    if (order_bytes_.empty()) total_ticks_ = one.tick + 1;
    return {};
  }

  result<void> records(section place, block_kind kind, byte_vector& to) {
    auto found = recover(place, kind, total_ticks_ + 1);
    if (!found) return fail(found.error());
    to = std::move(found->blocks);
    out_.lost_records += found->lost_items;
    if (found->was_sorted) ++out_.sorted_streams;
    return {};
  }

  byte_span file_;
  const file_header& header_;
  limits most_;
  recovered_file out_;
  byte_vector order_bytes_;
  keyframe_section_writer keyframes_;
  std::optional<subject> subject_;
  std::map<std::uint64_t, error> refused_;  // by tick
  std::uint64_t end_tick_ = 0;              // that the file announces, or the highest
  std::uint64_t total_ticks_ = 0;
  sound_keyframes sound_;
};

result<recovered_file> finish(const live_files& left, const limits& most) {
  auto made = finish_live(left, most);
  if (!made) return fail(made.error());
  recovered_file out;
  out.was_live = true;
  out.total_ticks = made->total_ticks;
  out.damaged_blocks = made->damage.size();
  const byte_span kept = left.file.first(static_cast<std::size_t>(made->keep_bytes));
  byte_vector grown(kept.begin(), kept.end());
  grown.insert(grown.end(), made->tail.begin(), made->tail.end());
  std::ranges::copy(made->header, grown.begin());
  const auto opened = reader::open(grown);
  if (!opened) return fail(opened.error());
  out.keyframes = opened->keyframes().size();
  // Written again: the first metadata of the live file belong to no section.
  file_sections sections = sections_of(*opened, grown);
  byte_vector orders(sections.orders.begin(), sections.orders.end());
  if (auto marked = mark_last(orders, block_kind::orders, most); !marked) return fail(marked.error());
  sections.orders = orders;
  auto encoded = encode_file(sections);
  if (!encoded) return fail(encoded.error());
  const auto finished = reader::open(*encoded);
  if (!finished) return fail(finished.error());
  if (!damage_of(*finished).empty()) {
    auto salvaged = salvaging(*encoded, finished->header(), most).run();
    if (!salvaged) return salvaged;
    salvaged->was_live = true;
    salvaged->damaged_blocks += out.damaged_blocks;
    return salvaged;
  }
  out.file = std::move(*encoded);
  return out;
}

}  // namespace

result<recovered_file> recover_file(const live_files& left, const limits& most) {
  const auto header = read_header(left.file);
  if (!header) {
    // The recorder died while it wrote the final header: everything but the metadata's length is known.
    const std::string_view first = first_metadata(left.file);
    if (first.empty() || left.keyframes.empty()) return fail(header.error());
    file_header rebuilt;
    rebuilt.live = true;
    rebuilt.metadata = {static_cast<std::uint32_t>(header_bytes), static_cast<std::uint32_t>(first.size())};
    rebuilt.orders = {rebuilt.metadata.offset + rebuilt.metadata.length, 0};
    byte_vector file(left.file.begin(), left.file.end());
    std::ranges::copy(to_bytes(rebuilt), file.begin());
    return finish({file, left.keyframes, left.events, left.voice}, most);
  }
  if (header->live) return finish(left, most);
  reader_options reading;
  reading.most = most;
  const byte_span file = without_trailing_bytes(left.file, *header);
  if (const auto opened = reader::open(file, reading)) {
    if (damage_of(*opened).empty()) {
      recovered_file out;
      out.file.assign(file.begin(), file.end());
      out.was_whole = true;
      out.total_ticks = opened->total_ticks();
      out.keyframes = opened->keyframes().size();
      return out;
    }
  }
  return salvaging(left.file, *header, most).run();
}

}  // namespace tickreel::icrep
