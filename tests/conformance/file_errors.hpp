// The errors between the model's values of a file and the recorded values.
#pragma once

#include <map>
#include <span>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

struct error_sum {
  double sum = 0;
  double max = 0;
  std::size_t count = 0;

  void add(double error);
  void add(const error_sum& other);
  [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

// Errors of one kind by the distance from the keyframe, in frames.
struct error_table {
  std::map<std::size_t, error_sum> at;

  [[nodiscard]] error_sum overall() const { return between(0, SIZE_MAX); }
  // Of the frames at distances from `first` to before `end`.
  [[nodiscard]] error_sum between(std::size_t first, std::size_t end) const;
};

struct file_errors {
  error_table position_mm;  // of heads, bodies and hands
  error_table rotation_deg;
  error_table disc_mm;
  error_table velocity_mmps;
  error_table bone_mm;
  error_table bone_deg;

  // Adds those of a file of these ticks. Returns empty text, or why the reference decoder cannot read it.
  [[nodiscard]] std::string add_file(byte_span file, std::span<const echo::state> ticks);
};

}  // namespace tickreel::conformance
