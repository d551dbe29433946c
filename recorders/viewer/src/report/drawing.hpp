// Drawings with bounded memory, whatever the length of the recording, as inline SVG. Pictures contain no
// text: text beside them stays readable at every width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tickreel::viewer {

// A number over time in at most `max_buckets` buckets, each with its minimum and maximum.
class curve {
 public:
  static constexpr std::size_t max_buckets = 480;
  struct bucket {
    double from = 0;
    double to = 0;
    double low = 0;
    double high = 0;
  };
  // `x` does not decrease. Values that are not finite are skipped.
  void add(double x, double y);
  [[nodiscard]] const std::vector<bucket>& buckets() const noexcept { return buckets_; }
  [[nodiscard]] bool empty() const noexcept { return buckets_.empty(); }
  [[nodiscard]] double low() const noexcept;
  [[nodiscard]] double high() const noexcept;

 private:
  std::vector<bucket> buckets_;
  std::uint64_t in_last_ = 0;
  std::uint64_t each_ = 1;  // samples that one bucket stands for
};

// Durations by place: a grid that covers added places by making its cells larger.
class density {
 public:
  static constexpr int side = 64;
  explicit density(double cell = 1) : cell_(cell) {}
  // Places that are not finite, or farther out than 1e9, are skipped.
  void add(double x, double y, double weight = 1);
  [[nodiscard]] bool empty() const noexcept { return cells_.empty(); }
  [[nodiscard]] double cell() const noexcept { return cell_; }

  struct box {
    double left = 0, bottom = 0, right = 0, top = 0;
    void include(const box& other) noexcept;
  };
  [[nodiscard]] box bounds() const;  // of non-zero cells; all 0 if there are none
  // In steps of cell(), from the bounds of the whole grid.
  template <class Each>
  void for_each(Each&& each) const {
    for (int row = 0; row < side && !cells_.empty(); ++row) {
      for (int column = 0; column < side; ++column) {
        const double value = cells_[static_cast<std::size_t>(row * side + column)];
        if (value > 0) {
          each(static_cast<double>(left_ + column) * cell_, static_cast<double>(bottom_ + row) * cell_,
               value);
        }
      }
    }
  }

 private:
  void widen();
  double cell_;
  std::int64_t left_ = 0;  // of the grid, in cells
  std::int64_t bottom_ = 0;
  std::vector<double> cells_;
};

// Possession over time, as stretches of a strip.
class strip {
 public:
  static constexpr std::size_t places = 600;
  strip() { owners_.fill(nobody); }
  static constexpr std::uint8_t nobody = 255;
  void set(double from_share, double to_share, std::uint8_t owner);  // fractions of the whole, 0 to 1
  struct stretch {
    std::size_t from = 0, to = 0;
    std::uint8_t owner = nobody;
  };
  [[nodiscard]] std::vector<stretch> stretches() const;

 private:
  std::array<std::uint8_t, places> owners_{};
};

// All functions below append HTML. `style` is a CSS class of the page: "blue", "orange", "s0" to "s7".
struct drawn_curve {
  std::string name;
  std::string_view style;
  const curve* line = nullptr;
};
void append_chart(std::string_view title, std::string_view unit, const std::vector<drawn_curve>& curves,
                  std::string& html);

struct drawn_density {
  std::string name;
  std::string_view style;
  const density* cells = nullptr;
};
// One picture each, all of the same part of the world, with cells of the same size and the same colour for the same
// duration. `under`: meaning of left, right and the scale; `in_arena`: with the outline of Echo VR's arena.
void append_heat_maps(std::string_view title, std::string_view under, std::string_view unit,
                      const std::vector<drawn_density>& maps, bool in_arena, std::string& html);

void append_strip(std::string_view title, const strip& of,
                  const std::vector<std::pair<std::string, std::string_view>>& owners, double seconds,
                  std::string& html);

[[nodiscard]] std::string_view series_style(std::size_t number) noexcept;  // "s0" to "s7", repeated

}  // namespace tickreel::viewer
