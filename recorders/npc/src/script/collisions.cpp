#include "tickreel/npc/collisions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "tickreel/npc/actor_stream.hpp"

namespace tickreel::npc {

namespace {

// Half of the mean of length and width, and half of the height, of the game's most common models.
struct extent {
  double radius_m;
  double height_m;
};
extent extent_of(body kind) noexcept {
  switch (kind) {
    case body::on_foot:
      return {0.35, 0.9};
    case body::bike:
      return {0.7, 0.8};
    case body::car:
      return {1.7, 0.8};
    case body::truck:
      return {2.6, 1.6};
    case body::boat:
      return {2.5, 1.5};
    case body::helicopter:
    case body::train:
      return {3, 2};
    case body::plane:
      return {5, 2};
  }
  return {1.7, 0.8};
}

// The cost of one more open collision: it takes memory, which is limited to about 100 MB.
constexpr std::uint64_t looks_to_open = 20;

// No body is larger, so contacts are within a cell or its neighbours.
constexpr double cell_m = 10;

std::uint64_t cell_of(std::int64_t x, std::int64_t y) noexcept {
  return static_cast<std::uint64_t>(x) * 0x1'0000'0001 ^
         static_cast<std::uint64_t>(y) * 0x9E37'79B9'7F4A'7C15;
}

// Finds the contacts of actors, one step of time after the other.
class collision_search {
 public:
  collision_search(std::span<const plan* const> parts, std::span<const timeline> when,
                   const collision_options& options)
      : parts_(parts), when_(when), options_(options), places_(parts.size()) {
    streams_.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) streams_.emplace_back(*parts[i], when[i]);
  }

  collision_report run() {
    double last_s = 0;
    for (const timeline& each : when_) last_s = std::max(last_s, each.duration_s);
    const auto steps = static_cast<std::uint64_t>(last_s / options_.step_s) + 1;
    for (std::uint64_t step = 0; step < steps && report_.complete; ++step) {
      const double t_s = static_cast<double>(step) * options_.step_s;
      take_step(t_s);
      // An incomplete check says nothing about the end of a contact.
      if (report_.complete) close_before(t_s);
    }
    close_before(1e300);
    std::stable_sort(report_.found.begin(), report_.found.end(),
                     [](const collision& a, const collision& b) { return a.from_s < b.from_s; });
    return std::move(report_);
  }

 private:
  void take_step(double t_s) {
    cells_.clear();
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
      // Called for each actor; thousands may be in one cell.
      if (++looked_at_ > options_.looks || (options_.cancelled && options_.cancelled())) {
        report_.complete = false;
        return;
      }
      // An actor without a place, before its begin or after its end does not collide. A vehicle exists before
      // its driver does.
      if (!parts_[i]->start_position() || t_s > when_[i].duration_s) continue;
      if (t_s < when_[i].begin_s && parts_[i]->options().kind == body::on_foot) continue;
      place(i, t_s);
    }
  }

  // Compares the actor with those of its cell and of the neighbouring ones, and puts it into its cell.
  void place(std::uint32_t i, double t_s) {
    places_[i] = streams_[i].intended_position(t_s);
    const auto column = static_cast<std::int64_t>(std::floor(places_[i].x / cell_m));
    const auto row = static_cast<std::int64_t>(std::floor(places_[i].y / cell_m));
    for (std::int64_t x = column - 1; x <= column + 1; ++x) {
      for (std::int64_t y = row - 1; y <= row + 1; ++y) {
        const auto there = cells_.find(cell_of(x, y));
        if (there == cells_.end()) continue;
        looked_at_ += there->second.size();
        for (const std::uint32_t other : there->second) compare(other, i, t_s);
      }
    }
    cells_[cell_of(column, row)].push_back(i);
  }

  void compare(std::uint32_t other, std::uint32_t i, double t_s) {
    // A driver and the car that continues the driver meet on purpose.
    if (parts_[i]->options().continues == other || parts_[other]->options().continues == i) return;
    const extent own = extent_of(parts_[i]->options().kind);
    const extent its = extent_of(parts_[other]->options().kind);
    const vec3 way = places_[i] - places_[other];
    const double apart = horizontal_length(way);
    if (apart >= own.radius_m + its.radius_m || std::abs(way.z) >= own.height_m + its.height_m) return;
    const auto [at, fresh] = touching_.try_emplace({other, i});
    collision& one = at->second;
    if (fresh) {
      one = {other, i, t_s, t_s, places_[other], apart};
      looked_at_ += looks_to_open;
    }
    one.to_s = t_s;
    if (apart < one.distance_m) {
      one.distance_m = apart;
      one.where = places_[other];
    }
  }

  // Reports the contacts that ended before this time.
  void close_before(double t_s) {
    for (auto it = touching_.begin(); it != touching_.end();) {
      ++looked_at_;
      if (it->second.to_s >= t_s) {
        ++it;
        continue;
      }
      if (report_.found.size() < options_.most) report_.found.push_back(it->second);
      it = touching_.erase(it);
    }
  }

  std::span<const plan* const> parts_;
  std::span<const timeline> when_;
  const collision_options& options_;
  std::vector<actor_stream> streams_;
  std::vector<vec3> places_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, collision> touching_;
  std::uint64_t looked_at_ = 0;
  collision_report report_;
};

}  // namespace

collision_report collisions_of(std::span<const plan* const> parts, std::span<const timeline> when,
                               const collision_options& options) {
  if (parts.size() < 2) return {};
  return collision_search(parts, when, options).run();
}

}  // namespace tickreel::npc
