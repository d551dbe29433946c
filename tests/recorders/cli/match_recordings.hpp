// One match as a .butter, an .echoreplay and a reel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "run_program.hpp"

namespace cli_tests::match_recordings {

using namespace tickreel::test;

struct recordings {
  scratch_folder folder;
  std::string butter = folder / "m.butter";
  std::string echoreplay = folder / "m.echoreplay";
  std::string reel = folder / "m.reel";
  std::size_t ticks = 0;

  recordings() {
    tickreel::files::convert_options options;
    options.keyframe_interval_ticks = 40;  // ticks per chunk of a reel
    for (const std::string& path : {butter, echoreplay, reel}) ticks = write_match(path, options).ticks;
  }
  [[nodiscard]] std::vector<std::string> all() const { return {butter, echoreplay, reel}; }

  // The first bytes of a file, in a file of another name.
  std::string cut(const std::string& path, double share, const std::string& name) const {
    const auto bytes = read_file(path);
    const auto size = static_cast<std::size_t>(static_cast<double>(bytes.size()) * share);
    write_file(folder / name, tickreel::byte_span(bytes).first(size));
    return folder / name;
  }
};

}  // namespace cli_tests::match_recordings
