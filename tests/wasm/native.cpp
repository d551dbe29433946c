// read_in_memory FILE      prints what the reader says
// read_in_memory --record FILE      makes a reel of described structs to read
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

#include "read_in_memory.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/tickreel.hpp"

struct vehicle {
  std::int32_t id = 0;
  float x = 0, y = 0, heading = 0;
  double odometer_m = 0;
  bool braking = false;
  std::optional<std::uint16_t> target;
  tickreel::short_text<12> driver;
};
TICKREEL_DESCRIBE(vehicle, id, x, y, heading, odometer_m, braking, target, driver);

struct traffic {
  std::uint64_t clock = 0;
  tickreel::entities<vehicle, 8> vehicles;
};
TICKREEL_DESCRIBE(traffic, clock, vehicles);

namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{64} << 20;

int failed(const tickreel::error& why) {
  std::fprintf(stderr, "read_in_memory: %s\n", tickreel::describe(why).c_str());
  return 1;
}

// Vehicles that appear, drive in circles, and disappear.
int record_traffic(const char* path) {
  auto out = tickreel::record<traffic, tickreel::loss_policy::block>(
      path, {.seal_frames = 100, .ticks_per_second = 60});
  if (!out) return failed(out.error());
  traffic now;
  std::array<tickreel::entity_id, 3> there;
  for (auto& each : there) each = *now.vehicles.add({});
  for (int tick = 0; tick < 500; ++tick) {
    now.clock += 16'667;
    for (std::size_t i = 0; i < there.size(); ++i) {
      vehicle& each = *now.vehicles.find(there[i]);
      const float angle = static_cast<float>(tick) / (20.0f + static_cast<float>(i));
      each = {
          static_cast<std::int32_t>(i), 40 * std::sin(angle), 40 * std::cos(angle), angle,
          each.odometer_m + 0.1,        tick % 90 < 9,        std::nullopt,         i == 0 ? "Ada" : "Grace"};
      if (tick % 50 > 20) each.target = static_cast<std::uint16_t>(tick);
    }
    if (tick % 120 == 119) {
      now.vehicles.remove(there[1]);
      there[1] = *now.vehicles.add({});
    }
    (void)out->push(now);
  }
  const auto report = out->close();
  return report ? 0 : failed(report.error());
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == "--record") return record_traffic(arguments[2]);
  if (count != 2) return std::fputs("usage: read_in_memory FILE, or --record FILE\n", stderr), 2;
  const auto from = tickreel::byte_source::open(arguments[1]);
  if (!from) return failed(from.error());
  const auto content = from->whole(max_bytes);
  if (!content) return failed(content.error());
  const std::string said = read_in_memory(*content);
  return std::fwrite(said.data(), 1, said.size(), stdout) == said.size() ? 0 : 1;
}
