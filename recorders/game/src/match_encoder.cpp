#include "match_encoder.hpp"

#include <algorithm>

#include "facts.hpp"
#include "layout_json.hpp"
#include "match_parts.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::game {

namespace {

// The tick is after the type of the event.
std::uint64_t tick_of_event(byte_span bytes) noexcept {
  byte_reader in(bytes);
  in.skip(sizeof(std::uint32_t));
  return in.u64();
}

}  // namespace

match_encoder::match_encoder(const match& about, const match_options& options, icrep::metadata facts,
                             const icrep::slot_table& slots, match_status& talk)
    : about_(about),
      options_(options),
      facts_(std::move(facts)),
      clock_(facts_),
      talk_(&talk),
      slots_(slots),
      world_(*facts_.schema, about.seed, about.map_hash) {
  if (options.detect) watcher_.emplace(*options.detect, slots_);
  // Signatures cover keyframes in their form in files.
  if (options.file == container::reel && !options.signing_key_seed) chain_.emplace(facts_, slots_);
  if (options.signing_key_seed) {
    signer_ = std::make_unique<match_signer>(
        *options.signing_key_seed, icrep::chain_subject{facts_.replay_id, about.map_hash, about.seed},
        options.signing_interval_ticks);
    // The signer has its own copy and erases it.
    options_.signing_key_seed.reset();
  }
}

void match_encoder::encode(const recorder_item& from, item_output& out) noexcept {
  byte_reader head(from.bytes);
  const std::uint64_t state_hash = head.u64();
  const unsigned flags = head.u8();
  const std::uint64_t tick = from.stamp.tick;
  const std::uint64_t missing = tick - next_tick_;
  if (missing > from.dropped_before) {
    out.gap(missing - from.dropped_before, clock_.stamp_of(next_tick_), clock_.stamp_of(tick - 1),
            reel::gap_reason::source_failed);
  }
  next_tick_ = tick + 1;
  write_signatures(tick, out);
  if (full_) return lose(from, out);

  if ((flags & has_keyframe) != 0) world_.begin((flags & whole_world) != 0);
  read_notes(head.rest());
  parts_ = {};
  ask_for_next_part();
  if ((flags & has_keyframe) != 0) {
    make_keyframe(tick, state_hash, out.wants_keyframe() || wants_next_part_, out);
  }

  // In the order of the file.
  icrep::sort_orders(frame_);
  frame_.tick = tick;
  frame_.state_hash = state_hash;
  const bool is_made = state_hash == 0 && hashed_tick_ == tick;
  if (is_made) frame_.state_hash = icrep::sync_hash(made_hash_);
  orders_.clear();
  icrep::append_bc1(orders_, frame_);
  parts_.orders = orders_;
  const bool is_full = parts_.keyframe && parts_.keyframe->full;
  std::optional<std::size_t> keyframe_bytes;
  if (parts_.keyframe) {
    keyframe_bytes = parts_.keyframe->chained ? static_cast<std::size_t>(chain_->file_bytes())
                                              : parts_.keyframe->bytes.size();
  }
  const std::uint64_t bytes = part_planner::bytes_of_frame(orders_.size(), keyframe_bytes);
  const bool starts_part = wants_next_part_ && is_full;
  const std::uint64_t part_bytes = file_bytes_;
  const std::uint64_t part_keyframes = taken_keyframes_;
  if (starts_part) {
    wants_next_part_ = false;
    file_bytes_ = taken_keyframes_ = 0;
  }
  if (!has_room(bytes, out)) return end_for_want_of_room(from, out);

  const bool has_state = parts_.keyframe.has_value();
  if (has_state) ++taken_keyframes_;
  file_bytes_ += bytes;
  total_ticks_ = tick + 1;
  unsealed_frame& waiting = unsealed_.emplace_back();
  waiting = {tick, has_state, is_full, is_made || state_hash != 0,
             is_made ? made_hash_ : digest_of_hash(state_hash)};
  if (signer_) {
    waiting.orders = icrep::frame_item(orders_);
    if (has_state) waiting.keyframe = icrep::keyframe_item(tick, is_full, raw_);
  }
  // Orders are independent; a reader may begin with them if there is no state.
  const frame_kind kind = is_full || (!has_base() && !has_state) ? frame_kind::keyframe : frame_kind::delta;
  if (!out.frame(from.stamp, kind, frames_.parts(parts_))) {
    unsealed_.pop_back();
    if (starts_part) {
      wants_next_part_ = true;
      file_bytes_ += part_bytes;
      taken_keyframes_ += part_keyframes;
    }
    if (has_state) lose_keyframe(is_full);
  }
  write_described(tick, out);
  write_events(tick, out);
  write_voice(tick, out);
}

// Into the world, the frame and the records after it.
void match_encoder::read_notes(byte_span notes) {
  frame_.orders.clear();
  voice_.clear();
  described_.clear();
  const std::size_t known = events_.size();
  for (byte_reader in(notes); in.ok() && !in.at_end();) {
    const auto kind = static_cast<note>(in.u8());
    if (is_of_keyframe(kind)) {
      world_.apply(kind, in);
    } else if (kind == note::order) {
      icrep::timestamped_order& given = frame_.orders.emplace_back();
      given.player = in.u32();
      given.sub_tick_us = in.u32();
      icrep::order::game_order content;
      content.type_tag = in.u16();
      const byte_span payload = in.bytes(in.u32());
      content.payload.assign(payload.begin(), payload.end());
      given.order = std::move(content);
    } else if (kind == note::event) {
      const byte_span bytes = in.bytes(in.u32());
      events_.push_back({tick_of_event(bytes), byte_vector(bytes.begin(), bytes.end())});
    } else if (kind == note::voice) {
      voice_.push_back(in.bytes(in.u32()));
    } else {
      described_.push_back(in.bytes(in.u32()));
      merge_described(known_, read_layout(as_text(described_.back())));
    }
  }
  if (events_.size() != known) std::ranges::stable_sort(events_, {}, &noted_event::tick);
}

// At three quarters of the limit: time for the game to react, and for pending data.
void match_encoder::ask_for_next_part() {
  if (!options_.split || wants_next_part_) return;
  const std::uint64_t room = options_.file_limit_bytes - std::min(options_.file_limit_bytes, finishing_bytes);
  if (file_bytes_ <= room / 4 * 3 && taken_keyframes_ <= options_.file_limit_keyframes / 4 * 3) return;
  wants_next_part_ = true;
  talk_->requests.fetch_or(match_status::keyframe_wanted, std::memory_order_relaxed);
}

// Content of this tick that was not recorded yet.
void match_encoder::end_for_want_of_room(const recorder_item& from, item_output& out) {
  full_ = true;
  talk_->requests.fetch_or(match_status::file_is_full, std::memory_order_relaxed);
  out.lose(from.stamp, reel::gap_reason::sink_failed);
  if (parts_.keyframe) lose_keyframe(true);
  write_events(from.stamp.tick, out);
  write_voice(from.stamp.tick, out);
}

// A tick after the end.
void match_encoder::lose(const recorder_item& from, item_output& out) {
  out.lose(from.stamp, reel::gap_reason::sink_failed);
  byte_reader in(from.bytes);
  in.skip(tick_head_bytes - 1);
  if ((in.u8() & has_keyframe) != 0) match_status::count(talk_->by_writer.keyframes);
  while (in.ok() && !in.at_end()) {
    const auto kind = static_cast<note>(in.u8());
    skip_note(kind, in);
    if (is_record(kind) && kind != note::described)
      out.lose_event(kind == note::voice ? voice_event_type : 0);
  }
}

bool match_encoder::has_room(std::uint64_t bytes, const item_output& out) {
  if (taken_keyframes_ >= options_.file_limit_keyframes) return false;
  // A reel is read with the limits of the file that can be made of it.
  const std::uint64_t taken =
      options_.file == container::reel ? std::max(out.bytes(), file_bytes_) : file_bytes_;
  return taken + bytes + finishing_bytes <= options_.file_limit_bytes;
}

void match_encoder::write_events(std::uint64_t last_tick, item_output& out) {
  auto next = events_.begin();
  for (; next != events_.end() && next->tick <= last_tick; ++next) {
    write_event(next->tick, next->bytes, out);
    if (!watcher_) continue;
    const auto happened = icrep::read_event(next->bytes);
    if (happened && *happened) watcher_->happened(**happened, found_);
    write_found(out);
  }
  events_.erase(events_.begin(), next);
}

void match_encoder::write_event(std::uint64_t tick, byte_span bytes, item_output& out) {
  const std::uint32_t type = byte_reader(bytes).u32();
  // The detector's lists of units may exceed a record.
  if (full_ || bytes.size() > record_limit_bytes || tick < last_event_tick_ ||
      !has_room(part_planner::bytes_of_record(bytes.size()), out)) {
    return out.lose_event(type);
  }
  last_event_tick_ = tick;
  file_bytes_ += part_planner::bytes_of_record(bytes.size());
  put_record(icrep::content_stream::events, tick, type, bytes, out);
}

// Everything in the reel is part of the signed content.
void match_encoder::put_record(icrep::content_stream stream, std::uint64_t tick, std::uint32_t type,
                               byte_span bytes, item_output& out) {
  record_lost_ = false;
  out.event(clock_.stamp_of(tick), type, bytes);
  if (signer_ && !record_lost_) signer_->record(stream, bytes);
}

// All signed content is in the reel, or queued before them.
void match_encoder::write_signatures(std::uint64_t tick, item_output& out) {
  if (!signer_ || !writing_works_) return;
  signer_->visit_new_entries([&](const signed_entry& entry) {
    byte_vector bytes;
    icrep::append_bc1(bytes, entry);
    file_bytes_ += bytes.size();
    match_status::count(talk_->notices);
    out.event(clock_.stamp_of(tick), signature_event_type, bytes);
  });
}

void match_encoder::write_found(item_output& out) {
  byte_vector bytes;
  for (const analysis::event& one : found_) {
    bytes.clear();
    icrep::append_event(bytes, one);
    write_event(analysis::tick_of(one), bytes, out);
  }
  found_.clear();
}

// Written early, so that they exist if the recorder dies; at the end they are in the metadata.
void match_encoder::write_described(std::uint64_t tick, item_output& out) {
  for (const byte_span json : described_) {
    if (full_) continue;
    match_status::count(talk_->notices);
    out.event(clock_.stamp_of(tick), described_event_type, json, true);
  }
}

void match_encoder::write_voice(std::uint64_t tick, item_output& out) {
  for (const byte_span bytes : voice_) {
    if (full_ || !has_room(part_planner::bytes_of_record(bytes.size()), out)) {
      out.lose_event(voice_event_type);
      continue;
    }
    file_bytes_ += part_planner::bytes_of_record(bytes.size());
    put_record(icrep::content_stream::voice, tick, voice_event_type, bytes, out);
  }
}

void match_encoder::sealed(bool written, std::uint32_t frames) noexcept {
  writing_works_ = written;
  const auto end = unsealed_.begin() + static_cast<std::ptrdiff_t>(frames);
  for (auto one = unsealed_.begin(); one != end; ++one) {
    if (one->has_keyframe) match_status::count(written ? talk_->keyframes : talk_->by_writer.keyframes);
    if (written && signer_) {
      signer_->frame(one->tick, one->has_hash ? &one->hash : nullptr, one->orders,
                     one->has_keyframe ? &one->keyframe : nullptr);
    }
  }
  unsealed_.erase(unsealed_.begin(), end);
  // The chunk ended before a complete frame.
  const bool stands = !unsealed_.empty() && unsealed_.back().is_full;
  if (written || stands) return;
  // Deltas may depend only on content of the file. An early full keyframe reduces the loss.
  drop_base();
  talk_->requests.fetch_or(match_status::keyframe_wanted, std::memory_order_relaxed);
}

void match_encoder::event_lost(std::uint32_t type) noexcept {
  record_lost_ = true;
  const bool is_notice = type == signature_event_type || type == described_event_type;
  if (is_notice) match_status::count(talk_->notices_lost);
  if (type == voice_event_type) match_status::count(talk_->by_writer.voice);
}

void match_encoder::finish(byte_span left_over, item_output& out) {
  byte_reader head(left_over);
  head.skip(tick_head_bytes);
  frame_.orders.clear();
  read_notes(head.rest());
  write_described(total_ticks_ == 0 ? 0 : total_ticks_ - 1, out);
  write_events(UINT64_MAX, out);
  write_voice(total_ticks_ == 0 ? 0 : total_ticks_ - 1, out);
  if (watcher_) {
    watcher_->finish(total_ticks_, found_);
    write_found(out);
  }
}

match_end match_encoder::end(const match_result& how, const match_counters& counted) {
  finish_facts(facts_, about_, how, total_ticks_);
  if (!has_own_hashes_) facts_.state_hash = "core-sha256";
  match_end last;
  const std::uint64_t lost_ticks = counted.dropped + counted.lost + counted.noted;
  if (lost_ticks + counted.keyframes_lost != 0) {
    add_losses(facts_, {lost_ticks, counted.keyframes_lost, counted.events_lost});
  }
  // As in the format: ticks and keyframes together.
  last.lost_frame_count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(lost_ticks + counted.keyframes_lost, UINT32_MAX));
  last.incomplete = last.lost_frame_count != 0;
  last.total_ticks = total_ticks_;
  if (how.state_hash != 0) last.final_state_hash = digest_of_hash(how.state_hash);
  facts_.is_signed = signer_ != nullptr;
  const auto metadata = [&](bool describes, std::uint64_t rejected_values) {
    icrep::metadata facts = facts_;
    if (describes) add_described(facts, known_);
    if (counted.fixed_texts + rejected_values != 0) {
      add_fixes(facts, {counted.fixed_texts, rejected_values});
    }
    return icrep::to_json(facts);
  };
  std::string json = metadata(true, counted.rejected_values);
  // Without the descriptions of orders and events a match is still readable.
  if (json.size() > icrep::limits{}.metadata_bytes) json = metadata(false, counted.rejected_values + 1);
  const byte_span text = as_bytes(json);
  last.metadata_json.assign(text.begin(), text.end());
  if (signer_) signer_->finish(last);
  return last;
}

}  // namespace tickreel::game
