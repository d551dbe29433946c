#include "world_recorder_state.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "layout_json.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::game {

world_recorder::state::state(const file_path& final_path, const match_options& chosen,
                             const icrep::metadata& facts, const world_layout& layout)
    : path(final_path),
      options(chosen),
      clock(facts),
      components(layout.components),
      player_fields(layout.player_fields),
      singletons(layout.world) {
  options.signing_key_seed.reset();
  recent_texts.fill(no_archetype);
  notes.reserve(prepared_item_bytes);
  spare.reserve(prepared_item_bytes);
  encoded.reserve(prepared_item_bytes);
  begin_notes();
}

void world_recorder::state::begin_notes() {
  // Not even its head yet: this memory is cold, and a keyframe uses other memory.
  notes.clear();
  events_in_tick = voice_in_tick = 0;
}

void world_recorder::state::put_head() {
  if (notes.size() == 0) (void)notes.room(tick_head_bytes);
}

void world_recorder::state::open_tick(std::uint64_t number, std::uint64_t state_hash) {
  tick = number;
  tick_hash = state_hash;
  orders_in_tick = 0;
  order_bytes = 0;
  const bool wanted = (talk.requests.load(std::memory_order_relaxed) & match_status::keyframe_wanted) != 0;
  keyframe_open = wanted || number >= next_keyframe;
  notes_are_whole = whole_wanted;
  entity_named = false;
  choose_memory();
  put_head();
  if (!keyframe_open) return;
  if (wanted)
    talk.requests.fetch_and(~std::uint32_t{match_status::keyframe_wanted}, std::memory_order_relaxed);
}

// Large buffers are for keyframes. Between keyframes they wait here, so that no more of them are in use than
// needed.
void world_recorder::state::choose_memory() {
  if (keyframe_open && spare.capacity() <= notes.capacity()) to->reclaim(spare);
  if (keyframe_open ? spare.capacity() <= notes.capacity() : spare.capacity() >= notes.capacity()) return;
  if (spare.capacity() < notes.size()) return;
  spare.append(notes.bytes());
  notes.swap(spare);
  spare.clear();
}

void world_recorder::state::write_texts() {
  for (std::size_t i = texts_written; i < text_list.size(); ++i) {
    put(note::text);
    put_bytes(as_bytes(text_list[i]));
  }
}

void world_recorder::state::lose_keyframe() noexcept {
  keyframe_open = false;
  match_status::count(talk.by_game.keyframes);
  whole_wanted = true;
  // A recording without any keyframe cannot be played: tries again immediately.
  if (!has_keyframes) next_keyframe = *tick + 1;
  keep_notes(notes, [](note kind) { return !is_of_keyframe(kind); });
}

void world_recorder::state::close_tick(bool at_the_end) noexcept {
  if (!tick) return;
  const std::size_t text_count = text_list.size();
  if (keyframe_open) {
    write_texts();
    next_keyframe = (*tick / options.keyframe_interval_ticks + 1) * options.keyframe_interval_ticks;
  }
  bool has_room = find_room(at_the_end);
  if (!has_room && keyframe_open) {
    lose_keyframe();
    has_room = to->has_room(notes.size());
  }
  if (!has_room) {
    to->drop(clock.stamp_of(*tick));
    // Its events can still be written with the next tick.
    keep_notes(notes, is_record);
    return;
  }
  unsigned flags = 0;
  if (keyframe_open) {
    flags = has_keyframe;
    if (notes_are_whole) flags |= whole_world;
    texts_written = text_count;
    whole_wanted = !changes_only;
    has_keyframes = true;
  }
  tickreel::detail::store<std::endian::little>(notes.data(), tick_hash);
  notes.data()[sizeof tick_hash] = static_cast<std::byte>(flags);
  (void)to->push(clock.stamp_of(*tick), notes);
  begin_notes();
}

bool world_recorder::state::find_room(bool at_the_end) noexcept {
  if (to->has_room(notes.size())) return true;
  if (at_the_end || options.when_full == loss_policy::block) {
    for (std::uint32_t attempt = 0; !to->has_room(notes.size()); ++attempt) {
      if (to->is_pumped()) {
        (void)to->pump();
      } else {
        tickreel::detail::wait_for_room(attempt);
      }
    }
    return true;
  }
  if (options.wait_limit_ms == 0) return false;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(options.wait_limit_ms);
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
    if (to->has_room(notes.size())) return true;
  }
  return false;
}

bool world_recorder::state::put_event(const analysis::event& happened) {
  if (!icrep::check_bc1(happened.what)) {
    analysis::event fixes = happened;
    const std::uint64_t count = icrep::fix_bc1(fixes.what);
    if (count != 0 && icrep::check_bc1(fixes.what)) {
      match_status::count(talk.fixed_texts, count);
      return put_event(fixes);
    }
    match_status::count(talk.by_game.events);
    return false;
  }
  encoded.clear();
  icrep::append_event(encoded, happened);
  return put_record(encoded);
}

bool world_recorder::state::put_record(byte_span bytes) {
  byte_reader head(bytes);
  head.skip(sizeof(std::uint32_t));
  const std::uint64_t happened_at = head.u64();
  const bool unlimited = options.when_full == loss_policy::block;
  if (ended || bytes.size() > record_limit_bytes || happened_at > icrep::last_writable_tick ||
      (!unlimited && (events_in_tick >= options.events_per_tick || notes.size() > options.ring_bytes))) {
    match_status::count(talk.by_game.events);
    return false;
  }
  ++events_in_tick;
  put_head();
  put(note::event);
  put_bytes(bytes);
  return true;
}

namespace {

// Lists of names are renumbered when layouts are merged, and a number may get more digits.
std::size_t room_for_numbers(const world_layout& what) {
  constexpr std::size_t longer_number = 4;
  std::size_t bytes = 0;
  for (const auto* slots : {&what.orders, &what.events}) {
    for (const slot_layout& one : *slots) {
      for (const value_layout& value : one.values) bytes += value.enumerators.empty() ? 0 : longer_number;
    }
  }
  return bytes;
}

}  // namespace

// Kept if its tick is dropped, like an event.
void world_recorder::state::note_described(const world_layout& what) {
  const std::string json = to_json(what);
  const std::size_t taken = json.size() + room_for_numbers(what);
  if (taken > outcome_room) {
    (void)refuse_value();
    return;
  }
  outcome_room -= taken;
  put_head();
  put(note::described);
  put_bytes(as_bytes(json));
}

bool world_recorder::state::put_voice() {
  const bool unlimited = options.when_full == loss_policy::block;
  if (!unlimited && (voice_in_tick >= options.voice_per_tick || notes.size() > options.ring_bytes)) {
    match_status::count(talk.by_game.events);
    match_status::count(talk.by_game.voice);
    return false;
  }
  ++voice_in_tick;
  encoded.clear();
  icrep::append_voice(encoded, said);
  put_head();
  put(note::voice);
  put_bytes(encoded);
  return true;
}

match_counters world_recorder::state::counters() const noexcept {
  match_counters out;
  if (to) static_cast<recorder_counters&>(out) = to->counters();
  // In this order: losses are counted before totals.
  const std::uint64_t notices_lost = talk.notices_lost.load(std::memory_order_relaxed);
  const std::uint64_t notices = talk.notices.load(std::memory_order_relaxed);
  out.events -= std::min(out.events, notices - std::min(notices, notices_lost));
  out.events_lost -= std::min(out.events_lost, notices_lost);
  out.events_lost += talk.by_game.events.load(std::memory_order_relaxed);
  out.keyframes = talk.keyframes.load(std::memory_order_relaxed);
  out.keyframes_lost = talk.by_game.keyframes.load(std::memory_order_relaxed) +
                       talk.by_writer.keyframes.load(std::memory_order_relaxed);
  out.voice_lost = talk.by_game.voice.load(std::memory_order_relaxed) +
                   talk.by_writer.voice.load(std::memory_order_relaxed);
  out.fixed_texts = talk.fixed_texts.load(std::memory_order_relaxed);
  out.rejected_values = talk.rejected_values.load(std::memory_order_relaxed);
  return out;
}

result<close_report> world_recorder::state::close(const match_result* how) noexcept {
  close_tick(true);
  ended = true;
  return to->close([this](match_encoder& encoder, item_output& out) { encoder.finish(notes.bytes(), out); },
                   [this, how](match_encoder& encoder, byte_vector& header) {
                     if (how != nullptr) icrep::append_bc1(header, encoder.end(*how, counters()));
                   });
}

}  // namespace tickreel::game
