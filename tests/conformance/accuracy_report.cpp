// How large and how exact .butter files are: ours in both profiles, and beside them the known writer's where
// one lies next to the recording. All files are read by the model of the known decoder.
//
//   butter_accuracy shared/data/butter/arena-8p-300.echoreplay simulate:1 simulate:2:combat:1800
//
// simulate:SEED[:MODE[:TICKS]], mode arena, combat or lobby. No bones: add --no-bones.
#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "butter_model.hpp"
#include "encode_file.hpp"
#include "fidelity_math.hpp"
#include "matches.hpp"
#include "shared_data.hpp"

namespace tickreel::conformance {
namespace {

namespace fs = std::filesystem;
namespace model = butter_model;

constexpr std::array<std::size_t, 6> told_distances{0, 1, 30, 100, 200, 299};

struct error_sum {
  double sum = 0;
  double max = 0;
  std::size_t count = 0;

  void add(double error) {
    if (!std::isfinite(error)) return;
    sum += error;
    max = std::max(max, error);
    ++count;
  }
};

// Errors of one kind by the distance from the keyframe.
struct error_table {
  std::map<std::size_t, error_sum> at;
  error_sum overall;

  void add(std::size_t distance, double error) {
    overall.add(error);
    if (std::ranges::find(told_distances, distance) != told_distances.end()) at[distance].add(error);
  }
};

struct errors {
  // Head, body and hands.
  error_table position_mm, rotation_deg;
  error_table disc_mm, velocity_mmps;
  error_table bone_mm, bone_deg;
};

void add_part(errors& out, std::size_t distance, const model::transform& got, const echo::pose& wanted) {
  const std::optional<model::vec3>& place = got.pos ? got.pos : got.position;
  if (!place || (wanted.fields & echo::pose::has_position) == 0) return;
  out.position_mm.add(distance, 1000 * length(minus(to_double(*place), to_double(wanted.position))));
  if (!is_basis(to_double(wanted.forward), to_double(wanted.up))) return;
  out.rotation_deg.add(distance, angle_deg(got.forward, got.left, got.up, wanted));
}

void add_frame(errors& out, std::size_t distance, const model::frame& got, const echo::state& wanted) {
  if (got.disc && (wanted.match.fields & echo::session::has_disc) != 0) {
    const echo::disc_state& disc = wanted.match.disc;
    out.disc_mm.add(distance,
                    1000 * length(minus(to_double(got.disc->position), to_double(disc.at.position))));
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
      out.velocity_mmps.add(distance,
                            1000 * length(minus(to_double(player.velocity), to_double(aim.velocity))));
    }
  }
  if (!got.bones || !got.bones->user_bones) return;
  const std::vector<model::user_bones>& players = *got.bones->user_bones;
  for (std::size_t p = 0; p < std::min<std::size_t>(players.size(), wanted.bone_player_count); ++p) {
    for (std::size_t b = 0; b < echo::bone_count; ++b) {
      const float* t = &players[p].bone_t[3 * b];
      const double3 aim = to_double(wanted.bone_players[p].positions[b]);
      out.bone_mm.add(distance, 1000 * length(minus(double3{t[0], t[1], t[2]}, aim)));
      out.bone_deg.add(distance,
                       bone_angle_deg(&players[p].bone_o[4 * b], wanted.bone_players[p].rotations[b]));
    }
  }
}

// False when the known decoder cannot read it.
bool add_file(errors& out, byte_span file, std::span<const echo::state> ticks) {
  std::size_t index = 0;
  std::size_t distance = 0;
  try {
    model::decode(file,
                  [&](const model::frame& got, const model::frame_place& place) {
                    distance = place.keyframe ? 0 : distance + 1;
                    if (index < ticks.size()) add_frame(out, distance, got, ticks[index]);
                    ++index;
                  },
                  {.zstd_switched_off = false});
  } catch (const model::decoder_exception& thrown) {
    fmt::print("    the known decoder throws after {} frames: {}\n", index, thrown.what());
    return false;
  }
  return true;
}

void print_row(const char* what, const error_table& table) {
  if (table.overall.count == 0) return;
  const auto pair = [](const error_sum& sum) {
    return fmt::format("{:.3f} / {:.3f}", sum.sum / static_cast<double>(sum.count), sum.max);
  };
  fmt::print("    {:<26}{:>18}", what, pair(table.overall));
  for (const std::size_t distance : told_distances) {
    const auto found = table.at.find(distance);
    fmt::print("{:>18}", found == table.at.end() || found->second.count == 0 ? "-" : pair(found->second));
  }
  fmt::print("\n");
}

void print_errors(const errors& all) {
  fmt::print("    {:<26}{:>18}", "error, mean / max", "all frames");
  for (const std::size_t distance : told_distances) fmt::print("{:>18}", fmt::format("frame {}", distance));
  fmt::print("\n");
  print_row("head, body, hands (mm)", all.position_mm);
  print_row("their rotation (deg)", all.rotation_deg);
  print_row("disc (mm)", all.disc_mm);
  print_row("player velocity (mm/s)", all.velocity_mmps);
  print_row("bone position (mm)", all.bone_mm);
  print_row("bone rotation (deg)", all.bone_deg);
}

struct codec_column {
  const char* name;  // as in the golden files' names
  codec_id codec;
  int level;
};

constexpr std::array<codec_column, 4> columns{{{"none", codec_id::none, 0},
                                               {"gzip", codec_id::gzip, 6},
                                               {"zstd_3", codec_id::zstd, 3},
                                               {"zstd_22", codec_id::zstd, 22}}};

struct input {
  std::string name;
  match ticks;
  fs::path recording;  // empty for a simulated match
  std::uint16_t keyframe_interval = 300;
};

fs::path known_file(const input& in, const char* codec) {
  fs::path path = in.recording;
  return path.replace_extension(std::string(codec) + ".butter");
}

void report_ours(const input& in, const char* profile, const butter::encoder_options& options) {
  fmt::print("  {}: bytes per frame", profile);
  std::vector<encoded_file> plain;
  for (const codec_column& column : columns) {
    std::vector<encoded_file> files =
        encode(in.ticks, {.options = options,
                          .keyframe_interval = in.keyframe_interval,
                          .codec = {.codec = column.codec, .level = column.level, .dictionary = {}}});
    std::size_t bytes = 0;
    for (const encoded_file& file : files) bytes += file.bytes.size();
    fmt::print("  {} {:.1f}", column.name, static_cast<double>(bytes) / static_cast<double>(in.ticks.size()));
    if (column.codec == codec_id::none) plain = std::move(files);
  }
  fmt::print("\n");
  errors all;
  for (const encoded_file& file : plain) {
    add_file(all, file.bytes, std::span(in.ticks).subspan(file.first_state, file.state_count));
  }
  print_errors(all);
}

void report_known_writer(const input& in) {
  if (in.recording.empty() || !fs::exists(known_file(in, "none"))) return;
  fmt::print("  known writer: bytes per frame");
  for (const codec_column& column : columns) {
    if (!fs::exists(known_file(in, column.name))) continue;
    const auto bytes = static_cast<double>(fs::file_size(known_file(in, column.name)));
    fmt::print("  {} {:.1f}", column.name, bytes / static_cast<double>(in.ticks.size()));
  }
  fmt::print("\n");
  errors all;
  if (add_file(all, test::read_file(known_file(in, "none")), in.ticks)) print_errors(all);
}

input open_input(std::string_view argument) {
  if (!argument.starts_with("simulate:")) {
    const fs::path path(argument);
    input in{path.filename().string(), read_echoreplay(path), path, 300};
    // The same as the known writer's, so that the sizes compare.
    if (fs::exists(known_file(in, "none"))) {
      const auto ignore = [](const model::frame&, const model::frame_place&) {};
      try {
        in.keyframe_interval =
            model::decode(test::read_file(known_file(in, "none")), ignore).keyframe_interval;
      } catch (const model::decoder_exception&) {
        // Unreadable to its own program; our interval stays.
      }
    }
    return in;
  }
  std::vector<std::string> parts(1);
  for (const char c : argument) c == ':' ? void(parts.emplace_back()) : parts.back().push_back(c);
  echo_vr::simulation_options options;
  options.rate_hz = 30;
  options.seed = std::stoull(parts.at(1));
  const std::string mode = parts.size() > 2 ? parts[2] : "arena";
  options.mode = mode == "combat"  ? echo::mode::combat
                 : mode == "lobby" ? echo::mode::other
                                   : echo::mode::arena;
  const std::size_t ticks = parts.size() > 3 ? std::stoul(parts[3]) : 300;
  return {std::string(argument), simulate(options, ticks), {}, 300};
}

int report(std::span<char*> arguments) {
  bool bones = true;
  for (const std::string_view argument : arguments) bones = bones && argument != "--no-bones";
  for (const std::string_view argument : arguments) {
    if (argument == "--no-bones") continue;
    const input in = open_input(argument);
    const bool has_bones = bones && std::ranges::any_of(in.ticks, [](const echo::state& tick) {
                             return tick.bones == echo::bones_kind::present;
                           });
    fmt::print("{}: {} ticks, {} bones, a keyframe every {}\n", in.name, in.ticks.size(),
               has_bones ? "with" : "no", in.keyframe_interval);
    report_ours(in, "default", {.hold = {}, .bones = bones});
    report_ours(in, "small", {.hold = butter::small_profile, .bones = bones});
    report_known_writer(in);
  }
  return 0;
}

}  // namespace
}  // namespace tickreel::conformance

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(
        stderr,
        "usage: butter_accuracy RECORDING.echoreplay | simulate:SEED[:MODE[:TICKS]] ... [--no-bones]\n");
    return 2;
  }
  try {
    return tickreel::conformance::report({arguments + 1, static_cast<std::size_t>(count - 1)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
