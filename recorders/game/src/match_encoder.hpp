// The writer side of a match: an encoder whose items are ticks and whose frames are those of a match in a
// reel.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "keyframe_chain.hpp"
#include "match_frame.hpp"
#include "match_signer.hpp"
#include "tickreel/game/world_recorder.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/record/item_recorder.hpp"
#include "watcher.hpp"
#include "world_mirror.hpp"

namespace tickreel::game {

// Atomic state shared by the game's thread and the writer.
struct match_status {
  enum request : std::uint32_t { keyframe_wanted = 1, file_is_full = 2 };
  // Requests of the writer; the game reads them once per tick.
  std::atomic<std::uint32_t> requests{0};

  // Each is counted by one thread.
  struct losses {
    std::atomic<std::uint64_t> keyframes{0};
    std::atomic<std::uint64_t> events{0};  // voice too
    std::atomic<std::uint64_t> voice{0};
  };
  losses by_game;
  losses by_writer;
  std::atomic<std::uint64_t> keyframes{0};  // in the reel
  // The size of the last keyframe that exceeded the readers' limits: its entities, or below 0 its bytes.
  std::atomic<std::int64_t> crowd{0};
  [[nodiscard]] std::optional<error> too_large() const noexcept;
  // Counted by the game's thread.
  std::atomic<std::uint64_t> fixed_texts{0};
  std::atomic<std::uint64_t> rejected_values{0};
  // Signatures and descriptions written to the reel: events of the reel, but not of the match.
  std::atomic<std::uint64_t> notices{0};
  std::atomic<std::uint64_t> notices_lost{0};  // of them

  static void count(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
};

// A game's hash has 64 bits; order frames contain its first 8 bytes.
[[nodiscard]] inline icrep::digest digest_of_hash(std::uint64_t state_hash) noexcept {
  icrep::digest out{};
  tickreel::detail::store<std::endian::little>(out.data(), state_hash);
  return out;
}

class match_encoder {
 public:
  static constexpr std::string_view encoder_name = match_reel_encoder;
  static constexpr std::uint32_t encoder_version = match_reel_version;

  // `talk` must outlive it.
  match_encoder(const match& about, const match_options& options, icrep::metadata facts,
                const icrep::slot_table& slots, match_status& talk);

  void encode(const recorder_item& from, item_output& out) noexcept;
  void sealed(bool written, std::uint32_t frames) noexcept;
  void event_lost(std::uint32_t type) noexcept;

  // Call when everything is encoded except `left_over`, notes without a tick.
  void finish(byte_span left_over, item_output& out);
  // The end of a match that was ended, when its losses are known.
  [[nodiscard]] match_end end(const match_result& how, const match_counters& counted);

  [[nodiscard]] std::uint64_t total_ticks() const noexcept { return total_ticks_; }
  [[nodiscard]] bool reached_limit() const noexcept { return full_; }
  // The reason why the last keyframe that was too large was lost.
  [[nodiscard]] const std::optional<error>& refused() const noexcept { return refused_; }

 private:
  struct noted_event {
    std::uint64_t tick = 0;
    byte_vector bytes;
  };
  // Of a frame that is not sealed yet.
  struct unsealed_frame {
    std::uint64_t tick = 0;
    bool has_keyframe = false;
    bool is_full = false;
    bool has_hash = false;
    icrep::digest hash{};
    // For the signer.
    icrep::digest orders{};
    icrep::digest keyframe{};
  };

  void read_notes(byte_span notes);
  void make_keyframe(std::uint64_t tick, std::uint64_t state_hash, bool wanted, item_output& out);
  [[nodiscard]] bool make_chained(std::uint64_t tick, bool has_own_hash);
  void make_whole_or_delta(std::uint64_t tick, std::uint64_t state_hash, bool continues);
  void take_hash(std::uint64_t tick, const icrep::sim_core_snapshot& core);
  void take_full(icrep::sim_snapshot now, const icrep::digest& hash);
  // Whether a keyframe exists that others can depend on.
  [[nodiscard]] bool has_base() const noexcept { return group_ || (chain_ && chain_->has_base()); }
  void drop_base() noexcept;
  void lose_keyframe(bool was_full);
  void refuse_keyframe(bool was_full, std::size_t entities, std::size_t bytes);
  void ask_for_next_part();
  void end_for_want_of_room(const recorder_item& from, item_output& out);
  void lose(const recorder_item& from, item_output& out);
  [[nodiscard]] bool has_room(std::uint64_t bytes, const item_output& out);
  void write_events(std::uint64_t last_tick, item_output& out);
  void write_event(std::uint64_t tick, byte_span bytes, item_output& out);
  void write_found(item_output& out);
  void write_described(std::uint64_t tick, item_output& out);
  void write_voice(std::uint64_t tick, item_output& out);
  void put_record(icrep::content_stream stream, std::uint64_t tick, std::uint32_t type, byte_span bytes,
                  item_output& out);
  void write_signatures(std::uint64_t tick, item_output& out);

  match about_;
  match_options options_;
  icrep::metadata facts_;
  match_clock clock_;
  match_status* talk_;
  icrep::slot_table slots_;
  world_mirror world_;
  std::optional<watcher> watcher_;
  std::unique_ptr<match_signer> signer_;
  frame_writer frames_;

  // The current tick.
  icrep::tick_frame frame_;
  byte_vector orders_;
  match_frame parts_;
  byte_vector raw_;     // of its keyframe
  byte_vector packed_;  // the same, compressed
  std::vector<byte_span> voice_;
  std::vector<byte_span> described_;  // those of the current tick
  world_layout known_;                // all descriptions
  std::vector<analysis::event> found_;

  std::vector<noted_event> events_;  // by tick; events of future ticks
  std::uint64_t last_event_tick_ = 0;
  // One of these is used: deltas as in files, or the shorter form in a reel.
  std::optional<icrep::delta_group> group_;
  std::optional<keyframe_chain_writer> chain_;
  std::uint64_t group_number_ = 0;
  bool group_has_own_hashes_ = false;
  std::uint64_t next_tick_ = 0;
  std::uint64_t total_ticks_ = 0;  // up to the last accepted one
  // The state hash that was computed here, for games without hashes.
  std::optional<std::uint64_t> hashed_tick_;
  icrep::digest made_hash_{};
  bool has_own_hashes_ = false;

  std::vector<unsealed_frame> unsealed_;
  bool writing_works_ = true;
  bool record_lost_ = false;
  // An upper limit of the size of the resulting file, or of its current part.
  std::uint64_t file_bytes_ = 0;
  std::uint64_t taken_keyframes_ = 0;
  std::optional<error> refused_;
  bool wants_next_part_ = false;  // with the next keyframe
  bool full_ = false;
};

}  // namespace tickreel::game
