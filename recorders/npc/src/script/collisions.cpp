#include "tickreel/npc/collisions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

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

}  // namespace

collision_report collisions_of(std::span<const plan* const> parts, std::span<const timeline> when,
                               const collision_options& options) {
  collision_report report;
  if (parts.size() < 2) return report;
  std::vector<actor_stream> streams;
  streams.reserve(parts.size());
  double last_s = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    streams.emplace_back(*parts[i], when[i]);
    last_s = std::max(last_s, when[i].duration_s);
  }
  const auto steps = static_cast<std::uint64_t>(last_s / options.step_s) + 1;
  std::uint64_t looked_at = 0;
  std::vector<vec3> places(parts.size());
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  std::map<std::pair<std::uint32_t, std::uint32_t>, collision> touching;
  const auto close_before = [&](double t_s) {
    for (auto it = touching.begin(); it != touching.end();) {
      ++looked_at;
      if (it->second.to_s >= t_s) {
        ++it;
        continue;
      }
      if (report.found.size() < options.most) report.found.push_back(it->second);
      it = touching.erase(it);
    }
  };
  for (std::uint64_t step = 0; step < steps && report.complete; ++step) {
    const double t_s = static_cast<double>(step) * options.step_s;
    cells.clear();
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      // Called for each actor; thousands may be in one cell.
      if (++looked_at > options.looks || (options.cancelled && options.cancelled())) {
        report.complete = false;
        break;
      }
      // An actor without a place, before its begin or after its end does not collide. A vehicle exists before
      // its driver does.
      if (!parts[i]->start_position() || t_s > when[i].duration_s) continue;
      if (t_s < when[i].begin_s && parts[i]->options().kind == body::on_foot) continue;
      places[i] = streams[i].intended_position(t_s);
      const auto column = static_cast<std::int64_t>(std::floor(places[i].x / cell_m));
      const auto row = static_cast<std::int64_t>(std::floor(places[i].y / cell_m));
      const extent own = extent_of(parts[i]->options().kind);
      for (std::int64_t x = column - 1; x <= column + 1; ++x) {
        for (std::int64_t y = row - 1; y <= row + 1; ++y) {
          const auto there = cells.find(cell_of(x, y));
          if (there == cells.end()) continue;
          looked_at += there->second.size();
          for (const std::uint32_t other : there->second) {
            // A driver and the car that continues the driver meet on purpose.
            if (parts[i]->options().continues == other || parts[other]->options().continues == i) continue;
            const extent its = extent_of(parts[other]->options().kind);
            const vec3 way = places[i] - places[other];
            const double apart = horizontal_length(way);
            if (apart >= own.radius_m + its.radius_m || std::abs(way.z) >= own.height_m + its.height_m)
              continue;
            const auto [at, fresh] = touching.try_emplace({other, i});
            collision& one = at->second;
            if (fresh) {
              one = {other, i, t_s, t_s, places[other], apart};
              looked_at += looks_to_open;
            }
            one.to_s = t_s;
            if (apart < one.distance_m) {
              one.distance_m = apart;
              one.where = places[other];
            }
          }
        }
      }
      cells[cell_of(column, row)].push_back(i);
    }
    // An incomplete check says nothing about the end of a contact.
    if (report.complete) close_before(t_s);
  }
  close_before(1e300);
  std::stable_sort(report.found.begin(), report.found.end(),
                   [](const collision& a, const collision& b) { return a.from_s < b.from_s; });
  return report;
}

}  // namespace tickreel::npc
