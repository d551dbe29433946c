// The match that is being recorded: its files, its ticks and its losses.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "match_file.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::echo_vr {

// Files are opened on another thread, because a slow disk must not cost polls, least of all those of other
// targets. Ticks that arrive before the files are open wait in memory, for as long as the ring would hold
// them.
class open_match {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  enum class stage : std::uint8_t { opening, recording, failed };

  // Finds a name that is free in every format and opens one file for each, as a job of `opener`, which must
  // outlive this object. A format that the disk refuses is retried every `disk_retry_ms`.
  open_match(const poll_outcome& first, const echo::state& state, const match_options& options,
             const target& where, double rate_hz, workers::worker_pool& opener);

  // Checks whether the files are open, and writes waiting ticks to them. Fails if not a single file could be
  // opened.
  stage settle(time_point now);
  // The same when no more ticks follow: waits for the result.
  stage settle_for_good();

  // Whether `state` belongs to the same match, possibly in another file.
  [[nodiscard]] bool is_match_of(const echo::state& state) const;
  // False if `state` must begin another file.
  [[nodiscard]] bool continues_with(const echo::state& state);

  // `lost`: polls missed directly before this one. `left_out`: values of the responses that are not in
  // `state`.
  void add(const poll_outcome& outcome, const echo::state& state, std::uint64_t lost,
           const echo::omission_tally& left_out);
  // Polls without a tick after the last tick, when no other tick follows.
  void note_lost(std::uint64_t lost);
  // A tick that is omitted on purpose.
  void leave_out() noexcept { ++next_tick_; }

  // The files of a failed match, or of missing formats, and those that cannot be written now.
  [[nodiscard]] std::vector<failing_file> failures() const;
  // Of a failed match, and of missing formats, which is not empty for them.
  [[nodiscard]] const std::vector<failing_file>& refused() const noexcept { return refused_; }
  [[nodiscard]] recorder_counters counters() const;  // of the first file
  [[nodiscard]] std::uint64_t dropped() const;       // over all files
  [[nodiscard]] std::uint64_t left_out() const;      // likewise
  [[nodiscard]] std::uint64_t waiting() const;       // ticks that the slowest file has not sealed yet
  // Of all ticks to date, whatever each file stores.
  [[nodiscard]] const echo::omission_tally& omissions() const noexcept { return omissions_; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  [[nodiscard]] const std::string& session_id() const noexcept { return session_id_; }
  [[nodiscard]] time_point begun_at() const noexcept { return begun_at_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const noexcept { return paths_; }

  // For the thread that finishes the match.
  [[nodiscard]] std::vector<std::unique_ptr<match_file>>& files() noexcept { return files_; }
  // Ticks that arrived before a file was open, over all files.
  [[nodiscard]] std::uint64_t dropped_while_opening() const noexcept;
  // Formats that never got a file, after settle_for_good(); their ticks are among those above.
  [[nodiscard]] const std::vector<record_format>& missing_formats() const noexcept { return missing_; }

  // Files opened since the last call.
  [[nodiscard]] std::vector<std::filesystem::path> take_announcement();

 private:
  struct opening {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::vector<std::unique_ptr<match_file>> files;
    std::vector<std::filesystem::path> paths;
    std::vector<record_format> missing;  // the disk refused them
    std::vector<failing_file> refused;   // for them
  };
  struct held_tick {
    match_tick tick;
    std::string session;
    std::string bones;
    std::unique_ptr<echo::state> state;
    echo::omission_tally left_out;
    std::uint64_t lost = 0;
    frame_stamp before;
  };
  struct player_key {
    std::uint64_t userid = 0;
    std::string name;
    friend bool operator==(const player_key&, const player_key&) = default;
  };

  static void open_files(opening& to, match_beginning beginning, const match_options& options,
                         const std::vector<record_format>& formats);
  void begin_opening(const std::vector<record_format>& formats);
  void take_opened(opening& from);
  stage settle(bool wait, time_point now);
  [[nodiscard]] bool learn_players(const echo::state& state);
  [[nodiscard]] bool begins_round(const echo::session& match);
  void write(const match_tick& tick, std::uint64_t lost, frame_stamp before);
  void hold(const match_tick& tick, std::uint64_t lost);

  std::string session_id_;
  std::string map_;
  const match_options& options_;
  workers::worker_pool& opener_;
  match_beginning beginning_;
  std::shared_ptr<opening> opening_;  // during an attempt
  std::vector<record_format> missing_;
  time_point retry_at_;  // of those
  std::uint64_t missed_by_late_files_ = 0;
  stage stage_ = stage::opening;
  std::vector<failing_file> refused_;
  std::vector<std::filesystem::path> paths_;
  std::size_t paths_announced_ = 0;
  std::vector<std::unique_ptr<match_file>> files_;
  std::vector<held_tick> held_;
  std::size_t max_held_;
  std::uint64_t dropped_while_opening_ = 0;
  std::uint64_t lost_at_end_ = 0;  // counted before a file was open
  frame_stamp last_held_;
  std::vector<player_key> players_;
  std::int64_t rounds_over_ = 0;  // when the file began
  bool was_played_ = false;
  bool was_starting_ = false;
  time_point begun_at_;
  std::uint64_t next_tick_ = 0;
  echo::omission_tally omissions_;
  frame_stamp last_stamp_;
  std::uint64_t frames_ = 0;
};

}  // namespace tickreel::echo_vr
