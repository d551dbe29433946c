// A SA-MP server records a player on foot: one block per sync packet, in a growing .rec that is always valid.
// Then the file is read and checked for visible errors.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <tickreel/files/rec_sink.hpp>
#include <tickreel/record/recorder.hpp>
#include <tickreel/samp_rec/check.hpp>
#include <tickreel/samp_rec/encoder.hpp>

namespace {

using namespace tickreel::samp_rec;

// The server's data of the player at `time_ms`: a walk around a fountain, anti-clockwise.
on_foot_block player_at(std::uint32_t time_ms) {
  constexpr double radius_m = 6, pi = 3.14159265358979;
  const double angle = walk_m_per_s * time_ms / 1000 / radius_m;
  on_foot_block now;
  now.time_ms = time_ms;
  now.position_m = {float(1480 + radius_m * std::cos(angle)), float(-1640 + radius_m * std::sin(angle)),
                    14.05f};
  now.rotation = from_heading_degrees(angle * 180 / pi);
  now.velocity_m_per_20ms =
      velocity_from_m_per_s(-walk_m_per_s * std::sin(angle), walk_m_per_s * std::cos(angle), 0);
  now.up_down = axis::forward;
  now.keys = bits(key::walk);
  now.animation_id = animation::walk;
  now.animation_flags = animation::usual_flags;
  return now;
}

}  // namespace

int main() {
  auto file = tickreel::files::rec_sink::create("guard.rec", recording_kind::on_foot, true);
  if (!file) return std::puts(tickreel::describe(file.error()).c_str()), 1;
  std::vector<std::unique_ptr<tickreel::reel::sink>> sinks;
  sinks.push_back(std::move(*file));
  auto recorder =
      tickreel::recorder<encoder<on_foot_block>>::open(std::move(sinks), {}, {.ring_ticks = 1024});
  if (!recorder) return 1;
  for (std::uint32_t time_ms = 0; time_ms <= 24'000; time_ms += 40) recorder->push(player_at(time_ms));
  if (const auto closed = recorder->close(); !closed || !closed->nothing_lost()) return 1;

  tickreel::byte_vector bytes(std::filesystem::file_size("guard.rec"));
  const auto opened = tickreel::file::open_for_reading("guard.rec");
  if (!opened || !opened->read_at(bytes, 0)) return 1;
  const auto walk = read_recording(bytes);
  if (!walk) return std::puts(tickreel::describe(walk.error()).c_str()), 1;
  const check_report report = check(*walk);
  for (const check_finding& each : report.findings) std::puts(describe(each).c_str());
  std::printf("%zu blocks, %.1f m\n", walk->on_foot.size(), report.statistics.path_length_m);
  return report.passes() && walk->on_foot.size() == 601 ? 0 : 1;
}
