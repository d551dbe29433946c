// Any text is a script: it ends within its limits, and the requested recordings can be built and are valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tickreel/npc/actor_stream.hpp"
#include "tickreel/npc/script.hpp"

namespace {

// The first byte selects whether the rest is a script or follows actors that it can direct.
constexpr std::string_view cast =
    "local guard = actor{ name='guard', on_foot=true, at={0,0,3} }\n"
    "local car = actor{ name='car', vehicle='car', at={9,0,3}, heading=0 }\n"
    "local heli = actor{ name='heli', vehicle='helicopter', at={0,9,3} }\n"
    "local rec = recordings.rec\n";

template <class Block>
void build(const tickreel::npc::plan& part, const tickreel::npc::timeline& when) {
  using namespace tickreel;
  npc::actor_stream stream(part, when);
  Block block;
  std::uint32_t before = 0;
  for (int i = 0; i < 20'000 && stream.next(block); ++i) {
    if (block.time_ms < before || !samp_rec::is_finite(block.position_m) ||
        !samp_rec::is_finite(block.velocity_m_per_20ms) || !samp_rec::is_finite(block.rotation)) {
      std::abort();
    }
    before = block.time_ms;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  if (size == 0) return 0;
  const bool directed = (data[0] & 1) != 0;
  std::string text(directed ? cast : std::string_view());
  for (std::size_t i = 1; i < size; ++i) text += static_cast<char>(data[i]);
  npc::script_options options;
  options.limits.memory_bytes = 4u << 20;
  options.limits.allocated_bytes = 64u << 20;
  options.limits.instructions = 200'000;
  options.limits.plan.points = 2'000;
  options.limits.plan.directions = 500;
  options.limits.points = 2'000;
  options.limits.recorded_blocks = 5'000;
  options.limits.saved_blocks = 5'000;
  auto recorded = std::make_shared<npc::recorded>();
  recorded->kind = samp_rec::recording_kind::on_foot;
  for (std::uint32_t i = 0; i < 20; ++i) {
    samp_rec::on_foot_block block;
    block.time_ms = 50 * i;
    block.position_m.y = 0.05f * static_cast<float>(i);
    recorded->on_foot.push_back(block);
  }
  options.recordings = {{"rec", recorded}};
  auto made = npc::run_script(text, "fuzz.lua", options);
  if (!made) {
    if (made.error().empty()) std::abort();
    return 0;
  }
  std::vector<npc::plan*> parts;
  for (const auto& each : made->actors) parts.push_back(each.part.get());
  const auto when = npc::schedule(parts);
  if (!when) return 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->options().kind == npc::body::on_foot) {
      build<samp_rec::on_foot_block>(*parts[i], (*when)[i]);
    } else {
      build<samp_rec::vehicle_block>(*parts[i], (*when)[i]);
    }
  }
  return 0;
}
