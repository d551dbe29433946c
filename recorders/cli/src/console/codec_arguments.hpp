// --codec, --level, --profile and --bone-error, shared by several verbs.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bone_error.hpp"
#include "checks.hpp"
#include "format_lists.hpp"
#include "tickreel/butter/options.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::cli {

struct codec_arguments {
  std::string codec;
  int level = 0;
  std::string profile;
  std::string bone_error;
  std::optional<echo::bone_errors> bone_errors;

  void add_to(command& app) {
    app.add_option("--codec", codec,
                   "none, gzip, lz4 or zstd; 'tickreel convert --help' lists those of each format")
        .check(one_of({"none", "gzip", "lz4", "zstd"}));
    app.add_option("--level", level, "Level of the codec: gzip 1 to 9, lz4 1 to 12, zstd 1 to 22")
        .check(between(1, 22));
  }
  void add_profile_to(command& app) {
    app.add_option("--profile", profile,
                   "Precision of a .butter: default, or small for fewer bytes (2 mm, 0.5 degrees, 0.35 m/s)")
        .check(one_of({"default", "small"}));
  }

  void add_bone_error_to(command& app) {
    app.add_option("--bone-error", bone_error,
                   "Maximum error of bones in a .reel, for a fraction of the bytes: 0.5mm,0.1deg");
  }
  // Reads --bone-error. Returns an empty text if it is absent or valid.
  [[nodiscard]] std::string read_bone_error() {
    if (bone_error.empty()) return {};
    bone_errors = parse_bone_errors(bone_error);
    if (bone_errors) return {};
    return wrong_bone_errors(bone_error);
  }

  // --level without --codec applies to the format's default codec.
  [[nodiscard]] std::optional<codec_options> options(std::string_view format) const {
    if (codec.empty() && level == 0) return std::nullopt;
    const files::format* const known = files::find_format(format);
    const codec_id usual = known != nullptr ? known->usual_codec : codec_id::gzip;
    return codec_options{.codec = codec.empty() ? usual : *codec_from_name(codec), .level = level};
  }

  // Returns an empty text if the codec has that level.
  [[nodiscard]] static std::string wrong_level(const std::optional<codec_options>& of) {
    if (!of || of->level == 0) return {};
    const int highest = of->codec == codec_id::zstd ? 22 : of->codec == codec_id::lz4 ? 12 : 9;
    if (of->codec != codec_id::none && of->level <= highest) return {};
    const std::string called(name(of->codec));
    if (of->codec == codec_id::none) return "--level: --codec none has no levels";
    return "--level " + std::to_string(of->level) + ": " + called + " has levels 1 to " +
           std::to_string(highest);
  }

  // Returns an empty text if the format can be written with that codec.
  [[nodiscard]] static std::string wrong_codec(const std::optional<codec_options>& of,
                                               const files::format& output) {
    if (!of || output.codecs.empty() || std::ranges::count(output.codecs, of->codec) != 0) return {};
    return fmt::format("--codec {}: {}", name(of->codec), codecs_of(output));
  }

  // Returns a warning about a codec that other programs may not have; else an empty text.
  [[nodiscard]] static std::string rare_codec(const std::optional<codec_options>& of,
                                              const files::format& output) {
    if (!of || of->codec != codec_id::zstd || output.usual_codec != codec_id::gzip) return {};
    return fmt::format("most readers of {} cannot open zstd; gzip is safe", output.extension);
  }

  [[nodiscard]] std::optional<butter::tolerances> hold() const {
    if (profile.empty()) return std::nullopt;
    return profile == "small" ? butter::small_profile : butter::tolerances{};
  }
};

}  // namespace tickreel::cli
