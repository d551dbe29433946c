// A match that exceeds a single .icrep: where it is split, and how its files refer to each other.
//
//   "x_split": {"bytes", "keyframes"}                        in a reel: the limits of a file
//   "x_part": {"number", "of", "first_tick", "end_tick"}     in each of its files
#pragma once

#include <optional>
#include <vector>

#include "tickreel/game/match.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::game {

// Space of a file beside its streams: metadata and the ends of blocks.
inline constexpr std::uint64_t finishing_bytes = 2u << 20;

// Smaller parts would be mostly overhead.
inline constexpr std::uint64_t least_part_bytes = 2 * finishing_bytes;
inline constexpr std::uint32_t least_part_keyframes = 1000;

struct part_limits {
  std::uint64_t bytes = 0;
  std::uint32_t keyframes = 0;
};
// Empty for a match that was not to be split.
[[nodiscard]] std::optional<part_limits> split_of(const icrep::metadata& facts);
void add_split(icrep::metadata& facts, const part_limits& most);
// Replaces an existing entry.
void add_part(icrep::metadata& facts, const match_part& part);
void remove_part(icrep::metadata& facts);

// Adds up upper limits of the files' sizes and determines where each must begin: at the last possible full
// keyframe. The recorder uses the same numbers and requested that keyframe.
class part_planner {
 public:
  explicit part_planner(const part_limits& most) noexcept : most_(most) {}

  [[nodiscard]] static std::uint64_t bytes_of_frame(std::size_t orders,
                                                    std::optional<std::size_t> keyframe) noexcept {
    return record_head_bytes + orders + (keyframe ? keyframe_head_bytes + *keyframe : std::uint64_t{0});
  }
  [[nodiscard]] static std::uint64_t bytes_of_record(std::size_t bytes) noexcept {
    return record_head_bytes + bytes;
  }

  void frame(std::uint64_t tick, bool has_keyframe, bool is_full, std::uint64_t bytes);
  void record(std::uint64_t bytes) noexcept { bytes_ += bytes; }
  // The first ticks of the second and later parts.
  [[nodiscard]] const std::vector<std::uint64_t>& starts() const noexcept { return starts_; }

 private:
  // Of a block, an index and check values.
  static constexpr std::uint64_t record_head_bytes = 64;
  static constexpr std::uint64_t keyframe_head_bytes = 32;
  struct place {
    std::uint64_t tick = 0;
    std::uint64_t bytes_before = 0;
    std::uint64_t keyframes_before = 0;
  };
  part_limits most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t keyframes_ = 0;
  std::optional<place> last_full_;
  std::vector<std::uint64_t> starts_;
};

// The files that a reel's match becomes; one if it was not to be split, or need not be.
[[nodiscard]] result<std::vector<match_part>> plan_parts(reel::reader& from);

}  // namespace tickreel::game
