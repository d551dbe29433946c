// The game side of a match, and its connection to the writer.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "match_encoder.hpp"
#include "tick_notes.hpp"
#include "tickreel/record/item_recorder.hpp"

namespace tickreel::game {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

// Sizes of a layout's slots, checked on the game's thread: bytes of a wrong size would cost a whole keyframe.
class slot_sizes {
 public:
  explicit slot_sizes(const std::vector<slot_layout>& known) noexcept {
    sizes_.fill(unknown);
    for (const slot_layout& one : known) {
      if (one.slot.slot < sizes_.size()) sizes_[one.slot.slot] = one.slot.size_bytes;
    }
  }
  [[nodiscard]] bool takes(std::uint32_t slot, std::size_t bytes) const noexcept {
    if (slot >= sizes_.size() || sizes_[slot] == unknown) return false;
    return sizes_[slot] == 0 ? bytes <= icrep::limits{}.snapshot_bytes : bytes == sizes_[slot];
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::array<std::uint32_t, 64> sizes_;
};

struct world_recorder::state {
  state(const file_path& final_path, const match_options& chosen, const icrep::metadata& facts,
        const world_layout& layout);
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  file_path path;
  match_options options;
  match_clock clock;
  slot_sizes components;
  slot_sizes player_fields;
  slot_sizes singletons;
  std::size_t outcome_room = 0;
  match_status talk;
  // Declared after `talk`, which its encoder uses.
  std::optional<item_recorder<match_encoder>> to;

  // The current tick; its notes, after their head.
  std::optional<std::uint64_t> tick;
  std::uint64_t tick_hash = 0;
  item_buffer notes;
  item_buffer spare;
  std::uint32_t orders_in_tick = 0;
  std::size_t order_bytes = 0;
  std::uint32_t events_in_tick = 0;  // including those left from lost ticks
  std::uint32_t voice_in_tick = 0;
  byte_vector encoded;  // an event, a voice packet
  icrep::voice::record said;

  // Its keyframe.
  bool keyframe_open = false;
  bool notes_are_whole = true;
  bool changes_only = false;
  bool whole_wanted = true;
  bool entity_named = false;
  bool has_keyframes = false;
  std::uint64_t next_keyframe = 0;

  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> texts;
  std::vector<std::string_view> text_list;  // the keys of `texts` by number
  std::size_t texts_written = 0;
  std::size_t text_bytes = 0;  // size in a keyframe
  // The last used texts, by address: most archetypes are literals. Saves hashing them.
  std::array<std::uint32_t, 16> recent_texts;
  // Described orders and custom events. The same struct has another key in each library of a program.
  struct described_type {
    const void* key;
    std::uint32_t number;
    std::string name;
    std::uint32_t bytes = 0;
    std::vector<value_layout> values = {};
    bool is_first = true;  // of its number
    bool is_refused = false;

    [[nodiscard]] bool is_made_of(const described_type& other) const {
      return name == other.name && bytes == other.bytes && values == other.values;
    }
  };
  std::vector<described_type> described_orders;
  std::vector<described_type> described_events;
  std::uint32_t kinds_of_events = 0;
  std::optional<error> refused_event;   // the first
  std::vector<std::uint32_t> speakers;  // players who agreed to be recorded
  bool ended = false;

  void put(note kind) { *notes.room(1) = static_cast<std::byte>(kind); }
  void put_bytes(byte_span bytes) {
    notes.numbers(static_cast<std::uint32_t>(bytes.size()));
    notes.append(bytes);
  }
  void begin_notes();
  void put_head();
  void choose_memory();
  void open_tick(std::uint64_t number, std::uint64_t state_hash);
  // Hands the tick to the writer. At the end nothing is urgent, so it waits for space.
  void close_tick(bool at_the_end = false) noexcept;
  void write_texts();
  void note_described(const world_layout& what);
  bool put_record(byte_span bytes);
  [[nodiscard]] interned_text add_text(std::string_view text);
  [[nodiscard]] bool refuse_value(bool sound = false) noexcept {
    if (!sound) match_status::count(talk.rejected_values);
    return !sound;
  }
  // Counts a keyframe that will not be written.
  void lose_keyframe() noexcept;
  [[nodiscard]] bool find_room(bool at_the_end) noexcept;
  bool put_event(const analysis::event& happened);
  bool put_voice();
  [[nodiscard]] match_counters counters() const noexcept;
  // Writes all pending data and closes the reel; with `how` as a match that was ended.
  result<close_report> close(const match_result* how) noexcept;
};

}  // namespace tickreel::game
