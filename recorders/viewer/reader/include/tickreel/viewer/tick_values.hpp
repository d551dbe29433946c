// Values of ticks by path: "session.disc.position[0]", "teams[0].players[1].name", ["odd.name"].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/files/tick_columns.hpp"
#include "tickreel/result.hpp"
#include "tickreel/viewer/cell_losses.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::viewer {

// Appends the state of the current tick as recording::append_state() does. over_limit for a state of more than
// 64 MiB, which leaves `out` incomplete.
result<void> append_limited_state(files::recording& from, std::string& out);

using files::tick_value;
// A truth is 1 or 0; nothing for a text.
[[nodiscard]] std::optional<double> number_of(const tick_value& value) noexcept;

// Names of computed values, which no tick contains: the speed of the disc and of players of Echo VR, and the distance of
// a player from the disc.
inline constexpr std::string_view speed_column = "speed";
inline constexpr std::string_view disc_distance_column = "disc_distance";

// Reads the values at several paths from one tick after another. Computes session.disc.speed and, of a player of
// Echo VR, .speed and .disc_distance.
class tick_values {
 public:
  // invalid_argument for a text that is not a path. `from` must outlive the result.
  static result<tick_values> create(files::recording& from, std::span<const std::string_view> paths);
  tick_values(tick_values&&) noexcept;
  tick_values& operator=(tick_values&&) noexcept;
  ~tick_values();

  // Of the current tick, in the order of the paths; valid until the next call. Of repaired JSON if the parser rejects
  // the tick's own, and nothing if it is unreadable.
  std::span<const tick_value> read();
  // Rewinds, for a caller that needs nothing else of the ticks: they then lack other values, if reading is faster so.
  result<void> read_nothing_else();
  // Of the last tick that was read.
  [[nodiscard]] const json_repairs& repairs() const noexcept;

 private:
  struct work;
  explicit tick_values(std::unique_ptr<work> owned) noexcept;
  std::unique_ptr<work> work_;
};

// Of the path of a value, in UTF-8.
inline constexpr std::size_t max_path_bytes = 512;

// Reads the values at several paths from one JSON object after another.
class json_values {
 public:
  // invalid_argument for a text that is not a path, or longer than max_path_bytes.
  static result<json_values> create(std::span<const std::string_view> paths);
  json_values(json_values&&) noexcept;
  json_values& operator=(json_values&&) noexcept;
  ~json_values();

  // In the order of the paths; valid until the next call. bad_json for another text.
  result<std::span<const tick_value>> read(std::string_view json);

 private:
  struct work;
  explicit json_values(std::unique_ptr<work> owned) noexcept;
  std::unique_ptr<work> work_;
};

// Finds the paths of the numbers that ticks have.
class tick_fields {
 public:
  // This many ticks from all parts of a recording show which there are.
  static constexpr std::uint64_t looked_at_ticks = 24;

  tick_fields();
  ~tick_fields();
  // Adds the numbers of the current tick. At most 4096 numbers; arrays of more than 64 elements are left out.
  void look(files::recording& from);
  // [{"path":"session.disc.position[0]","unit":..,"meaning":..},..]; unit and meaning where they
  // are known, see field_descriptions.
  [[nodiscard]] std::string json(const byte_source& recording) const;

 private:
  struct work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::viewer
