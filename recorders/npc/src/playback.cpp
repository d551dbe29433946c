#include "tickreel/npc/playback.hpp"

#include "tickreel/npc/actor_stream.hpp"

namespace tickreel::npc {

namespace {

template <class Block>
samp_rec::playback_report simulate(const plan& part, const timeline& when,
                                   const samp_rec::playback_options& options) {
  std::vector<Block> blocks;
  actor_stream stream(part, when);
  for (Block block; stream.next(block);) blocks.push_back(block);
  actor_stream meant(part, when);
  const auto way = [&](double time_ms) -> samp_rec::point_m {
    const vec3 at = meant.intended_position(when.begin_s + time_ms / 1000);
    return {at.x, at.y, at.z};
  };
  return samp_rec::simulate_playback<Block>(blocks, way, options);
}

}  // namespace

samp_rec::playback_report simulate_playback(const plan& part, const timeline& when,
                                            const samp_rec::playback_options& options) {
  return part.options().kind == body::on_foot ? simulate<samp_rec::on_foot_block>(part, when, options)
                                              : simulate<samp_rec::vehicle_block>(part, when, options);
}

tl::expected<std::vector<samp_rec::playback_report>, problem> simulate_playback(
    production& what, const samp_rec::playback_options& options) {
  std::vector<plan*> parts;
  for (const scripted_actor& each : what.actors) parts.push_back(each.part.get());
  const auto when = schedule(parts);
  if (!when) return tl::unexpected<problem>(when.error());
  std::vector<samp_rec::playback_report> reports;
  for (std::size_t i = 0; i < parts.size(); ++i)
    reports.push_back(simulate_playback(*parts[i], (*when)[i], options));
  return reports;
}

}  // namespace tickreel::npc
