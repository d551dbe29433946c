// Writes the described reels, the matches and the Echo VR recordings of a new release: make_recordings FOLDER. The content is
// made up and the same in each run, except for differences of the compression library.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/game/game_recorder.hpp"
#include "tickreel/tickreel.hpp"

namespace {

enum class phase : std::int8_t { lobby = -1, playing, over };
TICKREEL_DESCRIBE_ENUM(phase, lobby, playing, over);

struct unit {
  std::array<float, 3> position{};
  std::int16_t health = 100;
  std::optional<std::uint32_t> target;
};
TICKREEL_DESCRIBE(unit, position, health, target);
TICKREEL_DECLARE(unit, (position, decimals(3), unit_name("m")));

struct field {
  tickreel::entities<unit, 4> units;
  std::array<float, 4> facing{};
  std::array<float, 3> forward{}, up{}, left{};
  phase now = phase::lobby;
  bool paused = false;
  std::uint64_t seed = 1;
  double clock = 0;
  float speed = 0, raw = 0;
  tickreel::short_text<20> caption;
  tickreel::fixed_value<16> gravity;
};
TICKREEL_DESCRIBE(field, units, facing, forward, up, left, now, paused, seed, clock, speed, raw, caption,
                  gravity);
TICKREEL_DECLARE(field, (facing, decimals(4), rotation), (forward, decimals(4), unit_vector),
                 (up, decimals(4), orthogonal("forward")), (left, decimals(4), cross("up", "forward")),
                 (clock, decimals(2)), (speed, tolerance(0.01), unit_name("m/s")),
                 (raw, relative_to("speed")));

struct goal {
  std::uint8_t player = 0;
  tickreel::short_text<12> assist;
};
TICKREEL_DESCRIBE(goal, player, assist);
struct whistle {
  double at = 0;
};
TICKREEL_DESCRIBE(whistle, at);

void advance(field& state, int tick) {
  const auto rounded = [](double value, double steps) {
    return static_cast<float>(std::round(value * steps) / steps);
  };
  if (tick % 40 == 0) (void)state.units.add({.position = {1, 2, 3}, .health = 100, .target = {}});
  state.units.for_each([&](tickreel::entity_id id, unit& each) {
    each.position[0] = rounded(each.position[0] + 0.05, 1000);
    each.health = static_cast<std::int16_t>(each.health - 1);
    if (tick % 25 == 7) each.target = static_cast<std::uint32_t>(tick);
    if (each.health == 0) state.units.remove(id);
  });
  const double angle = tick * 0.03;
  state.facing = {0, 0, rounded(std::sin(angle / 2), 1e4), rounded(std::cos(angle / 2), 1e4)};
  state.forward = {rounded(std::cos(angle), 1e4), rounded(std::sin(angle), 1e4), 0};
  state.up = {0, 0, 1};
  state.left = {rounded(-std::sin(angle), 1e4), rounded(std::cos(angle), 1e4), 0};
  state.now = tick < 20 ? phase::lobby : tick < 130 ? phase::playing : phase::over;
  state.paused = tick % 50 > 45;
  state.seed = state.seed * 6364136223846793005u + 1442695040888963407u;
  state.clock = std::round((state.clock + 0.02) * 100) / 100;
  state.speed = static_cast<float>(std::sin(angle) * 5);
  state.raw = tick % 30 == 3 ? std::nanf("") : state.speed + 1;
  state.caption = tick < 60 ? "first half" : "second half";
  state.gravity.raw = -642908;
}

bool write_field(const std::filesystem::path& path, bool compact) {
  tickreel::recorder_options options;
  options.ticks_per_second = 50;
  options.start_time_us = 1'700'000'000'000'000;
  options.mode = tickreel::threading::pumped;
  options.seal_frames = 40;
  auto out = tickreel::record<field>(path, options);
  if (!out) return false;
  field state;
  for (std::uint64_t tick = 0; tick < 160; ++tick) {
    advance(state, static_cast<int>(tick));
    // Ticks 90 to 94 were never received.
    if (tick == 90)
      out->note_gap(5, {90, 1'800'000}, {94, 1'880'000}, tickreel::reel::gap_reason::source_failed);
    if (tick >= 90 && tick < 95) continue;
    if (!out->push({tick, static_cast<std::int64_t>(tick * 20'000)}, state)) return false;
    if (tick % 50 == 30) (void)out->event(goal{static_cast<std::uint8_t>(tick / 50), "Ada"});
    if (tick % 70 == 20) (void)out->event(whistle{static_cast<double>(tick) / 50});
    if (tick == 99) (void)out->event(7, tickreel::as_bytes("raw"));
    (void)out->pump();
  }
  return out->close({.compact = compact}).has_value();
}

// As a killed recorder leaves it: its last bytes are missing.
bool cut(const std::filesystem::path& from, const std::filesystem::path& to, std::size_t bytes) {
  std::ifstream in(from, std::ios::binary);
  std::vector<char> all{std::istreambuf_iterator<char>(in), {}};
  if (all.size() <= bytes) return false;
  std::ofstream(to, std::ios::binary).write(all.data(), static_cast<std::streamsize>(all.size() - bytes));
  return true;
}

struct place {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct score {
  std::int32_t points = 0;
};
TICKREEL_DESCRIBE(score, points);
struct move {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(move, x, y);

bool write_match(const std::filesystem::path& path, tickreel::game::container file) {
  namespace game = tickreel::game;
  using world = game::world_types<game::components<place>, game::player_fields<score>>;
  game::match about;
  about.game = "compatibility";
  about.game_version = "1.0";
  about.replay_id = "01234567-89ab-4cde-8f01-23456789abcd";
  about.timestamp = "2024-01-01T00:00:00Z";
  about.players = {{0, "Ada", "", "", 0}, {1, "Bob", "", "", 1}};
  game::match_options options;
  options.file = file;
  options.keyframe_interval_ticks = 10;
  options.mode = tickreel::threading::pumped;
  auto out = game::game_recorder<world>::begin(path, about, options);
  if (!out) return false;
  for (std::uint16_t tick = 0; tick < 60; ++tick) {
    const auto done = out->tick(tick, tick * 7u, [&](auto& to) {
      for (std::uint16_t i = 0; i < 5; ++i) {
        to.entity({i, 1}, "tank").set(place{static_cast<float>(i), static_cast<float>(tick)});
      }
      to.player(0).set(score{tick});
    });
    if (!done) return false;
    if (tick % 9 == 0) (void)out->order(1, 4, move{1, 2});
    if (tick % 20 == 5) (void)out->event(goal{1, "Bob"});
    (void)out->pump();
  }
  return out->end({.outcome = {}, .player_outcomes = {"won", "lost"}, .state_hash = 420}).has_value();
}

struct condition {
  std::int16_t health = 100;
  std::optional<std::uint32_t> target;
  bool flying = false;
};
TICKREEL_DESCRIBE(condition, health, target, flying);

// A state per tick, mostly as changes: values, units that are created and removed, players, and a pause without changes. `left`:
// the incomplete recording in the middle of it, with an incomplete last chunk.
bool write_chained(const std::filesystem::path& path, const std::filesystem::path& left) {
  namespace game = tickreel::game;
  using world = game::world_types<game::components<place, condition>, game::player_fields<score>>;
  game::match about;
  about.game = "compatibility";
  about.game_version = "1.0";
  about.replay_id = "01234567-89ab-4cde-8f01-23456789abce";
  about.timestamp = "2024-01-01T00:00:00Z";
  about.players = {{0, "Ada", "", "", 0}, {1, "Bob", "", "", 1}};
  game::match_options options;
  options.file = game::container::reel;
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 40;
  options.mode = tickreel::threading::pumped;
  options.seal_interval_ms = 0;
  auto out = game::game_recorder<world>::begin(path, about, options);
  if (!out) return false;
  for (std::uint16_t tick = 0; tick < 130; ++tick) {
    const int moved = tick < 90 ? tick : 90 + (tick - 90) / 20;
    // Hashes of the game up to the last group, then those of the states.
    const auto done = out->tick(tick, tick < 120 ? tick * 7u + 1 : 0, [&](auto& to) {
      for (std::uint16_t i = 0; i < 12; ++i) {
        if (i > 8 && (tick + i * 10) % 50 < 25) continue;
        auto unit =
            to.entity({i, static_cast<std::uint16_t>(1 + (tick + i) / 60)}, i % 3 == 0 ? "tank" : "bird");
        unit.set(place{static_cast<float>(i) + static_cast<float>(i % 2 * moved) * 0.25f,
                       static_cast<float>(moved)});
        if (i % 4 == 1 && tick % 30 < 10) continue;
        unit.set(condition{static_cast<std::int16_t>(100 - moved / 5),
                           moved % 20 < 10 ? std::nullopt : std::optional<std::uint32_t>(i + 1u),
                           i % 3 != 0});
      }
      to.player(0).set(score{moved * 3});
      if (tick > 50) to.player(1).set(score{moved / 10});
    });
    if (!done) return false;
    if (tick % 9 == 0) (void)out->order(1, 4, move{1, 2});
    if (tick % 20 == 5) (void)out->event(goal{1, "Bob"});
    (void)out->pump();
    if (tick == 70 && !cut(path, left, 15)) return false;
  }
  return out->end({.outcome = {}, .player_outcomes = {"won", "lost"}, .state_hash = 420}).has_value();
}

// A match of Echo VR as columns, live and compact, with its events; with skeletons; with its original lines; and as the smaller
// .butter.
bool write_echo(const std::filesystem::path& folder) {
  using namespace tickreel;
  const auto write = [&](const char* name, bool bones, float seconds, const files::convert_options& options) {
    echo_vr::simulation_options match;
    match.seed = 2;
    match.rate_hz = 20;
    match.players_per_team = 2;
    match.bones = bones;
    match.match_seconds = seconds;
    echo_vr::simulated_source source(match);
    return files::convert(source, folder / name, options).has_value();
  };
  files::convert_options live;
  live.keyframe_interval_ticks = 20;
  files::convert_options few = live;
  few.range.to = files::moment::at_tick(11);
  files::convert_options small = few;
  small.hold = butter::small_profile;
  const auto text = folder / "lines.echoreplay";
  const auto bones = folder / "bones.echoreplay";
  const bool done =
      write("echo.columns.reel", false, 3, live) &&
      files::compact(folder / "echo.columns.reel", folder / "echo.columns.compact.reel").has_value() &&
      write("lines.echoreplay", false, 0.5f, {}) && write("bones.echoreplay", true, 0.5f, {}) &&
      files::convert(text, folder / "echo.lines.reel", live).has_value() &&
      files::convert(bones, folder / "echo.bones.columns.reel", few).has_value() &&
      files::convert(bones, folder / "echo.small.butter", small).has_value();
  return std::filesystem::remove(text) && std::filesystem::remove(bones) && done;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return std::fputs("make_recordings FOLDER\n", stderr), 2;
  const std::filesystem::path folder = words[1];
  const bool done = write_field(folder / "field.reel", false) &&
                    write_field(folder / "field.compact.reel", true) &&
                    cut(folder / "field.reel", folder / "field.torn.reel", 2000) &&
                    write_match(folder / "match.described.reel", tickreel::game::container::reel) &&
                    write_match(folder / "match.described.icrep", tickreel::game::container::icrep) &&
                    write_chained(folder / "match.chained.reel", folder / "match.chained.killed.reel") &&
                    write_echo(folder);
  if (!done) std::fputs("something could not be written\n", stderr);
  return done ? 0 : 1;
}
