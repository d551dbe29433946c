// The writer's side of a recording: takes what came through the queue and puts it into the file.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "match_output.hpp"
#include "match_signer.hpp"
#include "tickreel/game/recording.hpp"
#include "tickreel/icrep/delta.hpp"
#include "watcher.hpp"
#include "world_mirror.hpp"

namespace tickreel::game {

class match_writer {
 public:
  static result<std::unique_ptr<match_writer>> begin(std::string_view path, const match& about,
                                                     const world_layout& layout,
                                                     const recording_options& options, writer_losses& losses);
  match_writer(const match_writer&) = delete;
  match_writer& operator=(const match_writer&) = delete;

  // `orders`: each u32 player, u32 sub-tick time, u16 type, u32 length, payload.
  void frame(std::uint64_t tick, std::uint64_t state_hash, byte_span orders);
  void keyframe(std::uint64_t tick, std::uint64_t state_hash, byte_span notes, bool whole);
  void event(const analysis::event& happened);
  void voice(std::uint64_t tick, const icrep::voice::record& said);
  // Flushes and syncs when it is time.
  void tend();

  // Removes the file; only before anything was recorded, and nothing is called then.
  void discard() noexcept { output_->discard(); }

  // The file had no room for more and is finished; what comes now is lost. finish() has the report.
  [[nodiscard]] bool is_full() const noexcept { return full_.has_value(); }

  // Lost ticks and keyframes: what the game's side counted. Not when it is full: then at once.
  result<end_report> finish(const match_result& how, std::uint64_t lost_ticks, std::uint64_t lost_keyframes);

 private:
  using clock = std::chrono::steady_clock;

  match_writer(const match& about, const recording_options& options, icrep::metadata facts,
               const icrep::slot_table& slots, writer_losses& losses);
  // Whether so many more bytes fit. If not the file is finished.
  bool has_room(std::uint64_t bytes);
  bool write_full(icrep::sim_snapshot now, const icrep::digest& hash);
  void write_events(std::vector<analysis::event>& found);
  result<end_report> close(const match_result& how, std::uint64_t lost_frames);

  std::unique_ptr<match_output> output_;
  match about_;
  recording_options options_;
  icrep::metadata facts_;
  icrep::slot_table slots_;
  writer_losses* losses_;
  world_mirror world_;
  std::optional<watcher> watcher_;
  std::unique_ptr<match_signer> signer_;
  byte_vector signature_;  // once it is made
  std::vector<analysis::event> found_;

  std::optional<icrep::delta_group> group_;
  std::uint64_t group_number_ = 0;
  icrep::tick_frame frame_;
  std::uint64_t total_ticks_ = 0;
  // The state hash that was made here, of games that have none.
  std::optional<std::uint64_t> hashed_tick_;
  icrep::digest made_hash_{};
  bool has_own_hashes_ = false;
  bool reached_limit_ = false;
  std::optional<result<end_report>> full_;
  clock::time_point flushed_at_ = clock::now();
  clock::time_point synced_at_ = clock::now();
};

}  // namespace tickreel::game
