// How many bytes does a frame take on disk, and how accurate are the values read back?

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../support/accuracy.hpp"
#include "../support/arena_match.hpp"
#include "../support/butter_file.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/profiles.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/files/echo_source.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

struct compression_name {
  butter::compression codec;
  const char* name;
};
// The format has no lz4.
constexpr compression_name compressions[] = {
    {butter::compression::none, "none"},       {butter::compression::gzip, "gzip"},
    {butter::compression::zstd_3, "zstd_3"},   {butter::compression::zstd_7, "zstd_7"},
    {butter::compression::zstd_15, "zstd_15"}, {butter::compression::zstd_22, "zstd_22"},
};

struct input {
  std::string name;
  std::vector<echo::state> ticks;
  std::uint16_t keyframe_interval_ticks = 300;
  std::filesystem::path golden = {};  // beside it, without ".<compression>.butter"
};

// Bytes per frame by compression, and the accuracy for a reader; of one writer.
struct outcome {
  std::string writer;
  std::map<std::string, double> bytes_per_frame;
  std::vector<echo::state> read;
};

std::vector<echo::state> read_recording(const std::filesystem::path& path) {
  auto source = must(files::open_echo(path));
  std::vector<echo::state> ticks;
  echo::state tick;
  while (must(source->next(tick))) ticks.push_back(tick);
  return ticks;
}

std::vector<input> all_inputs() {
  std::vector<input> out;
  for (const bool bones : {false, true}) {
    for (const std::uint32_t rate_hz : {30u, 60u}) {
      out.push_back({fmt::format("simulated{}, {} Hz", bones ? " with bones" : "", rate_hz),
                     arena_match({.bones = bones, .rate_hz = rate_hz})});
    }
  }
  if (const auto folder = shared_data("butter"); !folder.empty()) {
    for (const auto& [name, interval] : {std::pair{"arena-8p-300", std::uint16_t{300}},
                                         std::pair{"arena-8p-150-bones", std::uint16_t{75}}}) {
      const auto path = folder / fmt::format("{}.echoreplay", name);
      if (std::filesystem::exists(path)) {
        out.push_back({name, read_recording(path), interval, folder / name});
      }
    }
  }
  return out;
}

outcome write_with(const profile& each, const input& from) {
  outcome out{.writer = fmt::format("tickreel, {}", each.name), .bytes_per_frame = {}, .read = {}};
  const encoded_match match = encode_match(from.ticks, from.keyframe_interval_ticks, each.options);
  for (const auto& [codec, name] : compressions) {
    const byte_vector file = butter_file(match, codec);
    out.bytes_per_frame[name] = static_cast<double>(file.size()) / static_cast<double>(from.ticks.size());
    if (codec == butter::compression::none) out.read = read_butter_file(file);
  }
  return out;
}

// The output of the format's reference program for the same input.
outcome golden_of(const input& from) {
  outcome out{.writer = "the format's own program", .bytes_per_frame = {}, .read = {}};
  for (const auto& [codec, name] : compressions) {
    const std::string path = fmt::format("{}.{}.butter", from.golden.string(), name);
    if (!std::filesystem::exists(path)) continue;
    out.bytes_per_frame[name] =
        static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(from.ticks.size());
    if (codec == butter::compression::none) out.read = read_butter_file(as_bytes(read_text(path)));
  }
  return out;
}

// Text of the same ticks, deflated as in the zip of an .echoreplay; without the zip's own 200 bytes.
double echoreplay_bytes_per_frame(const input& from) {
  std::string text;
  for (const echo::state& tick : from.ticks) echoreplay::append_line(tick, text);
  auto deflate = must(compressor::create({.codec = codec_id::gzip}));
  byte_vector zipped;
  must(deflate.compress(as_bytes(text), zipped));
  return static_cast<double>(zipped.size()) / static_cast<double>(from.ticks.size());
}

boost::json::object to_json(const deviation& from) {
  return {{"mean", from.mean()}, {"max", from.max}};
}
boost::json::object to_json(const accuracy& from) {
  return {{"position_mm", to_json(from.position_mm)},
          {"rotation_deg", to_json(from.rotation_deg)},
          {"disc_position_mm", to_json(from.disc_position_mm)},
          {"bone_position_mm", to_json(from.bone_position_mm)},
          {"bone_rotation_deg", to_json(from.bone_rotation_deg)},
          {"unmatched", from.unmatched}};
}

// A keyframe stores positions as halves; the frame after it can repair that.
accuracy without_keyframes(const input& from, const std::vector<echo::state>& read) {
  accuracy out;
  for (std::size_t i = 0; i < std::min(from.ticks.size(), read.size()); ++i) {
    if (i % from.keyframe_interval_ticks != 0) out.add(compare(from.ticks[i], read[i]));
  }
  return out;
}

void add_accuracy(table& to, std::string name, const accuracy& found) {
  const auto cell = [](const deviation& d) {
    return d.count == 0 ? std::string("-") : fmt::format("{} / {}", figure(d.mean()), figure(d.max));
  };
  to.row({std::move(name), cell(found.position_mm), cell(found.rotation_deg), cell(found.disc_position_mm),
          cell(found.bone_position_mm), cell(found.bone_rotation_deg), std::to_string(found.unmatched)});
}

boost::json::object report(const input& from, const std::vector<outcome>& outcomes) {
  fmt::print("{}: {} frames, interval {}\n", from.name, from.ticks.size(), from.keyframe_interval_ticks);
  const outcome* const golden = from.golden.empty() ? nullptr : &outcomes.back();
  table sizes({"bytes per frame", "none", "gzip", "zstd 3", "zstd 7", "zstd 15", "zstd 22"});
  boost::json::array writers;
  for (const outcome& each : outcomes) {
    std::vector<std::string> cells{each.writer};
    std::vector<std::string> ratios{"  / the format's own program"};
    boost::json::object bytes, ratio_to_own;
    for (const auto& compression : compressions) {
      const auto found = each.bytes_per_frame.find(compression.name);
      cells.push_back(found == each.bytes_per_frame.end() ? "-" : figure(found->second));
      if (found == each.bytes_per_frame.end()) continue;
      bytes[compression.name] = found->second;
      if (golden == nullptr) continue;
      const auto own = golden->bytes_per_frame.find(compression.name);
      ratios.push_back(
          own == golden->bytes_per_frame.end() ? "-" : fmt::format("{:.3f}", found->second / own->second));
      if (own != golden->bytes_per_frame.end()) ratio_to_own[compression.name] = found->second / own->second;
    }
    sizes.row(std::move(cells));
    if (golden != nullptr && &each != golden) sizes.row(std::move(ratios));
    boost::json::object row{{"writer", each.writer}, {"bytes_per_frame", bytes}};
    if (golden != nullptr) row["ratio_to_own_program"] = ratio_to_own;
    writers.push_back(std::move(row));
  }
  const double text_bytes = echoreplay_bytes_per_frame(from);
  sizes.row({".echoreplay, zipped", "", figure(text_bytes), "", "", "", ""});
  sizes.print();

  table errors(
      {"error, mean / max", "position mm", "rotation deg", "disc mm", "bone mm", "bone deg", "unmatched"});
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const outcome& each = outcomes[i];
    if (each.read.empty()) continue;
    const accuracy whole = compare(from.ticks, each.read);
    const accuracy repaired = without_keyframes(from, each.read);
    add_accuracy(errors, each.writer, whole);
    add_accuracy(errors, "  all but keyframes", repaired);
    boost::json::object json{{"all", to_json(whole)}, {"without_keyframes", to_json(repaired)}};
    for (const std::size_t frame : {0u, 1u, 30u, 100u, 200u, 299u}) {
      if (frame >= std::min(from.ticks.size(), each.read.size())) break;
      const accuracy at_frame = compare(from.ticks[frame], each.read[frame]);
      add_accuracy(errors, frame == 0 ? "  frame 0, the keyframe" : fmt::format("  frame {}", frame),
                   at_frame);
      json[fmt::format("frame_{}", frame)] = to_json(at_frame);
    }
    writers[i].as_object()["accuracy"] = std::move(json);
  }
  errors.print();
  return {{"input", from.name},
          {"frames", from.ticks.size()},
          {"keyframe_interval_ticks", from.keyframe_interval_ticks},
          {"echoreplay_bytes_per_frame", text_bytes},
          {"writers", std::move(writers)}};
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "size",
               "how many bytes does a frame take on disk, and how true is what is read back?");
  fmt::print(
      "Whole .butter files divided by their frames. Errors: what the reader gives against what was "
      "recorded.\n\n");
  boost::json::array inputs;
  for (const input& each : all_inputs()) {
    std::vector<outcome> outcomes;
    for (const profile& with : profiles()) outcomes.push_back(write_with(with, each));
    if (!each.golden.empty()) outcomes.push_back(golden_of(each));
    inputs.push_back(report(each, outcomes));
  }
  self.results()["inputs"] = std::move(inputs);
  return self.finish();
}
