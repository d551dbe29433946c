// The two sides of a recording and what lies between them.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <unordered_map>

#include "keyframe_notes.hpp"
#include "match_writer.hpp"
#include "note_buffer.hpp"
#include "tickreel/record/ring.hpp"

namespace tickreel::game {

// A tick or a keyframe on its way to the writer.
struct queue_item {
  bool whole = false;
  std::uint64_t tick = 0;
  std::uint64_t state_hash = 0;
  note_buffer bytes;
};

struct voice_item {
  std::uint64_t tick = 0;
  icrep::voice::record said;
};

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

struct recording::state {
  state(std::unique_ptr<match_writer> writer, std::unique_ptr<writer_losses> counted,
        const recording_options& chosen);
  ~state() { stop_thread(); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  recording_options options;

  // The game's side.
  std::optional<std::uint64_t> tick;
  std::uint64_t tick_hash = 0;
  std::uint32_t orders_in_tick = 0;
  note_buffer orders;
  note_buffer notes;
  bool keyframe_open = false;
  bool notes_are_whole = true;
  bool changes_only = false;
  bool whole_wanted = true;
  bool entity_named = false;
  std::uint64_t next_keyframe = 0;
  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> texts;
  std::vector<std::string_view> text_list;  // the keys of `texts` by number
  std::size_t texts_told = 0;
  // The texts met last, by where they lie: most archetypes are literals. Saves hashing them.
  std::array<std::uint32_t, 16> recent_texts;
  std::vector<std::uint32_t> speakers;  // who agreed to be recorded
  bool ended = false;

  // Between both.
  // Of queue_items together. A tick comes behind the keyframe of the same tick. Keyframes are large and few,
  // so their memory goes back to the game instead of staying in every place of the queue.
  spsc_ring<queue_item> queue;
  spsc_ring<queue_item> keyframe_queue;
  spsc_ring<note_buffer> spare_notes;
  std::atomic<std::uint64_t> queued_items{0};
  std::atomic<std::uint64_t> queued_bytes{0};
  spsc_ring<std::optional<analysis::event>> events;
  spsc_ring<voice_item> voice;
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> keyframes{0};
  std::atomic<std::uint64_t> lost_ticks{0};
  std::atomic<std::uint64_t> lost_keyframes{0};
  std::atomic<std::uint64_t> lost_events{0};
  std::atomic<std::uint64_t> lost_voice{0};
  std::atomic<bool> full{false};
  std::atomic<bool> stopping{false};

  // The writer's side.
  std::unique_ptr<writer_losses> losses;
  std::unique_ptr<match_writer> output;
  std::thread thread;

  // Each counter has one side that counts, so a load and a store do; no locked instruction.
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  // The game's side.
  [[nodiscard]] queue_item* find_room(spsc_ring<queue_item>& into, std::size_t bytes) noexcept;
  // Swaps `bytes` into the queue; they are emptied either way.
  bool push(spsc_ring<queue_item>& into, note_buffer& bytes) noexcept;
  void close_tick() noexcept;
  // The ring's slots keep their memory.
  bool put_voice(std::uint32_t player, byte_span opus, const icrep::voice::target& to) noexcept;
  bool put_voice(const icrep::voice::track& track) noexcept;
  void put(note kind) { *notes.room(1) = static_cast<std::byte>(kind); }
  void put_bytes(byte_span bytes) {
    notes.numbers(static_cast<std::uint32_t>(bytes.size()));
    notes.append(bytes);
  }

  // The writer's side.
  void run() noexcept;
  void stop_thread() noexcept;
  // One round; with `all`, also what belongs to the tick that is still open. Whether there was anything.
  bool write_some(bool all) noexcept;
  void write_keyframe(queue_item& item) noexcept;
  void write_frame(queue_item& item) noexcept;
  bool write_records(std::uint64_t last_tick) noexcept;
  void taken(std::size_t bytes) noexcept;
};

}  // namespace tickreel::game
