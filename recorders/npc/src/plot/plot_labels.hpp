// Places labels without overlap.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace tickreel::npc {

// On the paper, from the upper left corner.
struct label_box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] bool meets(const label_box& other) const noexcept {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
           other.y < y + height;
  }
};

// Approximate width of a sans-serif text; continuation bytes do not count.
inline double text_width(std::string_view text, double font_px) noexcept {
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xC0) != 0x80; });
  return static_cast<double>(letters) * font_px * 0.6;
}

class label_space {
 public:
  // Returns false if the place is taken.
  bool take(const label_box& box) {
    const auto meets = [&](const label_box& each) { return each.meets(box); };
    if (std::any_of(taken_.begin(), taken_.end(), meets)) return false;
    taken_.push_back(box);
    return true;
  }

 private:
  std::vector<label_box> taken_;
};

}  // namespace tickreel::npc
