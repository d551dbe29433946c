// Derives the events of a frame of version 2 from the state before it.
#pragma once

#include "messages.hpp"
#include "tape_tables.hpp"
#include "tickreel/tape/encoder.hpp"

namespace tickreel::tape {

class event_writer {
 public:
  event_writer(tape_encoder& of, const echo::state& now, message_writer& to) : of_(of), now_(now), to_(to) {}

  // Writes all events in the order that readers expect, and updates what the encoder remembers.
  void write();

 private:
  // Players of the frame with their places in the encoder's slots.
  struct present_player {
    const echo::player* from = nullptr;
    std::size_t place = 0;
    std::int32_t role = 0;
    bool is_new = false;
  };

  template <class Write>
  void event(event_type type, Write&& write);
  void slot_event(event_type type, std::int32_t slot);

  void find_players();
  void write_roster();
  void write_score();
  void write_disc();
  void write_counters();
  void write_round();
  void write_slots();
  std::size_t place_of(std::int32_t slot);

  tape_encoder& of_;
  const echo::state& now_;
  message_writer& to_;
  std::array<present_player, echo::max_players> players_;
  std::size_t player_count_ = 0;
};

[[nodiscard]] std::int32_t role_of(const echo::player& from, std::size_t team) noexcept;
[[nodiscard]] std::int32_t holder_of(const echo::state& from) noexcept;
// The team's number in texts of scores and pauses.
[[nodiscard]] std::uint64_t role_number(std::string_view team) noexcept;

}  // namespace tickreel::tape
