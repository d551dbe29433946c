// The sample replay as a file, also with other members or another header.
#pragma once

#include <boost/test/unit_test.hpp>
#include <vector>

#include "sample_replay.hpp"
#include "tickreel/mpq/write_archive.hpp"

namespace tickreel::test {

inline byte_vector noise_bytes(std::size_t count) {
  byte_vector out(count);
  std::uint32_t state = 12345;
  for (std::byte& each : out) each = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
  return out;
}

inline std::vector<mpq::new_member> sample_members() {
  using mpq::new_member;
  const auto lobby = sc2replay::write_lobby(sample_lobby(), sample_base_build);
  const auto attributes = sc2replay::write_attributes(sample_attributes(), sample_base_build);
  BOOST_REQUIRE(lobby.has_value());
  BOOST_REQUIRE(attributes.has_value());
  const std::string_view battle_lobby = "binary Ayla binary";
  const byte_span lobby_bytes = as_bytes(battle_lobby);
  return {{"replay.details", sc2replay::write_details(sample_details())},
          {"replay.details.backup", sc2replay::write_details(sample_details())},
          {"replay.initData", *lobby},
          {"replay.attributes.events", *attributes},
          {"replay.game.events", sample_game_events()},
          {"replay.message.events", sample_messages()},
          {"replay.server.battlelobby", byte_vector(lobby_bytes.begin(), lobby_bytes.end())},
          {"replay.sync.history", {}},
          // Repetitive, so it is compressed; noise, so it is not.
          {"replay.sync.events", byte_vector(5000, std::byte{7})},
          {"replay.load.info", noise_bytes(96)},
          {"unheard.of", noise_bytes(9000)}};
}

inline byte_vector sample_file(const std::vector<mpq::new_member>& members = sample_members(),
                               const sc2replay::header& header = sample_header()) {
  const auto written = sc2replay::write_header(header);
  BOOST_REQUIRE(written.has_value());
  auto file = mpq::write_archive(*written, members);
  BOOST_REQUIRE(file.has_value());
  return std::move(*file);
}

}  // namespace tickreel::test
