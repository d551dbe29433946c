// The size and accuracy of .butter files: ours in both profiles, and those of the reference writer, if one is
// beside the recording. The model of the reference decoder reads all files.
//
//   butter_accuracy shared/data/butter/arena-8p-300.echoreplay simulate:1 simulate:2:combat:1800
//
// simulate:SEED[:MODE[:TICKS]], mode arena, combat or lobby. No bones: add --no-bones.
#include <fmt/format.h>

#include "butter_model.hpp"
#include "encode_file.hpp"
#include "file_errors.hpp"
#include "matches.hpp"
#include "shared_data.hpp"

namespace tickreel::conformance {
namespace {

namespace fs = std::filesystem;
namespace model = butter_model;

constexpr std::array<std::size_t, 6> reported_distances{0, 1, 30, 100, 200, 299};

void print_row(const char* what, const error_table& table) {
  const error_sum overall = table.overall();
  if (overall.count == 0) return;
  const auto pair = [](const error_sum& sum) { return fmt::format("{:.4f} / {:.3f}", sum.mean(), sum.max); };
  fmt::print("    {:<26}{:>18}", what, pair(overall));
  for (const std::size_t distance : reported_distances) {
    const auto found = table.at.find(distance);
    fmt::print("{:>18}", found == table.at.end() || found->second.count == 0 ? "-" : pair(found->second));
  }
  fmt::print("\n");
}

void print_errors(const file_errors& all) {
  fmt::print("    {:<26}{:>18}", "error, mean / max", "all frames");
  for (const std::size_t distance : reported_distances)
    fmt::print("{:>18}", fmt::format("frame {}", distance));
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
  std::uint16_t keyframe_interval_ticks = 300;
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
                          .keyframe_interval_ticks = in.keyframe_interval_ticks,
                          .codec = {.codec = column.codec, .level = column.level, .dictionary = {}}});
    std::size_t bytes = 0;
    for (const encoded_file& file : files) bytes += file.bytes.size();
    fmt::print("  {} {:.1f}", column.name, static_cast<double>(bytes) / static_cast<double>(in.ticks.size()));
    if (column.codec == codec_id::none) plain = std::move(files);
  }
  fmt::print("\n");
  file_errors all;
  for (const encoded_file& file : plain) {
    const auto ticks = std::span(in.ticks).subspan(file.first_state, file.state_count);
    if (const std::string trouble = all.add_file(file.bytes, ticks); !trouble.empty())
      fmt::print("    {}\n", trouble);
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
  file_errors all;
  const std::string trouble = all.add_file(test::read_file(known_file(in, "none")), in.ticks);
  if (trouble.empty()) return print_errors(all);
  fmt::print("    {}\n", trouble);
}

input open_input(std::string_view argument) {
  if (!argument.starts_with("simulate:")) {
    const fs::path path(argument);
    input in{path.filename().string(), read_echoreplay(path), path, 300};
    // Equal to the reference writer's, so that sizes can be compared.
    if (fs::exists(known_file(in, "none"))) {
      const auto ignore = [](const model::frame&, const model::frame_place&) {};
      try {
        in.keyframe_interval_ticks =
            model::decode(test::read_file(known_file(in, "none")), ignore).keyframe_interval_ticks;
      } catch (const model::decoder_exception&) {
        // Unreadable to the reference program; our interval is kept.
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
               has_bones ? "with" : "no", in.keyframe_interval_ticks);
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
