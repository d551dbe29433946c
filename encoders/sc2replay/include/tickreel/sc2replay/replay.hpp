// A whole .SC2Replay file in memory: everything unpacked, and parsed but for the streams of events, which
// game_event_reader, message_reader and tracker_event_reader go through.
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

// What is wrong with a member.
struct member_problem {
  enum class kind : std::uint8_t {
    missing,    // no replay is without it, or it is in the archive and cannot be found there by its name
    unpacking,  // offsets of such errors count in the file; of all others in the member
    checksum,   // the archive has another; the content is used all the same
    size,       // likewise
    content,    // it cannot be understood
  };
  std::string_view member;
  error what;
  kind is = kind::content;

  // Whether it is damage: sizes of archives that were tampered with are not, nor are lobbies that only a
  // newer program understands.
  [[nodiscard]] bool damages(std::uint32_t base_build) const noexcept;
};

// Whether the game of that version writes replay.tracker.events.
[[nodiscard]] bool has_tracker_by_version(const header& of) noexcept;

struct replay {
  // Keeps nothing of the file.
  // Fails when there is no archive or no header. Everything else that is wrong is in `problems`, and the part
  // that it concerns is empty.
  static result<replay> open(byte_span file, const mpq::limits& limits = {});
  static result<replay> open(const mpq::archive& from);
  // The same without unpacking the streams of events, which stay empty; only that they are there is checked.
  // Players then lack what tracker events say of them.
  static result<replay> open_without_events(const mpq::archive& from);
  // What is then still to be done; once, and from the same archive.
  void unpack_events(const mpq::archive& from);

  std::uint64_t file_bytes = 0;
  std::vector<mpq::member> members;

  sc2replay::header header;
  std::optional<sc2replay::details> details;        // from 1.0 on
  std::optional<sc2replay::lobby> lobby;            // unknown for builds with an unknown layout
  std::optional<sc2replay::attributes> attributes;  // from 1.0 on
  std::optional<game_metadata> metadata;            // from 3.4 on
  std::vector<sc2replay::player> players;
  std::vector<sc2replay::observer> observers;
  // Empty but for games that were resumed from a replay; known once the events are unpacked. Players and
  // observers are then those who resumed it last.
  std::vector<resumption> resumptions;

  // For game_event_reader, message_reader and tracker_event_reader; the last from 2.0.8 on.
  byte_vector game_events;
  byte_vector message_events;
  byte_vector tracker_events;

  std::vector<member_problem> problems;
  // Members that the game writes and that are not there, as publishers take them out; a replay is whole
  // without them: replay.message.events, replay.tracker.events, replay.attributes.events.
  std::vector<std::string_view> stripped;
  // Those that were unpacked, in no order; problems tell of no others.
  std::vector<std::string_view> looked_at;

  [[nodiscard]] std::uint32_t base_build() const noexcept { return header.base_build; }
  [[nodiscard]] bool has_tracker_by_version() const noexcept {
    return sc2replay::has_tracker_by_version(header);
  }
  // When those who play began to play; 0 but for games that were resumed.
  [[nodiscard]] std::uint64_t resumed_tick() const noexcept {
    return resumptions.empty() ? 0 : resumptions.back().tick;
  }
  // Who held that number of game events and messages at that tick; empty when unknown.
  [[nodiscard]] std::string_view name_at(std::uint8_t event_user, std::uint64_t tick) const noexcept;
  // The map's name in the recorder's language; empty when nobody says.
  [[nodiscard]] std::string_view map() const noexcept;

 private:
  void join();
  [[nodiscard]] std::string race_of_computer(const sc2replay::player& of) const;
};

}  // namespace tickreel::sc2replay
