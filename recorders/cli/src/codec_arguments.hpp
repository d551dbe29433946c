// --codec, --level and --profile, which several verbs take.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "tickreel/butter/options.hpp"
#include "tickreel/chunk/codec.hpp"

namespace tickreel::cli {

struct codec_arguments {
  std::string codec;
  int level = 0;
  std::string profile;

  void add_to(CLI::App& app) {
    app.add_option("--codec", codec, "none, gzip, lz4 or zstd; a .butter takes none, gzip and zstd")
        ->check(CLI::IsMember({"none", "gzip", "lz4", "zstd"}));
    app.add_option("--level", level, "The codec's own level: gzip 1 to 9, lz4 1 to 12, zstd 1 to 22");
  }
  void add_profile_to(CLI::App& app) {
    app.add_option("--profile", profile,
                   "How exact a .butter is: default, or small for fewer bytes (2 mm, 0.5 degrees, 0.2 m/s)")
        ->check(CLI::IsMember({"default", "small"}));
  }

  // A level alone is one of gzip, which everything but a reel uses unless told otherwise.
  [[nodiscard]] std::optional<codec_options> options() const {
    if (codec.empty() && level == 0) return std::nullopt;
    return codec_options{.codec = codec.empty() ? codec_id::gzip : *codec_from_name(codec), .level = level};
  }

  [[nodiscard]] std::optional<butter::tolerances> hold() const {
    if (profile.empty()) return std::nullopt;
    return profile == "small" ? butter::small_profile : butter::tolerances{};
  }
};

}  // namespace tickreel::cli
