// One recording per kind of each format.
#pragma once

#include "fixtures.hpp"
#include "golden_bytes.hpp"
#include "int_encoder.hpp"
#include "sample.hpp"
#include "sample_file.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::test {

inline void convert(const std::filesystem::path& from, const std::filesystem::path& to,
                    std::string_view format, codec_id codec = codec_id::automatic) {
  const auto how = files::find_conversion(from, format);
  BOOST_REQUIRE_MESSAGE(how && *how != nullptr, from << " -> " << to);
  files::conversion_options options;
  if (codec != codec_id::automatic) options.codec = codec_options{.codec = codec};
  const auto report = (*how)->run(from, to, options);
  BOOST_REQUIRE_MESSAGE(report, from << " -> " << to << (report ? "" : describe(report.error())));
}

inline void write_ints(const std::filesystem::path& path) {
  auto ints =
      recorder<int_encoder, loss_policy::block>::open(path.string(), int_encoder{}, {.ticks_per_second = 60});
  BOOST_REQUIRE(ints);
  for (std::uint64_t tick = 0; tick < 300; ++tick) BOOST_REQUIRE(ints->push(state_of_tick(tick)));
  BOOST_REQUIRE(ints->close());
}

inline byte_vector a_walk() {
  std::vector<samp_rec::on_foot_block> blocks(40);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(100 + i * 40);
    blocks[i].position_m = {static_cast<float>(i) * 0.06f, -5, 3};
  }
  return samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(blocks));
}

inline byte_vector a_cache(gamecache::layout layout) {
  gamecache::contents cache;
  cache.layout = layout;
  cache.stored_version = layout == gamecache::layout::flagged ? gamecache::version_2_09 : 0;
  for (std::uint32_t number = 0; number < 5; ++number) cache.items.push_back(full_item(layout, number));
  return taken(gamecache::write(cache));
}

// One recording of each kind of a format.
inline std::vector<std::filesystem::path> fixtures(const scratch_folder& folder) {
  std::vector<std::filesystem::path> out;
  const auto add = [&](const char* name) {
    out.push_back(folder.path() / name);
    return out.back();
  };
  write_match(add("match.butter"), {}, short_match(true));
  write_match(add("zipped.echoreplay"));
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  write_match(add("plain.echoreplay"), plain);
  write_match(add("match.reel"));
  write_match(add("match.tape"));
  write_match(add("match.nevrcap"));
  BOOST_REQUIRE(files::convert(folder.path() / "zipped.echoreplay", add("lines.reel")));
  write_ints(add("ints.reel"));
  write_file(add("match.icrep"), from_hex(golden::complete_file));
  convert(folder.path() / "match.icrep", add("icrep.reel"), "reel");
  write_file(add("walk.rec"), a_walk());
  write_file(add("flat.gamecache"), a_cache(gamecache::layout::flat));
  write_file(add("flagged.gamecache"), a_cache(gamecache::layout::flagged));
  write_file(add("sample.SC2Replay"), sample_file());
  convert(folder.path() / "match.butter", add("match.mcap"), "mcap");
  return out;
}

}  // namespace tickreel::test
