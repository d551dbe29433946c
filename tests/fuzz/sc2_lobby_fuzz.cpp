// replay.initData and replay.info: the first four bytes are the base build, the rest is the member.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/sc2replay/players.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_reader from(std::as_bytes(std::span(data, size)));
  const std::uint32_t base_build = 13000 + from.u32() % 90000;
  const byte_span member = from.rest();
  const auto lobby = sc2replay::read_lobby(member, base_build);
  const auto kept =
      sc2replay::rewrite_lobby(member, base_build, [](const sc2replay::lobby_text&) { return std::nullopt; });
  if (!lobby) return 0;
  if (!kept || kept->size() != member.size()) std::abort();
  const auto bytes = sc2replay::write_lobby(*lobby, base_build);
  if (!bytes) std::abort();
  const auto again = sc2replay::read_lobby(*bytes, base_build);
  if (!again || *again != *lobby) std::abort();
  (void)sc2replay::join_players({base_build, nullptr, &*lobby, {}});
  return 0;
}
