// Scripts and recordings for the npc verbs.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "json_object.hpp"
#include "run_program.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::test {

using samp_rec::vehicle_block;

inline constexpr const char* guard_script = R"(-- A guard and a car.
local laps = settings.laps or 1
print("laps", laps)
local guard = actor{ name="guard", on_foot=true, skin=71, at={10, 20, 3}, heading=0 }
for lap = 1, laps do guard:walk_to(10, 45):wait(3):back_to_start() end
actor{ name="car", model=560, at={0, 0, 3}, heading=0 }:drive_to(0, 100):drive_to(80, 140)
)";

struct npc_folder {
  scratch_folder folder;
  std::string recordings = folder / "recordings";

  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream out(folder / name, std::ios::binary);
    out << text;
    BOOST_REQUIRE(out.flush().good());
    return folder / name;
  }
  // The script's recordings in `recordings`.
  void build_guard() const {
    const outcome said = run({"npc", "build", file("guard.lua", guard_script), "-o", recordings});
    BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  }
  std::string rec(const std::string& name) const {
    return (std::filesystem::path(recordings) / (name + ".rec")).string();
  }
  std::string vehicle_file(const std::string& name, const std::vector<vehicle_block>& blocks) const {
    const byte_vector bytes = samp_rec::to_bytes(std::span<const vehicle_block>(blocks));
    return file(name, as_text(bytes));
  }
};

// Moves at 10 m/s to the north without faults.
inline std::vector<vehicle_block> straight_drive(std::size_t count) {
  std::vector<vehicle_block> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(50 * i);
    blocks[i].position_m = {0, 0.5f * static_cast<float>(i), 3};
    blocks[i].velocity_m_per_20ms = {0, 0.2f, 0};
    blocks[i].rotation = {1, 0, 0, 0};
    blocks[i].keys = 8;
    blocks[i].vehicle_health = 1000;
    blocks[i].driver_health = 100;
  }
  return blocks;
}

inline std::vector<vehicle_block> vehicle_blocks(const std::string& path) {
  const auto read = samp_rec::read_recording(read_file(path));
  BOOST_REQUIRE_MESSAGE(read, path);
  return read->vehicle;
}

inline std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace tickreel::test
