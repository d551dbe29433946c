// What an actor does, in order: the stage directions of one script line after the other. A plan grows with
// the script, not with the time that it takes to perform.
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

// Why a direction cannot be followed, as a sentence for the author of the script; `line` where it was given.
struct problem {
  std::string text;
  int line = 0;
};
using outcome = tl::expected<void, problem>;

// What a block shows besides where the actor is. Stays until it is changed.
enum class field : std::uint8_t {
  weapon,
  special_action,
  animation,   // id | flags << 16; 0: what fits the speed
  extra_keys,  // bits, added to the keys that fit the motion
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

// A moment that others can wait for.
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
// What happens on the way, without a stop.
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

// z at a place; an error's sentence otherwise.
using height_function = std::function<tl::expected<double, std::string>(double x, double y)>;
struct ground {
  height_function height;
  double offset_m = 0;
};

// Sizes that a script cannot exceed, whatever it does.
struct plan_limits {
  std::size_t points = 100'000;                    // of all paths of an actor
  std::size_t directions = 100'000;                // of an actor
  double path_m = 2'000'000;                       // of one run, its laps not counted
  double duration_s = 48 * 3600;                   // of an actor
  double coordinate_m = samp_rec::far_position_m;  // from the centre; beyond it nobody reads a block
};

struct actor_options {
  std::string name;
  body kind = body::on_foot;
  std::optional<vec3> at = std::nullopt;
  std::optional<double> heading_deg = std::nullopt;
  bool train_speed = false;  // `special` holds the speed
  // Of the first movement, which must come first then; 0: it starts from rest. A plane must say it where it
  // starts with a movement, unless it can hover.
  std::optional<double> start_mps = std::nullopt;
  double end_mps = 0;  // of the last movement, which must come last then
  bool can_hover = false;
  // The actor, by its index, that turns into this one at its end: one NPC for the server. The recording
  // starts at that moment.
  std::optional<std::uint32_t> continues = std::nullopt;
  plan_limits limits = {};
};

struct loop_options {
  std::uint32_t laps = 1;
  bool rolling = false;
  bool straight = false;  // legs with rounded corners instead of a curve
};

// One actor's part. Directions that cannot be followed leave the plan as it was. One thread at a time.
class plan {
 public:
  explicit plan(actor_options options);

  [[nodiscard]] const actor_options& options() const noexcept { return options_; }
  [[nodiscard]] const body_traits& traits() const noexcept { return traits_of(options_.kind); }
  // Where the actor is when all directions so far have been followed.
  [[nodiscard]] std::optional<vec3> position() const noexcept { return position_; }
  [[nodiscard]] std::optional<double> heading_deg();
  // The same, with the movement that may be under way left open.
  [[nodiscard]] std::optional<double> arriving_heading_deg() const;
  // Of what follows.
  motion_limits limits;
  double corner_m = 0;
  bool reverse = false;  // backwards; a movement ends where this changes
  int line = 0;          // of the script, for messages

  // The height of everything from here on; nothing: the points say it. Ends a movement.
  outcome stand_on(std::optional<ground> what);
  [[nodiscard]] const std::optional<ground>& on_ground() const noexcept { return on_ground_; }

  // Movements; what follows another one goes on without a stop.
  outcome legs(std::vector<vec3> points);
  outcome curve(std::vector<vec3> points);
  // The same, arriving with a heading.
  outcome curve_arriving(std::vector<vec3> points, double heading_deg);
  outcome bezier(vec3 control_1, vec3 control_2, vec3 to);
  // Counter-clockwise about `centre` for a positive angle.
  outcome arc(vec3 centre, double sweep_deg, double climb_m);
  // A closed curve through where the actor is and `points`. A run of its own.
  outcome loop(std::vector<vec3> points, const loop_options& options);
  // A closed path that is given whole, with its first point where the actor is.
  outcome laps(std::shared_ptr<const path> closed, const loop_options& options);
  // Along a path of others, `behind_m` after its leader.
  outcome convoy(const run& way);

  // Standing.
  outcome wait(double seconds);
  outcome wait_until(event what, double delay_s);
  outcome wait_until_time(double at_s);
  outcome face(double heading_deg);
  outcome play(std::shared_ptr<const recorded> what);

  // Without a stop.
  outcome set(field what, double value);
  // Its number; others may wait for it.
  tl::expected<std::uint32_t, problem> mark();

  // Ends the movement that may be under way. Everything below needs it.
  outcome close();
  // Closes; the last movement gets the speed of its end. Nothing comes after it.
  outcome finish();

  [[nodiscard]] const std::vector<direction>& directions() const noexcept { return directions_; }
  // The line of the script that gave direction `index`; 0 when none did.
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
  // Through points, of which the first may be where the actor is.
  outcome add_leg_through(leg next, std::vector<vec3> points);
  outcome check_points(const std::vector<vec3>& points);
  outcome check_room(std::size_t count) const;
  outcome check_placed() const;
  outcome check_rolls_alone(bool rolls) const;
  outcome add(direction next);
  outcome check_start(const run& way) const;
  outcome add_run(std::shared_ptr<const path> along, const run& way, std::vector<run_mark> marks);
  // Onto the ground of the leg that each piece came from.
  tl::expected<path, problem> follow_ground(const path& flat, const std::vector<const leg*>& leg_of_piece);
  // Turns on the spot before a run that starts into `heading_deg`.
  outcome turn_towards(double heading_deg);
  void begin_at(vec3 position);
  [[nodiscard]] double spot_or_tight_corner() const noexcept;
  [[nodiscard]] bool leaves_as_it_faces(const std::vector<vec3>& points, const loop_options& how) const;
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
