// Counts the values of states that a capture does not store: decodes each written tick again and compares it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/echo/state.hpp"

namespace tickreel::tape {

// Axes computed from a quaternion give the same quaternion again, up to the rounding of its four numbers. Smaller
// differences are not losses, because a .tape stores axes as quaternions.
inline constexpr float rounded_axis = 1e-6f;

// One thread at a time. Bounded for any input.
class round_trip {
 public:
  // `back` is `from` after it was encoded and decoded.
  void compare(const echo::state& from, const echo::state& back, std::uint64_t tick);

  [[nodiscard]] bool is_exact() const noexcept { return rotations_ == 0 && entries_.empty(); }
  // For users, one for each kind of value, with the count and the first tick.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct entry {
    std::string path;
    std::uint64_t count = 0;
    std::uint64_t first_tick = 0;
  };

  template <class T>
  void compare_value(std::string_view name, const T& from, const T& back);
  void compare_pose(std::string_view name, const echo::pose& from, const echo::pose& back);
  void differs(std::string_view name);

  std::vector<entry> entries_;
  std::vector<std::string_view> path_;
  std::uint64_t tick_ = 0;
  std::uint64_t rotations_ = 0;
  std::uint64_t first_rotation_ = 0;
  float worst_axis_ = 0;
};

}  // namespace tickreel::tape
