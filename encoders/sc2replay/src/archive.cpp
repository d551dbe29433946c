#include "tickreel/sc2replay/archive.hpp"

#include <array>
#include <utility>

namespace tickreel::sc2replay {

namespace {

constexpr std::array<const char*, 17> member_names = {
    "replay.info",
    "save.jpg",
    "replay.details",
    "replay.initData",
    "replay.attributes.events",
    "replay.game.events",
    "replay.message.events",
    "replay.tracker.events",
    "replay.smartcam.events",
    "replay.sync.events",
    "replay.sync.history",
    "replay.load.info",
    "replay.resumable.events",
    "replay.server.battlelobby",
    "replay.gamemetadata.json",
    "replay.details.backup",
    "replay.initData.backup",
};

result<mpq::archive> said_of_replays(result<mpq::archive>&& opened) {
  if (!opened && opened.error().code == error_code::bad_magic && opened.error().offset == 0) {
    return fail(error_code::bad_magic, 0, "not a StarCraft II replay");
  }
  return std::move(opened);
}

}  // namespace

std::span<const char* const> known_members() noexcept {
  return member_names;
}

result<mpq::archive> open_archive(byte_span file, const mpq::limits& limits) {
  return said_of_replays(mpq::archive::open(file, {limits, member_names}));
}

result<mpq::archive> open_archive(byte_vector&& file, const mpq::limits& limits) {
  return said_of_replays(mpq::archive::open(std::move(file), {limits, member_names}));
}

}  // namespace tickreel::sc2replay
