// Finds what will look wrong when a recording is played in the game, by limits from real recordings.
//
// Players apply one block after the other without interpolation, and clients extrapolate with the stored
// velocity. So a recording looks right if its positions, velocities, rotations, keys and times are consistent,
// which is checked here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/shape.hpp"

namespace tickreel::samp_rec {

enum class check_kind : std::uint8_t {
  not_finite,        // a position, rotation or velocity that is not a number
  far_position,      // outside the world
  rotation_length,   // not a rotation
  unknown_weapon,    // no such weapon
  time_backwards,    // players wait for a time that has already passed
  equal_times,       // two blocks with one time; players apply the second a tick late
  long_gap,          // no block for a long time; while moving, clients drift off
  jump,              // farther from one block to the next than the velocities predict
  height_jump,       // the same, upwards or downwards
  too_fast,          // faster than anything in the game
  speed_mismatch,    // the velocities do not match the positions
  heading_mismatch,  // faces another direction than that of the movement
  turn_rate,         // turns faster than possible
  keys_mismatch,     // the keys do not match the speed
  speed_scale,       // over the whole recording the velocities are too large, too small, missing or reversed
  odd_value,         // a number without a meaning in the game
  life,              // moves without health, or drives while burning
  slope,             // climbs steeper than wheels can, slower than wings can
};
inline constexpr std::size_t check_kind_count = 18;

// As spelled above.
[[nodiscard]] std::string_view name(check_kind kind) noexcept;

enum class check_severity : std::uint8_t {
  note,     // valid, and hardly visible
  warning,  // may look wrong; recordings of players have such places, too: lag, crashes, drifting
  error,    // a defect: damage, a teleport, velocities that contradict the positions
};
inline constexpr std::size_t check_severity_count = 3;
[[nodiscard]] std::string_view name(check_severity severity) noexcept;

struct check_finding {
  check_kind kind = check_kind::jump;
  check_severity severity = check_severity::warning;
  std::uint64_t block = 0;   // counted from 0; the later one of two
  std::uint64_t offset = 0;  // of the block in the file
  std::uint32_t time_ms = 0;
  double measured = 0;  // in `unit`
  double limit = 0;     // in `unit`; the limit that `measured` exceeds
  const char* unit = "";
  const char* detail = "";  // static text; specifies the kind
};
// "block 41 at 2.050 s: jump of 12.4 m where the velocities allow 3.1 m"
[[nodiscard]] std::string describe(const check_finding& finding);

// The defaults come from recordings of players (docs/formats/samp-rec.md). A block's time is its arrival at the server:
// usually late by less than 0.15 s, by up to half a second when the connection stalls. Therefore speeds,
// turns and headings are averaged over time.
struct check_options {
  // The number of stored findings: defects first, then warnings, then notes. All are counted.
  std::size_t findings = 1000;

  std::uint32_t idle_gap_ms = 30'000;   // between two blocks
  std::uint32_t moving_gap_ms = 1'000;  // likewise, while moving
  double lateness_s = 0.6;              // the maximum lateness of a block
  double jump_m = 3;                    // beyond the effect of velocities and lateness; half of it on foot
  double height_jump_m = 1.4;           // likewise
  double vehicle_top_m_per_s = 150;
  double on_foot_top_m_per_s = 30;  // on the ground plane

  std::uint32_t speed_span_ms = 2000;
  double speed_tolerance = 0.15;    // of the distance
  double speed_tolerance_m = 0.75;  // and this; half of it on foot
  double speed_lateness_s = 0.35;   // and the distance at the speed during this time: a stall in the span
  // Of the recording's median displacement by velocity; recordings of players differ by 4 % at most.
  double speed_scale_tolerance = 0.1;
  std::uint64_t speed_scale_steps = 40;  // steady steps that are sufficient

  std::uint32_t vehicle_heading_span_ms = 2000;
  std::uint32_t on_foot_heading_span_ms = 500;
  double vehicle_heading_degrees = 60;  // drifting is real; forwards, or backwards with the brake pressed
  double vehicle_heading_from_m_per_s = 5;
  double on_foot_heading_degrees = 30;  // unless the aim key is pressed
  double on_foot_heading_from_m_per_s = 1;

  std::uint32_t turn_span_ms = 100;
  double vehicle_turn_degrees_per_s = 300;  // spinning cars reach 285
  double on_foot_turn_degrees_per_s = 900;  // unless the aim key is pressed

  // On foot: keys that contradict the speed for this long. In vehicles: constant speed without accelerating
  // for five times as long, or standing with the accelerator pressed for three times as long.
  std::uint32_t keys_span_ms = 1000;

  std::uint32_t life_span_ms = 1000;   // moving without health for this long
  std::uint32_t slope_span_ms = 1000;  // climbing too steeply for this long
};

struct spread {
  std::uint64_t count = 0;
  double least = 0;
  double median = 0;
  double p95 = 0;
  double most = 0;
  double mean = 0;
};

// Minimum, maximum and mean are exact; median and p95 to 1 ms, 0.0001 (rotation_length), 0.05
// (displacement_per_velocity) and 2 % (heading_error_degrees).
struct check_statistics {
  std::uint64_t blocks = 0;
  std::uint32_t first_time_ms = 0;
  std::uint32_t last_time_ms = 0;
  std::uint64_t equal_times = 0;
  std::uint64_t times_backwards = 0;
  double path_length_m = 0;
  double top_speed_m_per_s = 0;
  vector3 min_position_m;
  vector3 max_position_m;
  // Between blocks; real: median 44 to 63 in vehicles, 40 to 55 on foot, 500 to 560 while idle.
  spread moving_interval_ms;
  spread idle_interval_ms;
  spread rotation_length;  // real: 0.999 to 1.001
  // Metres per second for a stored velocity of 1, over steady steps; the game has 50, real files 49.99 in
  // vehicles and 50.6 on foot (median).
  spread displacement_per_velocity;
  // Between facing and movement, above 1 m/s; real: median 1.0 in vehicles, 0.001 on foot.
  spread heading_error_degrees;
};

struct check_report {
  std::vector<check_finding> findings;  // by block; speed_scale, which concerns all of them, last
  std::array<std::uint64_t, check_kind_count> counts{};          // by kind, of all
  std::array<std::uint64_t, check_severity_count> severities{};  // likewise
  check_statistics statistics;

  [[nodiscard]] std::uint64_t count(check_severity severity) const noexcept {
    return severities[static_cast<std::size_t>(severity)];
  }

  [[nodiscard]] std::uint64_t total() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : counts) sum += each;
    return sum;
  }
  // No defects. There may be warnings and notes.
  [[nodiscard]] bool passes() const noexcept { return count(check_severity::error) == 0; }
  // No findings at all.
  [[nodiscard]] bool clean() const noexcept { return total() == 0; }
};

// Processes blocks one by one; memory is bounded for any length of recording.
template <block_type Block>
class checker {
 public:
  explicit checker(const check_options& options = {}, const file_shape& shape = {});
  ~checker();
  checker(checker&&) noexcept;
  checker& operator=(checker&&) noexcept;

  void add(const Block& block);
  void add(std::span<const Block> blocks) {
    for (const Block& each : blocks) add(each);
  }
  // The end; the checker cannot be used afterwards.
  [[nodiscard]] check_report finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

template <block_type Block>
[[nodiscard]] check_report(check)(std::span<const Block> blocks, const check_options& options = {});

// The recording's blocks of either kind; offsets are those of its file. Read it `as_is`, so that no defect is
// removed before the check.
[[nodiscard]] check_report(check)(const recording& recorded, const check_options& options = {});

}  // namespace tickreel::samp_rec
