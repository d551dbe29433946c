// A whole .SC2Replay file in memory: everything decompressed, and parsed except for the event streams, which
// game_event_reader, message_reader and tracker_event_reader read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/attributes.hpp"
#include "tickreel/sc2replay/details.hpp"
#include "tickreel/sc2replay/game_metadata.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/sc2replay/lobby.hpp"
#include "tickreel/sc2replay/players.hpp"

namespace tickreel::sc2replay {

// A problem of a member.
struct member_problem {
  enum class kind : std::uint8_t {
    missing,    // every replay has it, or the archive contains it without its name
    unpacking,  // offsets of such errors count in the file; of all others in the member
    checksum,   // it differs from the archive's; the content is used regardless
    size,       // likewise
    content,    // it cannot be parsed
  };
  std::string_view member;
  error what;
  kind is = kind::content;

  // Whether it is damage. Wrong sizes of manipulated archives are not, nor are lobbies of newer programs.
  [[nodiscard]] bool damages(std::uint32_t base_build) const noexcept;
};

// Whether the game of that version writes replay.tracker.events.
[[nodiscard]] bool has_tracker_by_version(const header& of) noexcept;

struct replay {
  // Keeps nothing of the file. Fails without an archive or a header. All other problems are in `problems`,
  // and the affected part is empty.
  static result<replay> open(byte_span file, const mpq::limits& limits = {});
  static result<replay> open(const mpq::archive& from);
  // The same without decompressing the event streams, which stay empty; only their presence is checked.
  // Players then lack the data of tracker events.
  static result<replay> open_without_events(const mpq::archive& from);
  // Completes that; once, and from the same archive.
  void unpack_events(const mpq::archive& from);

  std::uint64_t file_bytes = 0;
  std::vector<mpq::member> members;

  sc2replay::header header;
  std::optional<sc2replay::details> details;        // from 1.0 on
  std::optional<sc2replay::lobby> lobby;            // unknown for builds with an unknown layout
  std::optional<sc2replay::attributes> attributes;  // from 1.0 on; none of a game without a lobby
  std::optional<game_metadata> metadata;            // from 3.4 on
  std::vector<sc2replay::player> players;
  std::vector<sc2replay::observer> observers;
  // Empty except for games that were resumed from a replay; known once the events are decompressed. Players
  // and observers are then those who resumed it last.
  std::vector<resumption> resumptions;

  // For game_event_reader, message_reader and tracker_event_reader; the last from 2.0.8 on.
  byte_vector game_events;
  byte_vector message_events;
  byte_vector tracker_events;

  std::vector<member_problem> problems;
  // Absent members that the game writes and that publishers remove; a replay is whole without them:
  // replay.message.events, replay.tracker.events, replay.attributes.events.
  std::vector<std::string_view> stripped;
  // The decompressed members, in any order; problems concern only these.
  std::vector<std::string_view> looked_at;

  [[nodiscard]] std::uint32_t base_build() const noexcept { return header.base_build; }
  [[nodiscard]] bool has_tracker_by_version() const noexcept {
    return sc2replay::has_tracker_by_version(header);
  }
  // When the current players began to play; 0 except for resumed games.
  [[nodiscard]] std::uint64_t resumed_tick() const noexcept {
    return resumptions.empty() ? 0 : resumptions.back().tick;
  }
  // The person with that number in game events and messages at that tick; empty if unknown.
  [[nodiscard]] std::string_view name_at(std::uint8_t event_user, std::uint64_t tick) const noexcept;
  // The map's name in the recorder's language; empty if unknown.
  [[nodiscard]] std::string_view map() const noexcept;

 private:
  void join();
  [[nodiscard]] std::string race_of_computer(const sc2replay::player& of) const;
};

}  // namespace tickreel::sc2replay
