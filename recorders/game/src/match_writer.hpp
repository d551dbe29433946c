// The writer's side of a recording: takes what came through the queue and writes it to the live file.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "live_file.hpp"
#include "tickreel/game/recording.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "world_mirror.hpp"

namespace tickreel::game {

// Counted by the writer, read by anybody.
struct writer_losses {
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<std::uint64_t> keyframes{0};
  std::atomic<std::uint64_t> events{0};
  std::atomic<std::uint64_t> failed_writes{0};
};

class match_writer {
 public:
  static result<match_writer> begin(std::string_view path, const match& about, const world_layout& layout,
                                    const recording_options& options, writer_losses& losses);

  // `orders`: each u32 player, u32 sub-tick time, u16 type, u32 length, payload.
  void frame(std::uint64_t tick, std::uint64_t state_hash, byte_span orders);
  void keyframe(std::uint64_t tick, std::uint64_t state_hash, byte_span notes, bool whole);
  void event(const analysis::event& happened);
  // Flushes and syncs when it is time.
  void tend();

  // `lost_frames`: all that the file lacks.
  result<end_report> finish(const match_result& how, std::uint64_t lost_ticks, std::uint64_t lost_keyframes);
  [[nodiscard]] std::uint64_t total_ticks() const noexcept { return total_ticks_; }

 private:
  using clock = std::chrono::steady_clock;

  match_writer(live_file files, const match& about, const recording_options& options, icrep::metadata facts,
               icrep::slot_table slots, writer_losses& losses);
  void write_full(icrep::sim_snapshot now, const icrep::digest& hash);
  bool write_keyframe(std::uint64_t tick, bool full, byte_span raw);
  void flush();
  void write_orders();
  void write_events();
  static void count(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept {
    counter.fetch_add(by, std::memory_order_relaxed);
  }

  live_file files_;
  match about_;
  recording_options options_;
  icrep::metadata facts_;
  icrep::slot_table slots_;
  writer_losses* losses_;
  world_mirror world_;

  std::optional<icrep::delta_group> group_;
  std::uint64_t group_number_ = 0;
  icrep::order_stream_writer orders_;
  icrep::record_stream_writer events_ = icrep::record_stream_writer::events();
  icrep::tick_frame frame_;
  byte_vector order_blocks_;  // finished, to be appended to the file
  byte_vector event_blocks_;
  std::uint64_t unwritten_frames_ = 0;
  std::uint64_t unwritten_events_ = 0;
  std::uint64_t total_ticks_ = 0;
  std::uint64_t hashed_tick_ = 0;  // with a hash that we made
  std::uint64_t hash_of_tick_ = 0;
  bool has_own_hashes_ = false;
  clock::time_point flushed_at_ = clock::now();
  clock::time_point synced_at_ = clock::now();
};

}  // namespace tickreel::game
