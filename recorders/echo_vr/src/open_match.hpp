// The match that is being recorded: its files, its ticks, and what was lost of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "match_file.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::echo_vr {

class open_match {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  // Finds a free name and opens one file for each format. Fails when not even one could be opened.
  static result<std::unique_ptr<open_match>> open(const poll_outcome& first, const echo::state& state,
                                                  const match_options& options, double rate_hz);

  // False when `state` must begin another file.
  [[nodiscard]] bool continues_with(const echo::state& state);

  // `lost`: polls that were missed just before this one.
  void add(const poll_outcome& outcome, const echo::state& state, std::uint64_t lost);
  // A tick that is left out on purpose.
  void leave_out() noexcept { ++next_tick_; }

  // First error of a file that fails now; empty while all is well.
  [[nodiscard]] std::optional<error> failure() const;
  [[nodiscard]] recorder_counters counters() const;  // of the first file
  [[nodiscard]] std::uint64_t dropped() const;       // over all files
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  [[nodiscard]] std::vector<std::filesystem::path> paths() const;

  [[nodiscard]] std::vector<std::unique_ptr<match_file>>& files() noexcept { return files_; }

 private:
  struct player_key {
    std::uint64_t userid = 0;
    std::string name;
    friend bool operator==(const player_key&, const player_key&) = default;
  };
  [[nodiscard]] bool learn_players(const echo::state& state);

  std::string session_id_;
  std::string map_;
  std::filesystem::path stem_;
  std::vector<record_format> formats_;
  std::vector<std::unique_ptr<match_file>> files_;
  std::vector<player_key> players_;
  time_point begun_at_;
  std::uint64_t next_tick_ = 0;
  frame_stamp last_stamp_;
  std::uint64_t frames_ = 0;
};

}  // namespace tickreel::echo_vr
