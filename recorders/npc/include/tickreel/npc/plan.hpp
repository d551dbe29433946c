// The directions of an actor, in order, as the script gives them. A plan grows with the script, not with its
// duration.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "tickreel/npc/body.hpp"
#include "tickreel/npc/path.hpp"
#include "tickreel/npc/recorded.hpp"
#include "tickreel/npc/run.hpp"
#include "tickreel/samp_rec/fault.hpp"

namespace tickreel::npc {

// Why a direction cannot be followed, as a sentence for the script's author, with the line of the direction.
struct problem {
  std::string text;
  int line = 0;
};
using outcome = tl::expected<void, problem>;

// What a block contains besides the actor's place. Stays until it is changed.
enum class field : std::uint8_t {
  weapon,
  special_action,
  animation,   // id | flags << 16; 0: derived from the speed
  extra_keys,  // bits added to the keys that are derived from the motion
  siren,
  landing_gear,  // 1: up
  health,
  armour,
  vehicle_health,
  vehicle_id,
  thrusters,  // a Hydra's, both angles
  surface_id,
};
inline constexpr std::size_t field_count = static_cast<std::size_t>(field::surface_id) + 1;
using looks = std::array<double, field_count>;
[[nodiscard]] constexpr looks usual_looks() noexcept {
  looks usual{};
  usual[static_cast<std::size_t>(field::health)] = 100;
  usual[static_cast<std::size_t>(field::vehicle_health)] = 1000;
  return usual;
}
struct change {
  field what = field::weapon;
  double value = 0;
};

// A moment that other actors can wait for.
struct event {
  std::uint32_t actor = 0;
  std::uint32_t number = 0;
};

struct stand {
  double seconds = 0;
};
struct stand_until {
  event what;
  double delay_s = 0;
};
struct stand_until_time {
  double at_s = 0;
};
struct spot_turn {
  double from_deg = 0;
  double by_deg = 0;
  double rate_dps = 0;
};
struct perform {
  std::shared_ptr<const recorded> what;
};
struct emit {
  std::uint32_t number = 0;
};
// An event during motion, without a stop.
struct run_mark {
  double distance_m = 0;
  std::variant<change, emit> what;
};
struct travel {
  run way;
  std::vector<run_mark> marks;
};
using direction =
    std::variant<stand, stand_until, stand_until_time, spot_turn, travel, perform, change, emit>;

// Returns z at a place, or the text of an error.
using height_function = std::function<tl::expected<double, std::string>(double x, double y)>;
struct ground {
  height_function height;
  double offset_m = 0;
};

// Limits of a script.
struct plan_limits {
  std::size_t points = 100'000;                    // of all paths of an actor
  std::size_t directions = 100'000;                // of an actor
  double path_m = 2'000'000;                       // of one run, without its laps
  double duration_s = 48 * 3600;                   // of an actor
  double coordinate_m = samp_rec::far_position_m;  // from the centre; readers skip blocks beyond it
};

struct actor_options {
  std::string name;
  body kind = body::on_foot;
  std::optional<vec3> at = std::nullopt;
  std::optional<double> heading_deg = std::nullopt;
  bool train_speed = false;  // `special` contains the speed
  // Of the first movement, which must come first then; 0: starts from rest. A plane that starts with a
  // movement must set it, unless it can hover.
  std::optional<double> start_mps = std::nullopt;
  double end_mps = 0;  // of the last movement, which must come last then
  bool can_hover = false;
  // The actor, by index, that this one continues: one NPC for the server. The recording starts at that
  // actor's end.
  std::optional<std::uint32_t> continues = std::nullopt;
  plan_limits limits = {};
};

struct loop_options {
  std::uint32_t laps = 1;
  bool rolling = false;
  bool straight = false;  // legs with rounded corners instead of a curve
};

// One actor's part. A direction that cannot be followed leaves the plan unchanged. One thread at a time.
class plan {
 public:
  explicit plan(actor_options options);

  [[nodiscard]] const actor_options& options() const noexcept { return options_; }
  [[nodiscard]] const body_traits& traits() const noexcept { return traits_of(options_.kind); }
  // The actor's place after all directions to date.
  [[nodiscard]] std::optional<vec3> position() const noexcept { return position_; }
  [[nodiscard]] std::optional<double> heading_deg();
  // The same, without ending the current movement.
  [[nodiscard]] std::optional<double> arriving_heading_deg() const;
  // Settings of later directions.
  motion_limits limits;
  double corner_m = 0;
  bool reverse = false;  // backwards; a change ends the movement
  int line = 0;          // of the script, for messages

  // The height of all later places; no value: the height of the points. Ends a movement.
  outcome stand_on(std::optional<ground> what);
  [[nodiscard]] const std::optional<ground>& on_ground() const noexcept { return on_ground_; }

  // Movements; consecutive ones continue without a stop.
  outcome legs(std::vector<vec3> points);
  outcome curve(std::vector<vec3> points);
  // The same, arriving with a heading.
  outcome curve_arriving(std::vector<vec3> points, double heading_deg);
  outcome bezier(vec3 control_1, vec3 control_2, vec3 to);
  // Counter-clockwise about `centre` for a positive angle.
  outcome arc(vec3 centre, double sweep_deg, double climb_m);
  // A closed curve through the actor's place and `points`. A separate run.
  outcome loop(std::vector<vec3> points, const loop_options& options);
  // A closed path, given completely, whose first point is the actor's place.
  outcome laps(std::shared_ptr<const path> closed, const loop_options& options);
  // Along the path of a convoy, `lag_m` after its leader.
  outcome convoy(const run& way);

  // Directions without motion.
  outcome wait(double seconds);
  outcome wait_until(event what, double delay_s);
  outcome wait_until_time(double at_s);
  outcome face(double heading_deg);
  outcome play(std::shared_ptr<const recorded> what);

  // Without a stop.
  outcome set(field what, double value);
  // Its number; other actors can wait for it.
  tl::expected<std::uint32_t, problem> mark();

  // Ends the current movement. Required before everything below.
  outcome close();
  // Closes the plan; the last movement gets its end speed. Nothing may follow.
  outcome finish();

  [[nodiscard]] const std::vector<direction>& directions() const noexcept { return directions_; }
  // The script's line of direction `index`; 0 if there is none.
  [[nodiscard]] int line_of(std::size_t index) const noexcept {
    return index < lines_.size() ? lines_[index] : 0;
  }
  [[nodiscard]] std::optional<vec3> start_position() const noexcept { return start_; }
  [[nodiscard]] double start_heading_deg() const noexcept { return start_heading_.value_or(0); }
  [[nodiscard]] const looks& start_looks() const noexcept { return start_looks_; }
  [[nodiscard]] std::uint32_t marks() const noexcept { return marks_; }

 private:
  struct leg {
    enum class shape : std::uint8_t { straight, curve, bezier, arc } kind = shape::straight;
    std::vector<vec3> points;
    std::optional<double> arrive_deg;  // of a curve
    vec3 centre;                       // of an arc, as are the next two
    double sweep_deg = 0;
    double climb_m = 0;
    motion_limits limits;
    double corner_m = 0;
    bool reverse = false;
    std::optional<ground> on_ground;
    int line = 0;
  };
  struct pending_mark {
    std::size_t legs_before = 0;
    std::variant<change, emit> what;
  };

  class movement;  // in plan_legs.cpp

  outcome add_leg(leg next, vec3 end);
  // Through points, of which the first may be the actor's place.
  outcome add_leg_through(leg next, std::vector<vec3> points);
  outcome check_points(const std::vector<vec3>& points);
  outcome check_room(std::size_t count) const;
  outcome check_placed() const;
  outcome check_rolls_alone(bool rolls) const;
  outcome add(direction next);
  [[nodiscard]] bool is_at_start() const noexcept;
  outcome check_start(const run& way) const;
  outcome add_run(std::shared_ptr<const path> along, const run& way, std::vector<run_mark> marks);
  // Onto the ground of the leg from which each piece came.
  tl::expected<path, problem> follow_ground(const path& flat, const std::vector<const leg*>& leg_of_piece);
  // Turns on the spot before a run with the initial heading `heading_deg`.
  outcome turn_towards(double heading_deg);
  void begin_at(vec3 position);
  [[nodiscard]] double spot_or_tight_corner() const noexcept;
  [[nodiscard]] bool starts_straight_ahead(const std::vector<vec3>& points, const loop_options& how) const;
  [[nodiscard]] tl::unexpected<problem> refuse(std::string text) const;
  [[nodiscard]] static tl::unexpected<problem> refuse_at(int line, std::string text);

  actor_options options_;
  std::vector<direction> directions_;
  std::vector<int> lines_;  // of each direction
  std::vector<leg> open_;
  std::vector<pending_mark> open_marks_;
  std::optional<vec3> start_;
  std::optional<double> start_heading_;
  looks start_looks_ = usual_looks();
  std::optional<vec3> position_;
  vec3 stop_position_;  // where the open run begins
  std::optional<double> heading_;
  std::size_t points_ = 0;
  std::optional<ground> on_ground_;
  std::uint32_t marks_ = 0;
  bool rolling_ = false;  // nothing may follow
};

}  // namespace tickreel::npc
