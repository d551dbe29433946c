#include "file_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "butter_model.hpp"
#include "fidelity_math.hpp"

namespace tickreel::conformance {
namespace {

namespace model = butter_model;

double distance_mm(const model::vec3& got, const echo::vec3& wanted) {
  return 1000 * length(minus(to_double(got), to_double(wanted)));
}

void add_part(file_errors& out, std::size_t distance, const model::transform& got, const echo::pose& wanted) {
  const std::optional<model::vec3>& place = got.pos ? got.pos : got.position;
  if (!place || (wanted.fields & echo::pose::has_position) == 0) return;
  out.position_mm.at[distance].add(distance_mm(*place, wanted.position));
  if (!is_basis(to_double(wanted.forward), to_double(wanted.up))) return;
  out.rotation_deg.at[distance].add(angle_deg(got.forward, got.left, got.up, wanted));
}

void add_bones(file_errors& out, std::size_t distance, const model::user_bones& got,
               const echo::bone_player& wanted) {
  for (std::size_t b = 0; b < echo::bone_count; ++b) {
    const float* t = &got.bone_t[3 * b];
    const double3 place{t[0], t[1], t[2]};
    out.bone_mm.at[distance].add(1000 * length(minus(place, to_double(wanted.positions[b]))));
    out.bone_deg.at[distance].add(bone_angle_deg(&got.bone_o[4 * b], wanted.rotations[b]));
  }
}

void add_frame(file_errors& out, std::size_t distance, const model::frame& got, const echo::state& wanted) {
  if (got.disc && (wanted.match.fields & echo::session::has_disc) != 0) {
    out.disc_mm.at[distance].add(distance_mm(got.disc->position, wanted.match.disc.at.position));
  }
  for (std::size_t t = 0; t < got.teams.size(); ++t) {
    const std::size_t first = echo::first_player(wanted.match, t);
    for (std::size_t p = 0; p < got.teams[t].players.size() && p < wanted.match.teams[t].player_count; ++p) {
      const model::player& player = got.teams[t].players[p];
      const echo::player& aim = wanted.players[first + p];
      add_part(out, distance, player.head, aim.head);
      add_part(out, distance, player.body, aim.body);
      add_part(out, distance, player.lhand, aim.lhand);
      add_part(out, distance, player.rhand, aim.rhand);
      out.velocity_mmps.at[distance].add(distance_mm(player.velocity, aim.velocity));
    }
  }
  if (!got.bones || !got.bones->user_bones) return;
  const std::vector<model::user_bones>& players = *got.bones->user_bones;
  for (std::size_t p = 0; p < std::min<std::size_t>(players.size(), wanted.bone_player_count); ++p) {
    add_bones(out, distance, players[p], wanted.bone_players[p]);
  }
}

}  // namespace

void error_sum::add(double error) {
  if (!std::isfinite(error)) return;
  sum += error;
  max = std::max(max, error);
  ++count;
}

void error_sum::add(const error_sum& other) {
  sum += other.sum;
  max = std::max(max, other.max);
  count += other.count;
}

error_sum error_table::between(std::size_t first, std::size_t end) const {
  error_sum all;
  for (auto each = at.lower_bound(first); each != at.end() && each->first < end; ++each)
    all.add(each->second);
  return all;
}

std::string file_errors::add_file(byte_span file, std::span<const echo::state> ticks) {
  std::size_t index = 0;
  std::size_t distance = 0;
  try {
    model::decode(file,
                  [&](const model::frame& got, const model::frame_place& place) {
                    distance = place.keyframe ? 0 : distance + 1;
                    if (index < ticks.size()) add_frame(*this, distance, got, ticks[index]);
                    ++index;
                  },
                  {.zstd_switched_off = false});
  } catch (const model::decoder_exception& thrown) {
    return fmt::format("the known decoder throws after {} frames: {}", index, thrown.what());
  }
  return {};
}

}  // namespace tickreel::conformance
