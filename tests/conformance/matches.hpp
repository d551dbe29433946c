// Matches to encode: recorded ones, simulated ones, and simulated ones with unusual events.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/simulator.hpp"

namespace tickreel::conformance {

using match = std::vector<echo::state>;

// Zipped or plain. Throws std::runtime_error if the file or one of its lines cannot be read.
match read_echoreplay(const std::filesystem::path& path);

// Every `stride`-th tick, `count` of them or until the match ends.
match simulate(const echo_vr::simulation_options& options, std::size_t count, std::size_t stride = 1);

struct incident {
  const char* name;
  std::function<void(match&)> apply;  // to a match of at least 100 ticks
};

// Known problems of writers of the format, and unusual data that the game or a community server may send.
const std::vector<incident>& incidents();

}  // namespace tickreel::conformance
