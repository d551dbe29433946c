#include "recording_state.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace tickreel::game {

namespace {

constexpr std::uint32_t longest_wait_ms = 5;  // of the format's design
// The writer looks again after a nap: the game makes no system call to wake it. An eighth of a tick at 15 a
// second, and far less than the queue holds.
constexpr auto nap = std::chrono::milliseconds(4);
constexpr std::size_t prepared_frame_bytes = 256;
constexpr std::size_t prepared_order_bytes = 64u << 10;
constexpr std::uint64_t every_tick = std::numeric_limits<std::uint64_t>::max();

}  // namespace

recording::state::state(std::unique_ptr<match_writer> writer, std::unique_ptr<writer_losses> counted,
                        const recording_options& chosen)
    : options(chosen),
      queue(chosen.queue_items),
      keyframe_queue(chosen.queue_items),
      spare_notes(4),
      events(chosen.event_queue_items),
      voice(chosen.record_voice ? chosen.voice_queue_items : 1),
      losses(std::move(counted)),
      output(std::move(writer)) {
  options.signing_key_seed.reset();
  recent_texts.fill(no_archetype);
  // Every slot's memory once, so that ordinary ticks find theirs.
  const auto prepare = [](note_buffer& buffer, std::size_t bytes) {
    (void)buffer.room(bytes);
    buffer.clear();
  };
  prepare(orders, prepared_order_bytes);
  for (std::size_t i = 0; i < queue.capacity(); ++i) {
    prepare(queue.begin_push()->bytes, prepared_frame_bytes);
    queue.commit_push();
  }
  while (queue.front() != nullptr) queue.pop();
}

queue_item* recording::state::find_room(spsc_ring<queue_item>& into, std::size_t bytes) noexcept {
  const auto try_once = [&]() -> queue_item* {
    if (queued_items.load(std::memory_order_relaxed) >= options.queue_items) return nullptr;
    if (queued_bytes.load(std::memory_order_relaxed) + bytes > options.queue_bytes) return nullptr;
    return into.begin_push();
  };
  queue_item* slot = try_once();
  if (slot != nullptr || options.wait_limit_ms == 0) return slot;
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(std::min(options.wait_limit_ms, longest_wait_ms));
  while (slot == nullptr && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
    slot = try_once();
  }
  return slot;
}

bool recording::state::push(spsc_ring<queue_item>& into, note_buffer& bytes) noexcept {
  queue_item* const slot = find_room(into, bytes.size());
  if (slot != nullptr) {
    slot->whole = notes_are_whole;
    slot->tick = *tick;
    slot->state_hash = tick_hash;
    slot->bytes.swap(bytes);
    queued_bytes.fetch_add(slot->bytes.size(), std::memory_order_relaxed);
    queued_items.fetch_add(1, std::memory_order_relaxed);
    into.commit_push();
  }
  bytes.clear();
  return slot != nullptr;
}

void recording::state::close_tick() noexcept {
  if (!tick) return;
  if (keyframe_open) {
    keyframe_open = false;
    const std::size_t told = text_list.size();
    for (std::size_t i = texts_told; i < told; ++i) {
      put(note::text);
      put_bytes(as_bytes(text_list[i]));
    }
    const std::uint64_t next =
        (*tick / options.keyframe_interval_ticks + 1) * options.keyframe_interval_ticks;
    if (push(keyframe_queue, notes)) {
      add(keyframes);
      texts_told = told;
      whole_wanted = !changes_only;
      next_keyframe = next;
    } else {
      add(lost_keyframes);
      whole_wanted = true;
      // A recording without any keyframe can't be played: try again at once.
      next_keyframe = keyframes.load(std::memory_order_relaxed) == 0 ? *tick + 1 : next;
    }
  }
  add(push(queue, orders) ? ticks : lost_ticks);
}

bool recording::state::put_voice(std::uint32_t player, byte_span opus,
                                 const icrep::voice::target& to) noexcept {
  voice_item* const slot = voice.begin_push();
  if (slot == nullptr) {
    add(lost_voice);
    return false;
  }
  if (!std::holds_alternative<icrep::voice::frame>(slot->said)) slot->said.emplace<icrep::voice::frame>();
  auto& frame = std::get<icrep::voice::frame>(slot->said);
  slot->tick = *tick;
  frame.player = player;
  frame.tick = *tick;
  frame.target = to;
  frame.opus.assign(opus.begin(), opus.end());
  voice.commit_push();
  return true;
}

bool recording::state::put_voice(const icrep::voice::track& track) noexcept {
  voice_item* const slot = voice.begin_push();
  if (slot == nullptr) {
    add(lost_voice);
    return false;
  }
  slot->tick = tick.value_or(0);
  slot->said = track;
  voice.commit_push();
  return true;
}

void recording::state::taken(std::size_t bytes) noexcept {
  queued_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  queued_items.fetch_sub(1, std::memory_order_relaxed);
}

void recording::state::write_keyframe(queue_item& item) noexcept {
  // What happened before the keyframe's tick comes first: ticks of events never fall.
  if (item.tick != 0) (void)write_records(item.tick - 1);
  output->keyframe(item.tick, item.state_hash, item.bytes.bytes(), item.whole);
  taken(item.bytes.size());
  if (note_buffer* spare = spare_notes.begin_push()) {
    item.bytes.clear();
    spare->swap(item.bytes);
    spare_notes.commit_push();
  }
  keyframe_queue.pop();
}

void recording::state::write_frame(queue_item& item) noexcept {
  output->frame(item.tick, item.state_hash, item.bytes.bytes());
  write_records(item.tick);
  taken(item.bytes.size());
  queue.pop();
}

// Events and voice of ticks up to `last_tick`.
bool recording::state::write_records(std::uint64_t last_tick) noexcept {
  bool any = false;
  for (auto* happened = events.front(); happened != nullptr && analysis::tick_of(**happened) <= last_tick;
       happened = events.front()) {
    output->event(**happened);
    events.pop();
    any = true;
  }
  for (voice_item* item = voice.front(); item != nullptr && item->tick <= last_tick; item = voice.front()) {
    output->voice(item->tick, item->said);
    voice.pop();
    any = true;
  }
  return any;
}

// Both queues as one, by tick, while the game goes on filling them. It puts a keyframe before the frame of
// its tick: who has seen a frame sees its keyframe, and who has seen a keyframe sees the frames before it.
bool recording::state::write_some(bool all) noexcept {
  bool any = false;
  while (true) {
    queue_item* frame = queue.front();
    queue_item* const keyframe = keyframe_queue.front();
    if (frame == nullptr && keyframe != nullptr) frame = queue.front();  // it may have come in between
    if (keyframe != nullptr && (frame == nullptr || keyframe->tick <= frame->tick)) {
      write_keyframe(*keyframe);
    } else if (frame != nullptr) {
      write_frame(*frame);
    } else {
      break;
    }
    any = true;
  }
  if (all) any = write_records(every_tick) || any;
  output->tend();
  if (output->is_full()) full.store(true, std::memory_order_relaxed);
  return any;
}

void recording::state::run() noexcept {
  while (!stopping.load(std::memory_order_acquire)) {
    if (!write_some(false)) std::this_thread::sleep_for(nap);
  }
}

void recording::state::stop_thread() noexcept {
  if (!thread.joinable()) return;
  stopping.store(true, std::memory_order_release);
  thread.join();
}

}  // namespace tickreel::game
