// Recordings of a simulated match in every format, made on the spot.
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::test {

inline echo_vr::simulation_options short_match(bool bones = false) {
  echo_vr::simulation_options options;
  options.seed = 7;
  options.rate_hz = 30;
  options.players_per_team = 2;
  options.bones = bones;
  options.match_seconds = 6;
  return options;
}

// Writes the match as `path`, whose name tells the format.
inline files::convert_report write_match(const std::filesystem::path& path,
                                         const files::convert_options& options = {},
                                         const echo_vr::simulation_options& match = short_match()) {
  echo_vr::simulated_source source(match);
  auto report = files::convert(source, path, options);
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  return *report;
}

// Its text, unzipped, of the lines that can be read.
inline std::string text_of_plain(const scratch_folder& folder, const std::filesystem::path& zipped) {
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  plain.overwrite = true;
  plain.to = files::target::echoreplay;
  const auto path = folder.path() / "plain";
  BOOST_REQUIRE(files::convert(zipped, path, plain));
  const byte_vector bytes = read_file(path);
  return std::string(as_text(bytes));
}

inline std::unique_ptr<files::recording> open_recording(const std::filesystem::path& path) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, path << ": " << (opened ? "" : describe(opened.error())));
  return std::move(*opened);
}

// Every tick as `cat` prints its state; stops at an error, which then stands in `ended_with`.
inline std::vector<std::string> all_states(const std::filesystem::path& path,
                                           std::optional<error>* ended_with = nullptr) {
  auto opened = files::open(path);
  std::vector<std::string> states;
  if (!opened) {
    if (ended_with != nullptr) *ended_with = opened.error();
    return states;
  }
  for (;;) {
    auto more = (*opened)->next();
    if (!more && ended_with != nullptr) *ended_with = more.error();
    if (!more || !*more) return states;
    states.emplace_back();
    (*opened)->append_state(states.back());
  }
}

inline std::vector<echo::state> all_ticks(const std::filesystem::path& path, bool repair = false) {
  auto source = files::open_echo(path, {.repair = repair});
  BOOST_REQUIRE_MESSAGE(source, path << ": " << (source ? "" : describe(source.error())));
  std::vector<echo::state> ticks;
  auto tick = std::make_unique<echo::state>();
  for (;;) {
    auto more = (*source)->next(*tick);
    BOOST_REQUIRE_MESSAGE(more, path << ": " << (more ? "" : describe(more.error())));
    if (!*more) return ticks;
    ticks.push_back(*tick);
  }
}

inline void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, as_bytes(text));
}

}  // namespace tickreel::test
